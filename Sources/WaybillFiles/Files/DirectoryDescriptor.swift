import WaybillSystem

/// An open directory, owned by the process's user and not writable by others.
///
/// Files are accessed relative to the directory. Symbolic links are not followed, and only regular files that the user
/// owns and others cannot write are read.
package final class DirectoryDescriptor: Sendable {
    /// The size in bytes and the modification time of a regular file.
    package struct File {
        package let bytes: Int
        /// The modification time since 1970.
        package let modified: (seconds: Int, nanoseconds: Int)
    }

    private let number: Int32

    /// Opens a directory, creating it with mode 0700 if it is missing.
    package init(_ url: URL) throws(DirectoryError) {
        let path = url.path
        var status = stat()
        if lstat(path, &status) != 0 { try Self.create(url) }
        // `O_NOFOLLOW` is needed because another process may create a link between the two calls.
        number = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else {
            let code = errno
            let isThere = lstat(path, &status) == 0
            if isThere, status.st_mode & S_IFMT == S_IFLNK { throw DirectoryError(url, .symbolicLink) }
            throw DirectoryError(url, code == ENOTDIR ? .notDirectory : .fileSystem(code: code))
        }
        // All properties are initialized, so `deinit` closes the directory even if this throws.
        if let reason = Self.rejection(of: number) { throw DirectoryError(url, reason) }
    }

    deinit {
        if number >= 0 { close(number) }
    }

    /// Returns the size and modification time of a regular file that the user owns and others cannot write; nil for any
    /// other file.
    package func file(_ name: String) -> File? {
        var status = stat()
        guard fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return Self.file(status)
    }

    /// Whether an entry of any type exists under a name.
    package func exists(_ name: String) -> Bool {
        var status = stat()
        return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Returns the content of a file; nil if ``file(_:)`` returns nil, or if the file is unreadable or exceeds a limit,
    /// in bytes.
    package func read(_ name: String, upTo limit: Int) -> Data? {
        // The type is checked before the file is opened, because opening a FIFO or a device can have side effects.
        guard file(name) != nil else { return nil }
        let file = openat(number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, let count = Self.file(status)?.bytes, count <= limit else { return nil }
        var bytes = Data(count: count)
        var end = 0
        while end < count {
            let start = end
            let read = bytes.withUnsafeMutableBytes { memory in
                Self.read(file, UnsafeMutableRawBufferPointer(rebasing: memory[start...]))
            }
            guard let read else { return nil }
            guard read > 0 else { return bytes.prefix(end) }
            end += read
        }
        return bytes
    }

    /// Writes a file with mode 0600 under a temporary name, then renames it, so readers never see a partial file.
    ///
    /// - Parameters:
    ///   - data: the bytes to write.
    ///   - name: the final name.
    ///   - unfinished: the temporary name, which must not exist.
    /// - Returns: the `errno` of a failure; nil on success.
    package func write(_ data: Data, as name: String, unfinished: String) -> Int32? {
        let file = openat(number, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return errno }
        var failure = data.withUnsafeBytes { Self.write($0, to: file) }
        if close(file) != 0, failure == nil { failure = errno }
        if failure == nil, renameat(number, unfinished, number, name) != 0 { failure = errno }
        if failure != nil { remove(unfinished) }
        return failure
    }

    /// Sets the access and modification times of a file to the current time.
    package func touch(_ name: String) { _ = utimensat(number, name, nil, AT_SYMLINK_NOFOLLOW) }

    /// Removes a file or a link, but not the link's target; returns whether it succeeded.
    @discardableResult
    package func remove(_ name: String) -> Bool { unlinkat(number, name, 0) == 0 }

    private static func create(_ url: URL) throws(DirectoryError) {
        let parent = url.deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: parent,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        guard mkdir(url.path, 0o700) != 0, errno != EEXIST else { return }
        throw DirectoryError(url, errno == ENOTDIR ? .notDirectory : .fileSystem(code: errno))
    }

    /// Returns the reason to reject a directory; nil if it is safe.
    private static func rejection(of directory: Int32) -> DirectoryError.Reason? {
        var status = stat()
        guard fstat(directory, &status) == 0 else { return .fileSystem(code: errno) }
        guard status.st_uid == geteuid() else { return .otherOwner(Int(status.st_uid)) }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            return .writableByOthers(mode: Int(status.st_mode & 0o7777))
        }
        return nil
    }

    private static func file(_ status: stat) -> File? {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & (S_IWGRP | S_IWOTH) == 0
        else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return File(bytes: Int(status.st_size), modified: (Int(time.tv_sec), Int(time.tv_nsec)))
    }

    /// Reads bytes and returns their number, 0 at the end of the file; nil on failure.
    private static func read(_ file: Int32, _ memory: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let count = WaybillSystem.read(file, memory.baseAddress, memory.count)
            if count >= 0 { return count }
            guard errno == EINTR else { return nil }
        }
    }

    /// Writes all bytes; returns the `errno` of a failure, nil on success.
    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let memory = UnsafeRawBufferPointer(rebasing: rest)
            let count = WaybillSystem.write(file, memory.baseAddress, memory.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
