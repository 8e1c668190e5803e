#if !os(Windows)
    /// A regular file that one owner at a time writes, at any of its offsets.
    ///
    /// Its lock is the system's: it ends with the process, however the process ends.
    package final class WritableFile: Sendable {
        private let descriptor: FileDescriptor

        /// Opens a file and locks it, and creates it if it is missing; a symbolic link is not followed.
        ///
        /// A file that has another name too loses this one, and a new file is created: nothing is written through it.
        ///
        /// - Throws: `FileSystemError.system(code:)` with `EWOULDBLOCK` if another owner has it.
        package init(path: String) throws(FileSystemError) {
            while true {
                let file = try FileDescriptor(
                    open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
                )
                do throws(FileSystemError) {
                    if try Self.lock(file, path: path) {
                        descriptor = file
                        return
                    }
                } catch {
                    file.close()
                    throw error
                }
                file.close()
            }
        }

        /// Locks an open file.
        ///
        /// - Returns: whether the path still leads to it: the owner before may have renamed or removed it.
        private static func lock(_ file: FileDescriptor, path: String) throws(FileSystemError) -> Bool {
            let opened = try file.status
            guard opened.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw .last }
            var found = stat()
            guard lstat(path, &found) == 0 else { return false }
            guard found.st_ino == opened.st_ino, found.st_dev == opened.st_dev else { return false }
            guard found.st_nlink > 1 else { return true }
            try remove(path)
            return false
        }

        deinit {
            // A process that is being started has a copy of the descriptor for a moment, and with it the lock.
            _ = flock(descriptor.number, LOCK_UN)
            descriptor.close()
        }

        /// The facts by which the file is known again, as of now.
        package var identity: ReadableFile.Identity {
            get throws(FileSystemError) { try descriptor.identity }
        }

        /// Returns the facts of the file at a path, of a link itself; nil if there is no file.
        package static func identity(at path: String) -> ReadableFile.Identity? {
            var status = stat()
            return lstat(path, &status) == 0 ? ReadableFile.Identity(status) : nil
        }

        /// The number of bytes that the file has now.
        package var length: Int {
            get throws(FileSystemError) { try descriptor.length }
        }

        /// Reads bytes into memory, and returns their number; 0 at the end of the file.
        package func read(into memory: UnsafeMutableRawBufferPointer, from offset: Int) throws(FileSystemError) -> Int {
            try descriptor.read(into: memory, from: offset)
        }

        /// Writes all bytes, the first of them at an offset.
        package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileSystemError) {
            var done = 0
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count = pwrite(descriptor.number, rest.baseAddress, rest.count, off_t(offset + done))
                if count >= 0 {
                    done += count
                } else if errno != EINTR {
                    throw .last
                }
            }
        }

        /// Cuts the file to a length.
        package func truncate(to length: Int) throws(FileSystemError) {
            while ftruncate(descriptor.number, off_t(length)) != 0 {
                guard errno == EINTR else { throw .last }
            }
        }

        /// Waits until the bytes are on the disk.
        package func synchronize() throws(FileSystemError) { try Self.synchronize(descriptor) }

        /// Gives a file another name, under which any other file is replaced, and waits until the folder is on the
        /// disk.
        package static func rename(_ path: String, to name: String, in folder: String) throws(FileSystemError) {
            guard WaybillSystem.rename(path, name) == 0 else { throw .last }
            // A folder that may be written and not read cannot be opened; the file is there all the same.
            guard let descriptor = try? FileDescriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return }
            defer { descriptor.close() }
            // Some file systems do not synchronize folders.
            try? synchronize(descriptor)
        }

        /// Removes a file if it is there.
        package static func remove(_ path: String) throws(FileSystemError) {
            guard unlink(path) != 0, errno != ENOENT else { return }
            throw .last
        }

        /// Whether there is a folder at a path.
        package static func isFolder(_ path: String) -> Bool {
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }

        private static func synchronize(_ descriptor: FileDescriptor) throws(FileSystemError) {
            #if canImport(Darwin)
                // There `fsync` leaves the bytes in the memory of the disk.
                if fcntl(descriptor.number, F_FULLFSYNC) == 0 { return }
            #endif
            while fsync(descriptor.number) != 0 {
                guard errno == EINTR else { throw .last }
            }
        }
    }
#endif
