import WaybillSystem

extension HTTPCache {
    /// An error of ``HTTPCache/onDisk(at:bytes:entryBytes:)``: the directory cannot hold a cache, or must not.
    ///
    /// A user who can write in the directory could have a client take a forged response for a server's.
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
        public var description: String { "the cache directory \(directory.path) \(explanation)" }

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
            }
        }
    }
}

extension HTTPCache.DirectoryError: LocalizedError {
    /// A short sentence for a person, without the path.
    public var errorDescription: String? { ErrorSentence.unusableCache.text }
}
