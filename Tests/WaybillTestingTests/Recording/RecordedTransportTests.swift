import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillURLSession

@Suite("Recorded transports", .inTurn)
struct RecordedTransportTests {
    private typealias Shop = RecordingShop
    private let url = URL(string: "https://shop.example/v1") ?? URL(fileURLWithPath: "/")

    /// Records the calls of a closure against a stub and returns the folder of the file.
    private func record(
        _ responses: StubResponses = RecordingShop.responses,
        token: String = "first-secret-token",
        _ calls: (RecordingShop) async throws -> Void
    ) async throws -> RecordingFolder {
        let folder = RecordingFolder()
        let recorded = try RecordedTransport(folder.file, .record, over: StubTransport(responses))
        try await calls(Shop(url, transport: recorded, token: token))
        try recorded.finish()
        return folder
    }

    private func replay(_ folder: RecordingFolder, varying variations: [RecordedTransport.Variation] = []) throws
        -> RecordedTransport
    {
        // A request sent to this empty stub would fail.
        try RecordedTransport(folder.file, .replay, over: StubTransport([:]), varying: variations)
    }

    @Test("A replay returns the values of the recorded calls, with both transports", arguments: [false, true])
    func bothTransports(isURLSession: Bool) async throws {
        let folder = RecordingFolder()
        let server = try LoopbackServer(Shop.responses)
        let recorded =
            isURLSession
            ? try RecordedTransport(folder.file, .record, over: URLSessionTransport())
            : try RecordedTransport(folder.file, .record)
        let shop = Shop(server.url, transport: recorded)
        let product = try await shop.products.read(7)
        let created = try await shop.products.create(Shop.Product(id: 8, name: "Rug"))
        try recorded.finish()
        server.stop()

        let replayed = try RecordedTransport(folder.file)
        let again = Shop(server.url, transport: replayed)
        #expect(try await again.products.read(7) == product)
        #expect(try await again.products.create(Shop.Product(id: 8, name: "Rug")) == created)
        try replayed.finish()
    }

    @Test(
        "A request that differs from the recorded one fails with the different part and its variation",
        arguments: Self.differences
    )
    func difference(_ row: Difference) async throws {
        func call(_ transport: some Transport, _ body: String, _ type: String, _ query: String) async throws {
            let endpoint: Endpoint<Void> = Client(url, transport: transport).endpoint {
                POST("orders")
                Query("q", query)
                Body(Data(body.utf8), contentType: type)
            }
            try await endpoint.send()
        }
        let folder = RecordingFolder()
        let recorded = try RecordedTransport(folder.file, .record, over: StubTransport { _ in .status(204) })
        try await call(recorded, row.recorded, row.type, "1")
        try recorded.finish()
        let error = await #expect(throws: APIError.self) {
            try await call(try replay(folder), row.sent, row.type, row.query)
        }
        let text = "\(try #require(error))"
        let advice = "\(row.text); if it differs in every run, declare varying: [\(row.variations)]"
        #expect(text.contains(": \(advice)"), "\(text)")
        // The advice works.
        try await call(try replay(folder, varying: row.declared), row.sent, row.type, row.query)
    }

    struct Difference: Sendable {
        var type = "application/json"
        var recorded: String
        var sent: String
        var query = "1"
        var text: String
        var variations: String
        var declared: [RecordedTransport.Variation]
    }

    private static let differences = [
        Difference(
            recorded: #"{"id": "a", "n": 1}"#,
            sent: #"{"n": 1, "id": "b"}"#,
            text: "the body differs at id",
            variations: #".bodyMember("id")"#,
            declared: [.bodyMember("id")]
        ),
        Difference(
            recorded: #"{"items": [{"id": 1, "at": 1}, {"id": 2, "at": 2}], "password": "abcd"}"#,
            sent: #"{"items": [{"id": 1, "at": 7}, {"id": 3}], "password": "another one"}"#,
            text: "the body differs at items[0].at, the body differs at items[1].at, the body differs at items[1].id",
            variations: #".bodyMember("at"), .bodyMember("id")"#,
            declared: [.bodyMember("at"), .bodyMember("id")]
        ),
        Difference(
            recorded: #"{"tags": ["a"]}"#,
            sent: #"{"tags": ["a", "b"]}"#,
            text: "the body differs at tags",
            variations: #".bodyMember("tags")"#,
            declared: [.bodyMember("tags")]
        ),
        Difference(
            type: "application/x-ndjson",
            recorded: "{\"id\": 1}\n{\"id\": 2}\n",
            sent: "{\"id\": 1}\n{\"id\": 3}\n",
            text: "the body differs at [1].id",
            variations: #".bodyMember("id")"#,
            declared: [.bodyMember("id")]
        ),
        Difference(
            type: "application/x-www-form-urlencoded",
            recorded: "a=1&b=2",
            sent: "a=1&b=3",
            text: "the body differs at b",
            variations: #".bodyMember("b")"#,
            declared: [.bodyMember("b")]
        ),
        Difference(
            type: "text/plain",
            recorded: "a",
            sent: "b",
            text: "the body differs",
            variations: ".body",
            declared: [.body]
        ),
        Difference(
            recorded: "",
            sent: "{}",
            text: "the body differs: the recorded request has none",
            variations: ".body",
            declared: [.body]
        ),
        Difference(
            recorded: "1",
            sent: "1",
            query: "2",
            text: #"the query item "q" differs"#,
            variations: #".queryItem("q")"#,
            declared: [.queryItem("q")]
        ),
    ]

    @Test(
        "A long recording is written each time it doubles, and its rest at the end",
        arguments: [false, true]
    )
    func longRecording(isFinished: Bool) async throws {
        let folder = RecordingFolder()
        let page = String(repeating: "a", count: 100_000)
        func count() throws -> Int { try folder.text.components(separatedBy: "startedDateTime").count - 1 }
        func record() async throws {
            let stub = StubTransport { _ in .json(#"{"page": "\#(page)"}"#) }
            let recorded = try RecordedTransport(folder.file, .record, over: stub)
            let client = Client(url, transport: recorded)
            var counts: [Int] = []
            for number in 1...8 {
                let endpoint: Endpoint<Data> = client.endpoint { GET("pages/\(number)") }
                _ = try await endpoint.send()
                counts.append(try count())
            }
            #expect(counts == [1, 2, 2, 4, 4, 4, 4, 8])
            let endpoint: Endpoint<Data> = client.endpoint { GET("pages/9") }
            _ = try await endpoint.send()
            #expect(try count() == 8)
            if isFinished { try recorded.finish() }
        }
        try await record()
        #expect(try count() == 9)
    }

    @Test("A repeated request gets each recorded response once, in order")
    func order() async throws {
        let folder = try await record { shop in
            try await shop.products.delete(7)
            _ = try? await shop.products.delete(7)
        }
        let shop = Shop(url, transport: try replay(folder))
        try await shop.products.delete(7)
        var statuses: [HTTPResponse.Status?] = []
        for _ in 0..<2 {
            do { try await shop.products.delete(7) } catch {
                statuses.append((error as APIError).status)
            }
        }
        #expect(statuses == [404, nil])
    }

    @Test("A request without a recorded response is not sent and fails with similar requests and their lines")
    func noResponse() async throws {
        let folder = try await record { shop in _ = try await shop.products.read(7) }
        let recorded = try replay(folder)
        let request = HTTPRequest(method: .get, url: url.appendingPathComponent("products/8"))
        let error = await #expect(throws: TransportError.self) {
            try await recorded.send(request, options: TransferOptions(template: "products/{}"))
        }
        #expect(error?.kind == .unsupportedRequest)
        let cause = try #require(error?.underlying as? RecordedTransport.Failure)
        let recordedRequest =
            "GET https://shop.example/v1/products/7 (line 9): the path differs; "
            + "if it differs in every run, declare varying: [.pathValues]"
        #expect(
            cause.reason
                == .noResponse(request: "GET https://shop.example/v1/products/8", candidates: [recordedRequest])
        )
        #expect(cause.description.contains("recordMissing"))
    }

    @Test("Query items and JSON members match in any order")
    func orderOfParameters() async throws {
        let folder = try await record { shop in
            _ = try await shop.search([("q", "lamp"), ("page", "2")]).send()
        }
        let shop = Shop(url, transport: try replay(folder))
        #expect(try await shop.search([("page", "2"), ("q", "lamp")]).send().count == 1)

        for (other, isMatch) in [(#"{"b":[1,2],"a":1.0}"#, true), (#"{"a":1,"b":[2,1]}"#, false)] {
            let posted = try await record(["POST echo": .json("{}")]) { shop in
                _ = try await shop.echo(#"{"a":1,"b":[1,2]}"#).send()
            }
            let outcome = try? await Shop(url, transport: try replay(posted)).echo(other).send()
            #expect((outcome != nil) == isMatch, "\(other)")
        }
    }

    @Test("A recorded uppercase UUID matches the lowercase UUID of a request")
    func spellingOfUUIDs() async throws {
        struct Node: Codable, Sendable { let id: UUID }
        let upper = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let id = try #require(UUID(uuidString: upper))
        let folder = RecordingFolder()
        let responses: StubResponses = ["POST nodes/{}": .json("{}")]
        func send(
            _ path: Route.Path,
            _ query: String,
            _ body: some Encodable & Sendable,
            over transport: some Transport
        )
            async throws
        {
            try await Client(url, transport: transport).post(path, body: body) { Query("parent", query) }
        }
        let recorded = try RecordedTransport(folder.file, .record, over: StubTransport(responses))
        try await send("nodes/\(upper)", upper, ["id": upper], over: recorded)
        try recorded.finish()
        try await send("nodes/\(id)", upper.lowercased(), Node(id: id), over: try replay(folder))
    }

    @Test("A request matches if it differs from the recorded one only in declared variations")
    func variations() async throws {
        let folder = try await record { shop in
            _ = try await shop.products.read(7)
            _ = try await shop.products.update(Shop.Product(id: 7, name: "Lamp"))
        }
        let rows: [(variations: [RecordedTransport.Variation], isRead: Bool, isUpdated: Bool)] = [
            ([], false, false),
            ([.pathValues], true, false),
            ([.bodyMember("id")], false, false),
            ([.pathValues, .bodyMember("id")], true, true),
            ([.pathValues, .body], true, true),
        ]
        for row in rows {
            let shop = Shop(url, transport: try replay(folder, varying: row.variations))
            let read = try? await shop.products.read(9)
            #expect((read != nil) == row.isRead, "\(row)")
            let update = try? await shop.products.update(Shop.Product(id: 9, name: "Lamp"))
            #expect((update != nil) == row.isUpdated, "\(row)")
        }
    }

    @Test("Requests to another origin match only if the origin may vary")
    func origin() async throws {
        let folder = try await record { shop in _ = try await shop.products.read(7) }
        let other = try #require(URL(string: "http://127.0.0.1:8080/v1"))
        #expect((try? await Shop(other, transport: try replay(folder)).products.read(7)) == nil)
        #expect(try await Shop(other, transport: try replay(folder, varying: [.origin])).products.read(7).id == 7)
    }

    @Test("Recorded requests that are not replayed are reported with their lines")
    func unused() async throws {
        let folder = try await record { shop in
            _ = try await shop.products.read(7)
            _ = try await shop.products.read(8)
        }
        let recorded = try replay(folder)
        _ = try await Shop(url, transport: recorded).products.read(8)
        let unused = ["GET https://shop.example/v1/products/7 (line 9)"]
        #expect(recorded.unusedRequests == unused)
        let error = #expect(throws: RecordedTransport.Failure.self) { try recorded.finish() }
        #expect(error?.reason == .unusedRequests(unused))
    }

    @Test("If missing responses are recorded, only requests without a recorded response are sent")
    func missing() async throws {
        let folder = try await record { shop in _ = try await shop.products.read(7) }
        let stub = StubTransport(Shop.responses)
        let recorded = try RecordedTransport(folder.file, .recordMissing, over: stub)
        let shop = Shop(url, transport: recorded)
        _ = try await shop.products.read(7)
        _ = try await shop.products.read(8)
        try recorded.finish()
        #expect(stub.requests.map(\.pathValues) == [["8"]])

        let replayed = try replay(folder)
        let again = Shop(url, transport: replayed)
        #expect(try await [again.products.read(7).id, again.products.read(8).id] == [7, 8])
        try replayed.finish()
    }

    @Test("A live transport sends every request, and neither reads nor writes the file")
    func live() async throws {
        let folder = RecordingFolder()
        let stub = StubTransport(Shop.responses)
        let recorded = try RecordedTransport(folder.file, .live, over: stub)
        _ = try await Shop(url, transport: recorded).products.read(7)
        try recorded.finish()
        #expect(stub.requests.count == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.file.path))
    }

    @Test("Recording the same calls again writes the same file")
    func stable() async throws {
        let calls = { (shop: RecordingShop) in
            _ = try await shop.products.read(7)
            _ = try await shop.products.create(Shop.Product(id: 8, name: "Rug"))
        }
        let texts = [
            try await record(token: "one-token", calls).text, try await record(token: "other-token", calls).text,
        ]
        #expect(texts[0] == texts[1])
    }

    @Test("Recordings with different names share a file and replace only themselves")
    func names() async throws {
        let folder = RecordingFolder()
        for (name, id) in [("b", 7), ("a", 8), ("b", 9)] {
            let stub = StubTransport(Shop.responses)
            let recorded = try RecordedTransport(folder.file, .record, named: name, over: stub)
            _ = try await Shop(url, transport: recorded).products.read(id)
            try recorded.finish()
        }
        for (name, id) in [("a", 8), ("b", 9)] {
            let recorded = try RecordedTransport(folder.file, named: name)
            #expect(try await Shop(url, transport: recorded).products.read(id).id == id)
            try recorded.finish()
        }
        let error = #expect(throws: RecordedTransport.Failure.self) { try RecordedTransport(folder.file, named: "c") }
        #expect(error?.reason == .missingName("c"))
    }

    @Test("A replay without a file throws an error with advice")
    func noFile() throws {
        let folder = RecordingFolder()
        let error = #expect(throws: RecordedTransport.Failure.self) { try RecordedTransport(folder.file) }
        #expect(error?.reason == .missingFile)
        #expect(try #require(error).description.contains("record"))
    }
}
