import WaybillSystem

/// A database file, which only one writer at a time can lock.
///
/// The writer locks a second file, `NAME.lock`, because a store keeps state in memory that is valid only if there are
/// no other writers. Other processes can read at any time, which SQLite's exclusive locking mode would prevent. The
/// system releases the lock when the process ends. Apple platforms terminate a suspended app that holds a lock in a
/// shared container, so an app with a store there must close it before being suspended.
struct DatabaseFile: Sendable {
    /// The path with symbolic links resolved, so that all paths to a file share a lock.
    let path: String

    /// Creates a reference to a file.
    ///
    /// - Parameter file: the URL of the file.
    /// - Throws: ``StoreError`` with the reason `unavailable` if the URL is not a file URL.
    init(_ file: URL) throws(StoreError) {
        guard file.isFileURL, !file.path.isEmpty else {
            throw .database(.unavailable, "the URL is not a file URL; create it with URL(fileURLWithPath:)", path: nil)
        }
        path = file.resolvingSymlinksInPath().path
    }

    #if os(Windows)
        /// The lock on the file.
        typealias FileLock = Never

        func lock() throws(StoreError) -> FileLock {
            throw .database(.unavailable, "files cannot be locked on this platform", path: path)
        }

        func createNew() throws(StoreError) { _ = try lock() }
    #else
        /// The lock on the file, held for the lifetime of this value.
        typealias FileLock = WritableFile

        /// Locks the file, creating it and its folders if necessary, accessible only to this user.
        ///
        /// - Returns: the lock.
        /// - Throws: ``StoreError`` with the reason `busy` if another store holds the lock.
        func lock() throws(StoreError) -> FileLock {
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

        /// Creates the file, accessible only to this user.
        ///
        /// - Throws: ``StoreError`` with the reason `unavailable` if the file exists.
        func createNew() throws(StoreError) {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor < 0 else {
                close(descriptor)
                return
            }
            if errno == EEXIST {
                throw .database(.unavailable, "the file already exists; choose a different name", path: path)
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
            // Ignore failures: a folder without read permission cannot be opened, and some file systems do not support
            // this.
            guard descriptor >= 0 else { return }
            _ = fsync(descriptor)
            close(descriptor)
        }

        private static func failure(_ error: FileSystemError, path: String) -> StoreError {
            guard case .system(let code) = error else {
                let text = "the lock file \(path).lock is not a regular file; remove it"
                return .database(.unavailable, text, path: path)
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
