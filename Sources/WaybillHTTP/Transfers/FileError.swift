import WaybillSystem

/// An error for a file that cannot be sent.
///
/// Its description is a single line, unlike those of Foundation's file errors, which contain dictionaries.
package struct FileError: Error, CustomStringConvertible {
    enum Reason {
        case missing
        case notPermitted
        case notRegular
        case changed
        case other(String)
    }

    package let path: String
    let reason: Reason

    /// Whether the file has changed since the body was created from it.
    package var isChange: Bool { if case .changed = reason { true } else { false } }

    init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// Creates an error from a file system error.
    init(_ error: FileSystemError, of file: URL) {
        let reason: Reason =
            switch error {
            case .notRegular: .notRegular
            case .system(ENOENT), .system(ENOTDIR): .missing
            case .system(EACCES), .system(EPERM), .system(EROFS): .notPermitted
            case .system(let code): .other(String(cString: strerror(code)))
            }
        self.init(path: file.path, reason: reason)
    }

    /// The path and the cause on one line.
    package var description: String {
        switch reason {
        case .missing: "there is no file \(path)"
        case .notPermitted: "the process is not permitted to read \(path)"
        case .changed: "\(path) has changed since the request was made; make the request again"
        case .notRegular: "\(path) is not a regular file"
        case .other(let text): "\(path) cannot be read: \(text)"
        }
    }
}
