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
