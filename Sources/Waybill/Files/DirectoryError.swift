import WaybillSystem

/// An error of a directory that cannot hold the files of a cache or of a jar of cookies, or must not.
///
/// ``HTTPCache/onDisk(at:bytes:entryBytes:)`` and ``CookieJar/onDisk(at:keepsSessionCookies:publicSuffixes:)`` throw
/// it. A user who can write in the directory could have a client take a forged response or cookie for a server's.
public struct DirectoryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reasons for which a directory is rejected.
    public enum Reason: Sendable, Hashable {
        /// The path is a symbolic link.
        case symbolicLink
        /// The path, or one above it, is something other than a directory.
        case notDirectory
        /// The directory belongs to the user with this id, who does not run the process.
        case otherOwner(Int)
        /// The directory's mode lets its group or all users write in it.
        case writableByOthers(mode: Int)
        /// The file system does not let the directory be created, opened or written, with this `errno`.
        case fileSystem(code: Int32)
        /// This file in it is damaged, of another version, or no file of the user's alone.
        case unreadableFile(String)
    }

    /// The directory.
    public let directory: URL

    /// The reason for which it is rejected.
    public let reason: Reason

    /// Creates an error.
    public init(_ directory: URL, _ reason: Reason) {
        self.directory = directory
        self.reason = reason
    }

    /// The path, the reason, and the way out.
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
            "has a file \(name) that is damaged, of another version, or no file of the user's alone; remove the file"
        }
    }
}

extension DirectoryError: LocalizedError {
    /// A short sentence for a person, without the path.
    public var errorDescription: String? { ErrorSentence.unusableCache.text }
}
