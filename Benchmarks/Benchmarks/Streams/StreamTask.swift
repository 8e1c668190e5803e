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

/// The sizes of the transfers of the suite `streams`.
struct StreamSize: Sendable {
    /// The size of the multipart upload and of the download in millions of bytes: 2,000 unless the command line has
    /// another one.
    let megabytes: Int

    /// The number of bytes of the uploaded file and of the downloaded one: full blocks of 1 MiB.
    var fileLength: Int { max(1, megabytes * 1_000_000 / StreamBody.blockLength) * StreamBody.blockLength }

    /// The approximate number of bytes of a list: half as many.
    var listLength: Int { megabytes * 500_000 }

    /// The number of events: 1,000,000 by default.
    var events: Int { megabytes * 500 }

    /// The most bytes of a body that is decoded as a whole, which would need a multiple of them in memory.
    static let longestWholeBody = 100_000_000
}
