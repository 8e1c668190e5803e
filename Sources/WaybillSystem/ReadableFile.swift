#if !os(Windows)
    /// The reasons for which a file cannot be opened, read or written.
    package enum FileSystemError: Error, Hashable {
        /// The path leads to a folder, a pipe or a device.
        case notRegular
        /// The `errno` of the system.
        case system(code: Int32)

        /// The last error of the system on this thread.
        static var last: FileSystemError { .system(code: errno) }
    }

    /// A regular file that is open for reading, at any of its offsets.
    package final class ReadableFile: Sendable {
        /// The facts by which a file is known again, and found to be unchanged.
        package struct Identity: Sendable, Hashable {
            package let device: UInt64
            package let inode: UInt64
            /// The number of bytes.
            package let length: Int
            /// The time of the last modification, in nanoseconds since 1970, as exact as the file system's.
            package let modified: Int64
            /// The number of names of the file.
            package let links: UInt64

            init(_ status: stat) {
                device = UInt64(truncatingIfNeeded: status.st_dev)
                inode = UInt64(status.st_ino)
                length = Int(status.st_size)
                links = UInt64(status.st_nlink)
                #if canImport(Darwin)
                    let time = status.st_mtimespec
                #else
                    let time = status.st_mtim
                #endif
                modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
            }

            /// Whether it is the same file, whatever bytes it has now.
            package func isSameFile(as other: Identity) -> Bool { device == other.device && inode == other.inode }

            /// Whether it is the same file, and has not been written.
            ///
            /// A change within the resolution of the file system's times, of some milliseconds, is not noticed.
            package func isUnchanged(from other: Identity) -> Bool {
                isSameFile(as: other) && length == other.length && modified == other.modified
            }
        }

        private let descriptor: FileDescriptor

        /// Opens a file.
        package init(path: String) throws(FileSystemError) {
            var status = stat()
            // Checked before it is opened: opening a pipe waits for a process that writes into it.
            guard stat(path, &status) == 0 else { throw .last }
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
            descriptor = try FileDescriptor(open(path, O_RDONLY | O_CLOEXEC))
        }

        deinit { descriptor.close() }

        /// The number of bytes that the file has now.
        package var length: Int {
            get throws(FileSystemError) { try descriptor.length }
        }

        /// The facts by which the file is known again, as of now.
        package var identity: Identity {
            get throws(FileSystemError) { try descriptor.identity }
        }

        /// Reads bytes into memory.
        ///
        /// - Parameters:
        ///   - memory: the memory to fill.
        ///   - offset: the offset of the first byte in the file.
        /// - Returns: the number of bytes; 0 at the end of the file and after it.
        /// - Throws: ``FileSystemError``.
        package func read(into memory: UnsafeMutableRawBufferPointer, from offset: Int) throws(FileSystemError) -> Int {
            try descriptor.read(into: memory, from: offset)
        }
    }
#endif
