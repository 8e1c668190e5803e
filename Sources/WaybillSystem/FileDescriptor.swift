#if !os(Windows)
    /// The descriptor of an open file, which its owner closes.
    struct FileDescriptor: Sendable {
        let number: Int32

        /// Creates a descriptor from the result of `open`.
        ///
        /// - Throws: the error of the system if the file could not be opened.
        init(_ number: Int32) throws(FileSystemError) {
            guard number >= 0 else { throw .last }
            self.number = number
        }

        func close() { _ = WaybillSystem.close(number) }

        /// The state of the file.
        var status: stat {
            get throws(FileSystemError) {
                var status = stat()
                guard fstat(number, &status) == 0 else { throw .last }
                return status
            }
        }

        /// The number of bytes that the file has now.
        var length: Int {
            get throws(FileSystemError) { Int(try status.st_size) }
        }

        /// The facts by which a file is known again.
        var identity: ReadableFile.Identity {
            get throws(FileSystemError) { ReadableFile.Identity(try status) }
        }

        /// Reads bytes into memory, and returns their number; 0 at the end of the file and after it.
        func read(into memory: UnsafeMutableRawBufferPointer, from offset: Int) throws(FileSystemError) -> Int {
            while true {
                let count = pread(number, memory.baseAddress, memory.count, off_t(offset))
                if count >= 0 { return count }
                guard errno == EINTR else { throw .last }
            }
        }
    }
#endif
