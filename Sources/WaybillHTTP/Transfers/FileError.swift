#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import WaybillSystem

/// An error of a file that cannot be sent, with a one-line text: the file system's own errors print dictionaries.
struct FileError: Error, CustomStringConvertible {
    enum Reason {
        case missing
        case notPermitted
        case notRegular
        case other(String)
    }

    let name: String
    let reason: Reason

    init(name: String, reason: Reason) {
        self.name = name
        self.reason = reason
    }

    /// Creates an error from the file system's.
    init(_ error: ReadableFile.Failure, of file: URL) {
        let reason: Reason =
            switch error {
            case .notRegular: .notRegular
            case .system(ENOENT), .system(ENOTDIR): .missing
            case .system(EACCES), .system(EPERM), .system(EROFS): .notPermitted
            case .system(let code): .other(String(cString: strerror(code)))
            }
        self.init(name: file.path, reason: reason)
    }

    var description: String {
        switch reason {
        case .missing: "there is no file \(name)"
        case .notPermitted: "the process is not permitted to read \(name)"
        case .notRegular: "\(name) is no regular file"
        case .other(let text): "\(name) cannot be read: \(text)"
        }
    }
}
