import WaybillSystem

extension APIError {
    /// A response that could not be saved in a file.
    ///
    /// The file, if it existed, is unchanged. Except after a wrong digest and a change by another program, the received
    /// bytes stay beside it, for the next download to continue.
    public struct DownloadFailure: CallFailure {
        /// The changes of an unfinished file by another program.
        public enum PartChange: String, Sendable, Hashable, CaseIterable {
            /// It has been removed, or renamed.
            case removed
            /// Another file has its name.
            case replaced
            /// Bytes have been appended or removed.
            case resized = "changed the length of"
            /// Its bytes have been overwritten.
            case overwritten
        }

        /// The reasons for which a response cannot be saved.
        public enum Reason: Sendable, Hashable {
            /// The URL is not the URL of a file.
            case notFileURL
            /// The folder does not exist.
            case missingFolder
            /// The process may not write there.
            case notPermitted
            /// The disk is full, or the user's share of it.
            case diskFull
            /// Another download is writing the same file.
            case inUse
            /// There is a folder, a link or a device in the place of the file.
            case notRegular
            /// There is a folder, a link or a device in the place of the unfinished file or of its record.
            case blocked(path: String)
            /// Another program has changed the unfinished file.
            case partChanged(PartChange)
            /// The bytes do not have the SHA-256 digest that the server states; both are in Base64.
            case wrongDigest(stated: String, received: String)
            /// Any other error of the file system; the value is its `errno`.
            case fileSystem(code: Int32)
        }

        /// The call that failed.
        public internal(set) var call: FailedCall

        /// The file in which the response should have been saved.
        public let file: URL

        /// The reason for which the response was not saved.
        public let reason: Reason

        /// Creates a failure, for tests of what handles it.
        public init(call: FailedCall, file: URL, reason: Reason) {
            self.call = call
            self.file = file
            self.reason = reason
        }

        var apiError: APIError { .download(self) }

        var outcome: String {
            let place = call.redacted(file.isFileURL ? file.path : "\(file)")
            return "was not saved in \(place): \(call.redacted("\(reason)"))"
        }

        var properties: [Mirror.Child] { [("file", call.redacted(file.path)), ("reason", reason)] }
        var brief: String { "a file that was not saved" }
        var sentence: ErrorSentence { .notSaved }
    }
}

extension APIError.DownloadFailure.Reason: CustomStringConvertible {
    /// Creates the reason for an error of the file system.
    package init(_ failure: FileSystemError) {
        self =
            switch failure {
            case .notRegular, .system(EISDIR), .system(ELOOP): .notRegular
            case .system(ENOENT), .system(ENOTDIR): .missingFolder
            case .system(EACCES), .system(EPERM), .system(EROFS): .notPermitted
            case .system(ENOSPC), .system(EDQUOT): .diskFull
            case .system(EWOULDBLOCK): .inUse
            case .system(let code): .fileSystem(code: code)
            }
    }

    /// The reason and the advice.
    public var description: String {
        switch self {
        case .notFileURL: "it is not the URL of a file; create one with URL(filePath:)"
        case .missingFolder: "the folder does not exist; create it first"
        case .notPermitted: "the process is not permitted to write there; choose a folder of its own"
        case .diskFull: "the disk is full; free some space and download it again, which continues the file"
        case .inUse: "another download writes the same file; wait for it, or choose another name"
        case .notRegular: "there is no regular file in this place; choose another name"
        case .blocked(let path): "\(path) is in the way, which is no regular file; remove it, or choose another name"
        case .partChanged(let change):
            "another program has \(change.rawValue) the unfinished file beside it; keep other programs away from it,"
                + " and download it again"
        case .wrongDigest(let stated, let received):
            "its SHA-256 digest is \(received), and the server states \(stated); download it again"
        case .fileSystem(let code): "\(String(cString: strerror(code))) (errno \(code))"
        }
    }
}
