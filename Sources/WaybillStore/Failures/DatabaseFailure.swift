extension StoreError {
    /// A failure of a store's database.
    public struct DatabaseFailure: Error, Sendable, Hashable, CustomStringConvertible {
        /// A reason for a database failure that an app can act on.
        public enum Reason: Sendable, Hashable {
            /// SQLite is not installed; the message names the package to install.
            case missingLibrary
            /// The installed SQLite is too old; the message names its version and the oldest supported one.
            case oldLibrary
            /// The file cannot be opened: a permission or a folder is missing, or the device is locked.
            case unavailable
            /// The file is not a database, or belongs to another program. It was not changed.
            case notADatabase
            /// The file was written by a later version. It was not changed.
            case newerFormat
            /// The file is damaged.
            case corrupt
            /// The disk is full, or a quota is exhausted.
            case full
            /// The system could not read or write the file.
            case inputOutput
            /// Another store, in this process or another one, has the file open for writing, or another program has
            /// locked it.
            case busy
            /// The file, its folder or the store is read-only.
            case readOnly
            /// The task was cancelled before the result was read.
            case interrupted
            /// Another reason, described by SQLite's message.
            case other
        }

        /// The reason for the failure.
        public let reason: Reason
        /// The [extended result code](https://www.sqlite.org/rescode.html) of SQLite; 0 if SQLite did not cause the
        /// failure.
        public let code: Int32
        /// A description of the failure, without values from rows.
        public let message: String
        /// The path of the file; nil for a store in memory.
        public let path: String?

        package init(_ reason: Reason, code: Int32 = 0, _ message: String, path: String?) {
            self.reason = reason
            self.code = code
            self.message = message
            self.path = path
        }

        /// The message, with the path and SQLite's result code.
        public var description: String {
            let location = path.map { " (\($0))" } ?? ""
            return "the store's database: \(message)\(location)" + (code == 0 ? "" : ", SQLite result code \(code)")
        }
    }
}

extension StoreError {
    static func corrupt(_ message: String) -> StoreError {
        .database(.corrupt, message, path: nil)
    }
}
