import WaybillSystem

/// The file of a database, for one owner that writes it.
///
/// The owner has the lock of a second file, `NAME.lock`. The state of a store in memory stays true only if it is the
/// only writer; other processes may read at any time, which the exclusive mode of SQLite would prevent. The lock is the
/// system's, so it ends with the process. An app whose file is in a container that it shares has to close the store
/// before it is suspended, because the system ends apps that hold locks there.
struct DatabaseFile: Sendable {
    /// The path without symbolic links, so that two names of a file have one lock.
    let path: String

    /// - Throws: ``StoreError`` with the reason `unavailable` if the URL is not that of a file.
    init(_ file: URL) throws(StoreError) {
        guard file.isFileURL, !file.path.isEmpty else {
            throw .database(.unavailable, "the URL is not that of a file", path: nil)
        }
        path = file.resolvingSymlinksInPath().path
    }

    #if os(Windows)
        /// The lock of the owner.
        typealias Ownership = Never

        func own() throws(StoreError) -> Ownership {
            throw .database(.unavailable, "files cannot be locked on this platform", path: path)
        }

        func createNew() throws(StoreError) { _ = try own() }
    #else
        /// The lock of the owner, which ends with the value.
        typealias Ownership = WritableFile

        /// Locks the file, and creates it and its folder if they are missing, for this user alone.
        ///
        /// - Throws: ``StoreError`` with the reason `busy` if another owner has it.
        func own() throws(StoreError) -> Ownership {
            do throws(FileSystemError) {
                try createFolder()
                try create(path + ".lock")
                let lock = try WritableFile(path: path + ".lock")
                // SQLite gives its further files the permissions of this one.
                try create(path)
                return lock
            } catch {
                throw Self.failure(error, path: path)
            }
        }

        private func createFolder() throws(FileSystemError) {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            var missing: [String] = []
            var next = folder
            while !WritableFile.isFolder(next), next.utf8.count > 1 {
                missing.append(next)
                next = URL(fileURLWithPath: next).deletingLastPathComponent().path
            }
            for each in missing.reversed() where mkdir(each, 0o700) != 0 && errno != EEXIST {
                throw .system(code: errno)
            }
            // A folder is there after a power cut if the one around it is on the disk; SQLite does it for its files.
            for each in missing { try Self.synchronize(URL(fileURLWithPath: each).deletingLastPathComponent().path) }
        }

        /// Creates the file, which only this user can read.
        ///
        /// - Throws: ``StoreError`` with the reason `unavailable` if there is a file.
        func createNew() throws(StoreError) {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor < 0 else {
                close(descriptor)
                return
            }
            if errno == EEXIST {
                throw .database(.unavailable, "there is a file of that name; choose another one", path: path)
            }
            throw Self.failure(.system(code: errno), path: path)
        }

        /// Creates a file unless there is one.
        ///
        /// One that exists is not opened: closing it would end the locks that SQLite has on it in this process.
        private func create(_ path: String) throws(FileSystemError) {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 {
                close(descriptor)
            } else if errno != EEXIST {
                throw .system(code: errno)
            }
        }

        private static func synchronize(_ folder: String) throws(FileSystemError) {
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            // A folder that may be written and not read cannot be opened, and some file systems do not do it.
            guard descriptor >= 0 else { return }
            _ = fsync(descriptor)
            close(descriptor)
        }

        private static func failure(_ error: FileSystemError, path: String) -> StoreError {
            guard case .system(let code) = error else {
                return .database(.unavailable, "the path leads to no file", path: path)
            }
            let text = String(cString: strerror(code))
            return switch code {
            case EWOULDBLOCK: .database(.busy, "another store has the file open for writing", path: path)
            case EROFS: .database(.readOnly, text, path: path)
            case ENOSPC, EDQUOT: .database(.full, text, path: path)
            default: .database(.unavailable, text, path: path)
            }
        }
    #endif
}
