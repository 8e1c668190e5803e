#if !os(Windows)
    /// The descriptor of an open file; its owner must close it.
    struct FileDescriptor: Sendable {
        let number: Int32

        /// Creates a descriptor from the result of `open`.
        ///
        /// - Throws: the system's error if the file could not be opened.
        init(_ number: Int32) throws(FileSystemError) {
            guard number >= 0 else { throw .last }
            self.number = number
        }

        func close() { _ = WaybillSystem.close(number) }

        /// The current status of the file.
        var status: stat {
            get throws(FileSystemError) {
                var status = stat()
                guard fstat(number, &status) == 0 else { throw .last }
                return status
            }
        }

        /// The current length of the file, in bytes.
        var length: Int {
            get throws(FileSystemError) { Int(try status.st_size) }
        }

        /// The identity used to recognize the file later.
        var identity: ReadableFile.Identity {
            get throws(FileSystemError) { ReadableFile.Identity(try status) }
        }

        /// Reads bytes into memory and returns their number; 0 at or past the end of the file.
        func read(into memory: UnsafeMutableRawBufferPointer, from offset: Int) throws(FileSystemError) -> Int {
            while true {
                let count = pread(number, memory.baseAddress, memory.count, off_t(offset))
                if count >= 0 { return count }
                guard errno == EINTR else { throw .last }
            }
        }
    }
#endif
