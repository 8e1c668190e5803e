import WaybillSystem

/// An error for a file that cannot be sent.
///
/// Its description is a single line, whereas Foundation's file errors print dictionaries.
package struct FileError: Error, CustomStringConvertible {
    enum Reason {
        case missing
        case notPermitted
        case notRegular
        case changed
        case other(String)
    }

    package let name: String
    let reason: Reason

    /// Whether the file has changed since the body was created from it.
    package var isChange: Bool { if case .changed = reason { true } else { false } }

    init(name: String, reason: Reason) {
        self.name = name
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
        self.init(name: file.path, reason: reason)
    }

    /// The path and the cause, in one line.
    package var description: String {
        switch reason {
        case .missing: "there is no file \(name)"
        case .notPermitted: "the process is not permitted to read \(name)"
        case .changed: "\(name) has changed since the request was made; make the request again"
        case .notRegular: "\(name) is not a regular file"
        case .other(let text): "\(name) cannot be read: \(text)"
        }
    }
}
