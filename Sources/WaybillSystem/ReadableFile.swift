#if !os(Windows)
    /// An error from opening, reading or writing a file.
    package enum FileSystemError: Error, Hashable {
        /// The path refers to a directory, a pipe or a device.
        case notRegular
        /// A system error, with its `errno`.
        case system(code: Int32)

        /// The system's last error on this thread.
        static var last: FileSystemError { .system(code: errno) }
    }

    /// A regular file, open for reading at any offset.
    package final class ReadableFile: Sendable {
        /// The identity used to recognize a file later and to detect changes.
        package struct Identity: Sendable, Hashable {
            package let device: UInt64
            package let inode: UInt64
            /// The length of the file, in bytes.
            package let length: Int
            /// The modification time in nanoseconds since 1970, at the file system's resolution.
            package let modified: Int64
            /// The number of hard links to the file.
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

            /// Whether both identities are those of the same file, regardless of its content.
            package func isSameFile(as other: Identity) -> Bool { device == other.device && inode == other.inode }

            /// Whether both identities are those of the same, unmodified file.
            ///
            /// A modification that preserves the length, within the file system's timestamp resolution (a few
            /// milliseconds), goes undetected.
            package func isUnchanged(from other: Identity) -> Bool {
                isSameFile(as: other) && length == other.length && modified == other.modified
            }
        }

        private let descriptor: FileDescriptor

        /// Opens a file.
        package init(path: String) throws(FileSystemError) {
            var status = stat()
            // The type is checked before opening, because opening a pipe blocks until a process opens it for writing.
            guard stat(path, &status) == 0 else { throw .last }
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
            descriptor = try FileDescriptor(open(path, O_RDONLY | O_CLOEXEC))
        }

        deinit { descriptor.close() }

        /// The current length of the file, in bytes.
        package var length: Int {
            get throws(FileSystemError) { try descriptor.length }
        }

        /// The current identity of the file.
        package var identity: Identity {
            get throws(FileSystemError) { try descriptor.identity }
        }

        /// Reads bytes into memory.
        ///
        /// - Parameters:
        ///   - memory: the memory to fill.
        ///   - offset: the offset of the first byte in the file.
        /// - Returns: the number of bytes; 0 at or past the end of the file.
        /// - Throws: ``FileSystemError``.
        package func read(into memory: UnsafeMutableRawBufferPointer, from offset: Int) throws(FileSystemError) -> Int {
            try descriptor.read(into: memory, from: offset)
        }
    }
#endif
