import WaybillHTTP
import WaybillSystem

/// An error for a directory that a cache or a cookie jar cannot use, or cannot use safely.
///
/// Thrown by `HTTPCache.onDisk(at:maximumBytes:maximumEntryBytes:)` and
/// `CookieJar.onDisk(at:keepsSessionCookies:publicSuffixes:)`. They reject a directory that other users can write,
/// because those users could plant forged responses or cookies.
public struct DirectoryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason for rejecting a directory.
    public enum Reason: Sendable, Hashable {
        /// The path is a symbolic link.
        case symbolicLink
        /// The path or one of its parents is not a directory.
        case notDirectory
        /// The directory is owned by another user, with this id.
        case otherOwner(Int)
        /// The directory is writable by its group or by all users, according to its mode.
        case writableByOthers(mode: Int)
        /// Creating, opening or writing the directory failed, with this `errno`.
        case fileSystem(code: Int32)
        /// A file with this name in the directory is damaged, has an unsupported version, or is not a regular file that
        /// only the user can write.
        case unreadableFile(String)
    }

    /// The directory.
    public let directory: URL

    /// The reason for rejecting the directory.
    public let reason: Reason

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - directory: the directory.
    ///   - reason: the reason for rejecting it.
    public init(_ directory: URL, _ reason: Reason) {
        self.directory = directory
        self.reason = reason
    }

    /// The path, the reason and a remedy.
    public var description: String { "the directory \(directory.path) \(explanation)" }

    private var explanation: String {
        switch reason {
        case .symbolicLink: "is a symbolic link; use its target instead"
        case .notDirectory: "is not a directory, or is not in one; use another path"
        case .otherOwner(let owner):
            "is owned by user \(owner), but the process runs as user \(geteuid()); use a directory owned by that user"
        case .writableByOthers(let mode):
            "is writable by other users (mode 0\(String(mode, radix: 8))); run chmod 700 on it, or use a path "
                + "that does not exist yet"
        case .fileSystem(let code): "cannot be used: \(String(cString: strerror(code))); use another path"
        case .unreadableFile(let name):
            "contains a file \(name) that is damaged, has an unsupported version, or is not a regular file that only "
                + "the user can write; remove it"
        }
    }
}

extension DirectoryError: LocalizedError {
    /// A short sentence for the user, without the path.
    public var errorDescription: String? { ErrorSentence.unusableCache.text }
}
