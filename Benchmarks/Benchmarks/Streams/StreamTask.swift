/// A transfer measured by the `streams` suite.
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

    /// The clients that perform the transfer; the first is the reference for the others.
    var clients: [StreamClient] {
        switch self {
        case .multipart, .download: [.waybill, .curl, .copy]
        case .list, .numbers, .pairs, .events: [.waybill, .wholeBody, .curl]
        }
    }
}

/// A client that performs a transfer.
enum StreamClient: String, Sendable {
    case waybill
    /// The `curl` program.
    case curl
    /// A copy of the file with `read` and `write`.
    case copy
    /// The decoding of a whole in-memory body, without a transfer.
    case wholeBody = "whole"
}

/// The transfer sizes of the `streams` suite.
struct StreamSize: Sendable {
    /// The size of the multipart upload and of the download, in millions of bytes; 2,000 by default.
    let megabytes: Int

    /// The size of the uploaded file and of the downloaded one, in bytes: a multiple of 1 MiB.
    var fileLength: Int { max(1, megabytes * 1_000_000 / StreamBody.blockLength) * StreamBody.blockLength }

    /// The approximate size of a list, in bytes: half as large.
    var listLength: Int { megabytes * 500_000 }

    /// The number of events: 1,000,000 by default.
    var events: Int { megabytes * 500 }

    /// The maximum size of a body decoded as a whole, in bytes; decoding needs a multiple of this memory.
    static let longestWholeBody = 100_000_000
}
