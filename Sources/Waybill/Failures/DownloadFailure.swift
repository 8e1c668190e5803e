import WaybillSystem

extension APIError {
    /// A response that could not be saved to a file.
    ///
    /// An existing destination file is left unchanged. The received bytes are kept in an unfinished file in the same
    /// folder, from which the next download continues. They are discarded after a wrong digest or a change by another
    /// program.
    public struct DownloadFailure: CallFailure {
        /// A change made to an unfinished file by another program.
        public enum PartChange: String, Sendable, Hashable, CaseIterable {
            /// The file was removed or renamed.
            case removed
            /// The file was replaced by a different file.
            case replaced
            /// Bytes were appended to or removed from the file.
            case resized = "changed the length of"
            /// The file's bytes were overwritten.
            case overwritten
        }

        /// A reason that a response could not be saved.
        public enum Reason: Sendable, Hashable {
            /// The URL is not a file URL.
            case notFileURL
            /// The destination folder does not exist.
            case missingFolder
            /// The process is not permitted to write to the destination.
            case notPermitted
            /// The disk is full, or the user's quota is exhausted.
            case diskFull
            /// Another download is writing the same file.
            case inUse
            /// The destination is not a regular file, but a folder, a link or a device.
            case notRegular
            /// The path for the unfinished file or its record is occupied by a folder, a link or a device.
            case blocked(path: String)
            /// Another program changed the unfinished file.
            case partChanged(PartChange)
            /// The SHA-256 digest of the bytes differs from the one stated by the server. Both are Base64-encoded.
            case wrongDigest(stated: String, received: String)
            /// Any other file system error, with its `errno`.
            case fileSystem(code: Int32)
        }

        /// The call that failed.
        public package(set) var call: FailedCall

        /// The destination file.
        public let file: URL

        /// The reason that the response was not saved.
        public let reason: Reason

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - file: the destination file.
        ///   - reason: the reason that the response was not saved.
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
    /// Creates the reason for a file system error.
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

    /// The reason, and what to do about it.
    public var description: String {
        switch self {
        case .notFileURL: "it is not the URL of a file; create one with URL(filePath:)"
        case .missingFolder: "the folder does not exist; create it first"
        case .notPermitted: "the process is not permitted to write there; choose a folder of its own"
        case .diskFull: "the disk is full; free some space and download it again to continue the file"
        case .inUse: "another download writes the same file; wait for it, or choose another name"
        case .notRegular: "the path does not lead to a regular file; choose another name"
        case .blocked(let path): "\(path) exists and is not a regular file; remove it, or choose another name"
        case .partChanged(let change):
            "another program has \(change.rawValue) the unfinished file beside it; keep other programs away from it,"
                + " and download it again"
        case .wrongDigest(let stated, let received):
            "its SHA-256 digest is \(received), and the server states \(stated); download it again"
        case .fileSystem(let code): "\(String(cString: strerror(code))) (errno \(code))"
        }
    }
}
