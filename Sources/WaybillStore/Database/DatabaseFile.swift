import WaybillSystem

/// The file of a database, which only one writer can lock.
///
/// The writer locks a second file, `NAME.lock`. A store keeps state in memory that is valid only if there are no other
/// writers. Other processes can read at any time, which SQLite's exclusive locking mode would prevent. The system
/// releases the lock when the process ends. It also terminates suspended apps that hold locks in shared containers, so
/// an app with a store there must close it before it is suspended.
struct DatabaseFile: Sendable {
    /// The path with symbolic links resolved, so that all names of a file share a lock.
    let path: String

    /// Creates a reference to a file.
    ///
    /// - Parameter file: the URL of the file.
    /// - Throws: ``StoreError`` with the reason `unavailable` if the URL is not a file URL.
    init(_ file: URL) throws(StoreError) {
        guard file.isFileURL, !file.path.isEmpty else {
            throw .database(.unavailable, "the URL is not that of a file", path: nil)
        }
        path = file.resolvingSymlinksInPath().path
    }

    #if os(Windows)
        /// The lock on the file.
        typealias Ownership = Never

        func own() throws(StoreError) -> Ownership {
            throw .database(.unavailable, "files cannot be locked on this platform", path: path)
        }

        func createNew() throws(StoreError) { _ = try own() }
    #else
        /// The lock on the file, held for the lifetime of this value.
        typealias Ownership = WritableFile

        /// Locks the file, creating it and its folder if they are missing, accessible only to this user.
        ///
        /// - Returns: the lock.
        /// - Throws: ``StoreError`` with the reason `busy` if another store holds the lock.
        func own() throws(StoreError) -> Ownership {
            do throws(FileSystemError) {
                try createFolder()
                try create(path + ".lock")
                let lock = try WritableFile(path: path + ".lock")
                // SQLite creates its journals with the permissions of this file.
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
            // A new folder survives a power failure only if its parent is synchronized. SQLite does this for its own
            // files.
            for each in missing { try Self.synchronize(URL(fileURLWithPath: each).deletingLastPathComponent().path) }
        }

        /// Creates the file, readable only by this user.
        ///
        /// - Throws: ``StoreError`` with the reason `unavailable` if the file exists.
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

        /// Creates a file unless it exists.
        ///
        /// An existing file is not opened, because closing it would release SQLite's locks on it in this process.
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
            // A folder without read permission cannot be opened, and some file systems do not support this.
            guard descriptor >= 0 else { return }
            _ = fsync(descriptor)
            close(descriptor)
        }

        private static func failure(_ error: FileSystemError, path: String) -> StoreError {
            guard case .system(let code) = error else {
                return .database(.unavailable, "the path is not that of a file", path: path)
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
