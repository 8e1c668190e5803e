import WaybillHTTP
import WaybillSystem

/// An error for a directory that is unusable or unsafe for the files of a cache or a cookie jar.
///
/// It is thrown by `HTTPCache.onDisk(at:maximumBytes:maximumEntryBytes:)` and
/// `CookieJar.onDisk(at:keepsSessionCookies:publicSuffixes:)`. A user who can write to the directory could plant a
/// forged response or cookie.
public struct DirectoryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason that a directory is rejected.
    public enum Reason: Sendable, Hashable {
        /// The path is a symbolic link.
        case symbolicLink
        /// The path, or one of its parents, is not a directory.
        case notDirectory
        /// The directory is owned by another user, with this id.
        case otherOwner(Int)
        /// The directory's group or all users can write to it, according to its mode.
        case writableByOthers(mode: Int)
        /// The directory could not be created, opened or written, with this `errno`.
        case fileSystem(code: Int32)
        /// A file with this name in the directory is damaged, has an unsupported version, or is not a regular file that
        /// only the user can write.
        case unreadableFile(String)
    }

    /// The directory.
    public let directory: URL

    /// The reason that the directory is rejected.
    public let reason: Reason

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - directory: the directory.
    ///   - reason: the reason that it is rejected.
    public init(_ directory: URL, _ reason: Reason) {
        self.directory = directory
        self.reason = reason
    }

    /// The path, the reason and how to resolve it.
    public var description: String { "the directory \(directory.path) \(explanation)" }

    private var explanation: String {
        switch reason {
        case .symbolicLink: "is a symbolic link; give the directory that it leads to"
        case .notDirectory: "is not a directory, or is not in one; give another path"
        case .otherOwner(let owner):
            "belongs to the user \(owner), and the process runs as \(geteuid()); give a directory of that user's own"
        case .writableByOthers(let mode):
            "can be written by others (mode 0\(String(mode, radix: 8))); run chmod 700 on it, or give a path "
                + "that does not exist yet"
        case .fileSystem(let code): "cannot be used: \(String(cString: strerror(code))); give another path"
        case .unreadableFile(let name):
            "has a file \(name) that is damaged, of another version, or not a regular file that only the user can write;"
                + " remove it"
        }
    }
}

extension DirectoryError: LocalizedError {
    /// A short sentence for the user, without the path.
    public var errorDescription: String? { ErrorSentence.unusableCache.text }
}
