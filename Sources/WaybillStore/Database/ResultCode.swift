import WaybillSystem

/// An SQLite result code, whose low byte is the primary code.
///
/// https://www.sqlite.org/rescode.html
package struct ResultCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let ok = ResultCode(rawValue: 0)
    package static let error = ResultCode(rawValue: 1)
    package static let permission = ResultCode(rawValue: 3)
    package static let busy = ResultCode(rawValue: 5)
    package static let locked = ResultCode(rawValue: 6)
    package static let readOnly = ResultCode(rawValue: 8)
    package static let interrupted = ResultCode(rawValue: 9)
    package static let inputOutput = ResultCode(rawValue: 10)
    package static let corrupt = ResultCode(rawValue: 11)
    package static let full = ResultCode(rawValue: 13)
    package static let cannotOpen = ResultCode(rawValue: 14)
    package static let authorization = ResultCode(rawValue: 23)
    package static let notADatabase = ResultCode(rawValue: 26)
    package static let row = ResultCode(rawValue: 100)
    package static let done = ResultCode(rawValue: 101)
    /// The file system is corrupt.
    package static let corruptFileSystem = ResultCode(rawValue: 10 | 33 << 8)

    /// The primary code.
    package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

    /// Returns the failure reason for the code.
    ///
    /// - Parameter isOpening: whether the file is being opened. Files on a locked device cannot be read, so until the
    ///   first read succeeds, an I/O error means an unavailable file rather than a failing disk.
    /// - Returns: the reason.
    package func reason(isOpening: Bool) -> StoreError.DatabaseFailure.Reason {
        if self == .corruptFileSystem { return .corrupt }
        return switch primary {
        case .permission, .cannotOpen, .authorization: .unavailable
        case .busy, .locked: .busy
        case .readOnly: .readOnly
        case .interrupted: .interrupted
        case .inputOutput: isOpening ? .unavailable : .inputOutput
        case .corrupt: .corrupt
        case .full: .full
        case .notADatabase: .notADatabase
        default: .other
        }
    }
}

extension StoreError {
    /// Returns a database error without an SQLite code.
    package static func database(
        _ reason: DatabaseFailure.Reason,
        _ message: String,
        path: String?
    ) -> StoreError {
        .database(DatabaseFailure(reason, message, path: path))
    }
}
