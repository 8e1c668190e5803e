#if !os(Windows)
    /// A regular file, locked for exclusive use and writable at any offset.
    ///
    /// The system holds the lock and releases it when the process ends, even if it crashes.
    package final class WritableFile: Sendable {
        private let descriptor: FileDescriptor

        /// Opens and locks a file, creating it if it is missing; symbolic links are not followed.
        ///
        /// If the file has other hard links, the one at this path is removed and a new file is created. The existing
        /// file is never modified.
        ///
        /// - Throws: `FileSystemError.system(code:)` with `EWOULDBLOCK` if the file is already locked.
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
        /// - Returns: true if the path is the file's only hard link; false if the previous owner has renamed or removed
        ///   the file, or if the link at the path has been removed because the file has others.
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
            // A child process being started briefly holds a copy of the descriptor, which would extend the lock.
            _ = flock(descriptor.number, LOCK_UN)
            descriptor.close()
        }

        /// The current identity of the file.
        package var identity: ReadableFile.Identity {
            get throws(FileSystemError) { try descriptor.identity }
        }

        /// Returns the identity of the file at a path, without following a symbolic link; nil if there is no accessible
        /// file.
        package static func identity(at path: String) -> ReadableFile.Identity? {
            var status = stat()
            return lstat(path, &status) == 0 ? ReadableFile.Identity(status) : nil
        }

        /// The current length of the file, in bytes.
        package var length: Int {
            get throws(FileSystemError) { try descriptor.length }
        }

        /// Reads bytes into memory and returns their number; 0 at or past the end of the file.
        package func read(into memory: UnsafeMutableRawBufferPointer, from offset: Int) throws(FileSystemError) -> Int {
            try descriptor.read(into: memory, from: offset)
        }

        /// Writes all bytes, starting at the given offset.
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

        /// Truncates the file to a length, in bytes.
        package func truncate(to length: Int) throws(FileSystemError) {
            while ftruncate(descriptor.number, off_t(length)) != 0 {
                guard errno == EINTR else { throw .last }
            }
        }

        /// Waits until the bytes have been written to the disk.
        package func synchronize() throws(FileSystemError) { try Self.synchronize(descriptor) }

        /// Renames a file within a directory, replacing any file at the new path.
        ///
        /// Waits until the directory has been written to the disk, if it can be opened and synchronized.
        package static func rename(_ path: String, to newPath: String, in folder: String) throws(FileSystemError) {
            guard WaybillSystem.rename(path, newPath) == 0 else { throw .last }
            // A directory without read permission cannot be opened, but the file has been renamed.
            guard let descriptor = try? FileDescriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return }
            defer { descriptor.close() }
            // Some file systems cannot synchronize directories.
            try? synchronize(descriptor)
        }

        /// Removes a file if it exists.
        package static func remove(_ path: String) throws(FileSystemError) {
            guard unlink(path) != 0, errno != ENOENT else { return }
            throw .last
        }

        /// Whether a path refers to a directory.
        package static func isFolder(_ path: String) -> Bool {
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }

        private static func synchronize(_ descriptor: FileDescriptor) throws(FileSystemError) {
            #if canImport(Darwin)
                // On Darwin, `fsync` can leave the bytes in the disk's cache.
                if fcntl(descriptor.number, F_FULLFSYNC) == 0 { return }
            #endif
            while fsync(descriptor.number) != 0 {
                guard errno == EINTR else { throw .last }
            }
        }
    }
#endif
