/// The transfer of a case of the suite `streams`.
enum StreamTask: String, CaseIterable, Sendable {
    case multipart
    case download
    case list
    case numbers
    case pairs
    case events

    /// The name of the case.
    var name: String {
        switch self {
        case .numbers: "list of numbers"
        case .pairs: "list of pairs"
        default: rawValue
        }
    }

    /// The programs that do the transfer, the first of which is the one that the others are compared with.
    var clients: [StreamClient] {
        switch self {
        case .multipart, .download: [.waybill, .curl, .copy]
        case .list, .numbers, .pairs, .events: [.waybill, .wholeBody, .curl]
        }
    }
}

/// The program that does a transfer.
enum StreamClient: String, Sendable {
    case waybill
    /// The program `curl`.
    case curl
    /// A copy of the file by `read` and `write`.
    case copy
    /// A body in memory that is decoded as a whole, without a transfer.
    case wholeBody = "whole"
}
