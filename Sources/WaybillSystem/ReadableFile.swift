#if !os(Windows)
    /// A regular file that is open for reading, at any of its offsets.
    package final class ReadableFile: Sendable {
        /// The reasons for which a file cannot be opened or read.
        package enum Failure: Error, Hashable {
            /// The path leads to a folder, a pipe or a device.
            case notRegular
            /// The `errno` of the system.
            case system(code: Int32)

            /// The last error of the system on this thread.
            static var last: Failure { .system(code: errno) }
        }

        private let descriptor: FileDescriptor

        /// Opens a file.
        package init(path: String) throws(Failure) {
            var status = stat()
            // Checked before it is opened: opening a pipe waits for a process that writes into it.
            guard stat(path, &status) == 0 else { throw .last }
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
            descriptor = try FileDescriptor(open(path, O_RDONLY | O_CLOEXEC))
        }

        deinit { descriptor.close() }

        /// The number of bytes that the file has now.
        package var length: Int {
            get throws(Failure) { try descriptor.length }
        }

        /// Reads bytes into memory.
        ///
        /// - Parameters:
        ///   - memory: the memory to fill.
        ///   - offset: the offset of the first byte in the file.
        /// - Returns: the number of bytes; 0 at the end of the file and behind it.
        /// - Throws: ``Failure``.
        package func read(into memory: UnsafeMutableRawBufferPointer, from offset: Int) throws(Failure) -> Int {
            try descriptor.read(into: memory, from: offset)
        }
    }
#endif
