import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Recorded content codings")
struct RecordedCodingTests {
    struct Login: Codable, Sendable {
        var user = "ann"
        var password = RecordedCodingTests.password
        var note = String(repeating: "a long note ", count: 200)
    }

    static let password = "pa55-word-of-ann-9Zq"
    static let url = URL(string: "https://shop.example")

    /// Returns a recorded request or response.
    private static func message(_ name: String, in folder: RecordingFolder, entry: Int = 0) throws -> JSONValue {
        let har = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: folder.file))
        return try #require(har["log"]?["entries"]?[entry]?[name])
    }

    enum Bodies: Sendable, CaseIterable {
        case value, lines, stream

        var body: Body {
            switch self {
            case .value: return Body(Login())
            case .lines: return Body(lines: [Login(), Login()])
            case .stream:
                let text = #"{"user":"ann","password":"\#(RecordedCodingTests.password)"}"#
                let chunks = AsyncStream { chunks in
                    for character in text { chunks.yield(Data("\(character)".utf8)) }
                    chunks.finish()
                }
                return Body(HTTPBody(chunks), contentType: "application/json")
            }
        }

        func endpoint(_ client: Client, _ coding: Compressed.Coding) -> Endpoint<Void> {
            client.endpoint {
                POST("logins")
                Compressed(coding, minimumBytes: 1)
                body
            }
        }
    }

    @Test(
        "A compressed body is recorded uncompressed and without secrets, and matches in a replay",
        arguments: Compressed.Coding.allCases,
        Bodies.allCases
    )
    func compressed(_ coding: Compressed.Coding, _ body: Bodies) async throws {
        let folder = RecordingFolder()
        let url = try #require(Self.url)
        let stub = StubTransport { request in .text(request.headerFields[.contentEncoding] ?? "none") }
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        let response = try await body.endpoint(Client(url, transport: recorded), coding).response()
        try recorded.finish()
        #expect(response.body == Data(coding.rawValue.utf8))

        let posted = try #require(try Self.message("request", in: folder)["postData"])
        let text = try #require(posted["text"]?.stringValue)
        #expect(posted["_encoding"] == nil)
        #expect(text.contains("ann"))
        #expect(text.contains("\"password\":\"‹redacted›\""), "\(text)")
        #expect(try !folder.text.contains(Self.password))

        let replayed = try RecordedTransport(folder.file, .replay)
        _ = try await body.endpoint(Client(url, transport: replayed), coding).send()
        try replayed.finish()
    }

    @Test("An undecodable request body is omitted, and the rest of the request is matched")
    func unreadableRequest() async throws {
        let folder = RecordingFolder()
        let url = try #require(Self.url)
        let bytes = Data([0xFE, 0x01, 0x80]) + Data(Self.password.utf8)
        func call(_ transport: some Transport, _ coding: String, _ bytes: Data) async throws {
            let endpoint: Endpoint<Void> = Client(url, transport: transport).endpoint {
                POST("logins")
                Header("Content-Encoding", coding)
                Body(bytes, contentType: "application/json")
            }
            try await endpoint.send()
        }
        let recorded = try RecordedTransport(folder.file, .record, over: StubTransport { _ in .status(204) })
        try await call(recorded, "aes128gcm", bytes)
        try await call(recorded, "gzip", bytes)
        try await call(recorded, "x-base64", Data(bytes.base64EncodedString().utf8))
        try recorded.finish()
        for entry in 0..<3 {
            let posted = try #require(try Self.message("request", in: folder, entry: entry)["postData"])
            #expect(posted["text"] == "")
            #expect(posted["comment"]?.stringValue?.contains("left out") == true)
        }
        let replayed = try RecordedTransport(folder.file, .replay)
        try await call(replayed, "aes128gcm", bytes + [1])
        try await call(replayed, "gzip", bytes)
        try await call(replayed, "x-base64", Data(bytes.base64EncodedString().utf8))
        try replayed.finish()
    }

    /// `{"password":"pa55-word-of-ann-9Zq"}` and `{"name":"Lamp"}` in gzip.
    private static let coded = [
        "H4sIAAAAAAACA6tWKkgsLi7PL0pRsgIyTU11QWzd/DTdxLw8XcuoQqVaAGyRv5ojAAAA",
        "H4sIAAAAAAACA6tWykvMTVWyUvJJzC1QqgUAonRG4A8AAAA=",
    ]

    @Test("A coded response is replayed unchanged unless it may hide a secret")
    func codedResponses() async throws {
        let folder = RecordingFolder()
        let url = try #require(Self.url)
        let bodies = try Self.coded.map { try #require(Data(base64Encoded: $0)) }
        let unknown = Data([0xFE, 0x01, 0x80])
        let stub = StubTransport([
            "GET secret": .response { _ in StubResponse.bytes(bodies[0]).header("Content-Encoding", "gzip") },
            "GET plain": .response { _ in StubResponse.bytes(bodies[1]).header("Content-Encoding", "gzip") },
            "GET unknown": .response { _ in StubResponse.bytes(unknown).header("Content-Encoding", "exi") },
            "GET labelled": .response { _ in
                .json(#"{"password":"\#(Self.password)"}"#).header("Content-Encoding", "br")
            },
        ])
        func get(_ path: String, _ transport: some Transport) async throws -> Data {
            let endpoint: Endpoint<Data> = Client(url, transport: transport).endpoint { GET("\(path)") }
            return try await endpoint.send()
        }
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        #expect(try await get("secret", recorded) == bodies[0])
        #expect(try await get("plain", recorded) == bodies[1])
        #expect(try await get("unknown", recorded) == unknown)
        #expect(try await get("labelled", recorded).count == 35)
        try recorded.finish()
        #expect(try !folder.text.contains(Self.password))
        #expect(try !folder.text.contains(Self.coded[0]))
        #expect(try !folder.text.contains(unknown.base64EncodedString()))

        let replayed = try RecordedTransport(folder.file, .replay)
        for (path, coding) in [("secret", "gzip"), ("unknown", "exi")] {
            let error = await #expect(throws: APIError.self) { try await get(path, replayed) }
            #expect("\(try #require(error))".contains("the content coding \(coding)"), "\(error as Any)")
        }
        #expect(try await get("plain", replayed) == bodies[1])
        #expect(String(decoding: try await get("labelled", replayed), as: UTF8.self) == #"{"password":"‹redacted›"}"#)
        try replayed.finish()
    }

    @Test(
        "Secrets in a body that is not UTF-8 or has binary parts are not recorded",
        arguments: ["utf-16", "utf-16le", "utf-32be", "iso-8859-1", "multipart"]
    )
    func encodings(_ name: String) async throws {
        let folder = RecordingFolder()
        let url = try #require(Self.url)
        let text = #"{"user":"René","password":"\#(Self.password)"}"#
        let body: Data? =
            switch name {
            case "utf-16": text.data(using: .utf16)
            case "utf-16le": text.data(using: .utf16LittleEndian)
            case "utf-32be": text.data(using: .utf32BigEndian)
            case "iso-8859-1": text.data(using: .isoLatin1)
            default:
                Data("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8) + [0xFF, 0]
                    + Data("\r\n--b\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n\(text)\r\n--b--\r\n".utf8)
            }
        let bytes = try #require(body)
        let stub = StubTransport { _ in StubResponse.bytes(bytes).header("Content-Type", "application/json") }
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        let endpoint: Endpoint<Data> = Client(url, transport: recorded).endpoint {
            POST("logins")
            Body(bytes, contentType: name == "multipart" ? "multipart/form-data; boundary=b" : "application/json")
        }
        #expect(try await endpoint.send() == bytes)
        try recorded.finish()
        for (message, member, key) in [("request", "postData", "_encoding"), ("response", "content", "encoding")] {
            let content = try #require(try Self.message(message, in: folder)[member])
            let shown = try #require(content["text"]?.stringValue)
            let kept = content[key] == nil ? Data(shown.utf8) : try #require(Data(base64Encoded: shown))
            #expect(kept.contains(Data("password".utf8)[0]))
            let letters = String(decoding: kept.filter { $0 != 0 }, as: UTF8.self)
            #expect(letters.contains("password") && !letters.contains(Self.password), "\(letters)")
        }
    }

    @Test(
        "A credential is removed from binary data, whatever its first bytes",
        arguments: [[0, 0xFF, 0xFE], [0xFF, 0xFE, 1], [1, 0, 0, 0], [0, 0, 0, 1], [0xD8, 0, 0, 0]] as [[UInt8]]
    )
    func binary(head: [UInt8]) async throws {
        let folder = RecordingFolder()
        let url = try #require(Self.url)
        let bytes = Data(head) + Data(Self.password.utf8) + Data([0, 0xFF])
        let recorded = try RecordedTransport(folder.file, .record, over: StubTransport { _ in .bytes(bytes) })
        let client = Client(url, transport: recorded) { Authorization(.bearer(Self.password)) }
        let endpoint: Endpoint<Data> = client.endpoint { GET("file") }
        #expect(try await endpoint.send() == bytes)
        try recorded.finish()
        let text = try #require(try Self.message("response", in: folder)["content"]?["text"]?.stringValue)
        let kept = Data(base64Encoded: text) ?? Data(text.utf8)
        #expect(!String(decoding: kept, as: UTF8.self).contains(Self.password))
        #expect(kept.starts(with: head))
    }
}
