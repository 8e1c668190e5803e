import Foundation
import TestSupport
import Waybill
import WaybillTesting

/// A file on a server that supports range requests (RFC 9110, section 14).
struct ServedFile: Sendable {
    // Made once: for each test, it would take a tenth of a second.
    private static let sample = Data.sample(count: 3_000_000)

    var bytes = ServedFile.sample
    var eTag: String? = #""v1""#
    var fields: [(String, String)] = []
    /// Whether the server supports range requests.
    var knowsRanges = true

    /// Returns the response as the RFC specifies it.
    func response(to request: ReceivedRequest) -> StubResponse {
        var response = StubResponse.bytes(bytes)
        if knowsRanges, let range = request.headerFields[.range] {
            let offset = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
            let condition = request.headerFields[.ifRange]
            if condition == nil || condition == eTag || fields.contains(where: { $0.1 == condition }) {
                response =
                    offset < bytes.count
                    ? part(offset..<bytes.count)
                    : .status(416).header("Content-Range", "bytes */\(bytes.count)")
            }
        }
        return described(response)
    }

    /// Returns a 206 response with a range of the file.
    func part(_ range: Range<Int>, complete: String? = nil) -> StubResponse {
        .bytes(bytes[range], status: 206).header(
            "Content-Range",
            "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(complete ?? "\(bytes.count)")"
        )
    }

    /// Returns a response with the file's header fields.
    func described(_ response: StubResponse) -> StubResponse {
        var response = response
        if let eTag { response = response.header("ETag", eTag) }
        for (name, value) in fields { response = response.header(name, value) }
        return response
    }
}

extension ServedFile {
    /// Returns responses that depend on the number of the request, starting at 1.
    static func responses(
        _ respond: @escaping @Sendable (ReceivedRequest, _ number: Int) -> StubResponse
    ) -> StubResponses {
        let count = Locked(0)
        return [
            "GET files/{}": .response { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return respond(request, number)
            }
        ]
    }

    /// Returns responses with this file, modified depending on the number of the request.
    func responses(
        changing change: @escaping @Sendable (StubResponse, _ number: Int) -> StubResponse
    ) -> StubResponses {
        Self.responses { change(response(to: $0), $1) }
    }
}

/// An API with numbered files.
struct FileAPI: API {
    let client: Client

    func file(_ number: Int = 1) -> Endpoint<Data> { endpoint { GET("files/\(number)") } }
}

/// A folder for downloads.
struct DownloadFolder {
    let directory = TemporaryDirectory()

    init() throws { try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true) }

    var file: URL { directory.url.appendingPathComponent("export.zip") }

    var part: URL { directory.url.appendingPathComponent("export.zip.part") }

    var record: URL { directory.url.appendingPathComponent("export.zip.part.json") }

    /// The names of all files in the folder, sorted.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() }
    }
}
