import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Recording drift")
struct RecordingDriftTests {
    @Test("A recorded response that no longer matches the types is reported with its line and member")
    func drift() async throws {
        let folder = RecordingFolder()
        let stub = StubTransport([
            "GET products/{}": .sequence([
                .json(#"{"id": 1, "name": "Lamp"}"#), .json(#"{"id": 2, "title": "Rug"}"#),
                .json(#"{"id": "3", "name": ""}"#),
                .text("no JSON"), .status(404),
            ]),
            "GET search": .json("[]"),
        ])
        let url = try #require(URL(string: "https://shop.example"))
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        let shop = RecordingShop(url, transport: recorded)
        for id in 1...5 { _ = try? await shop.products.read(id) }
        _ = try await shop.search([]).send()

        let drift = try RecordedTransport.drift(of: folder.file, from: RecordingShop(url))
        #expect(
            drift.map { "\($0.call): \($0.reason)" } == [
                "GET products/{}: name is missing", "GET products/{}: id is not an integer",
                "GET products/{}: the body is not JSON",
                "GET search: the API has no call with this method and template",
            ]
        )
        let lines = try folder.text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in drift.compactMap(\.line) { #expect(lines[line - 1] == "      {") }
        #expect(drift.compactMap(\.line).count == 4)
    }

    @Test("A recorded write is compared according to its declared result", arguments: Self.writeRows)
    func writes(_ source: WriteResult.Source, body: String, expected: [String]) async throws {
        struct Thing: Entity {
            var id: Int
            var name: String
            struct Draft: Codable, Sendable { var name: String }
        }
        struct Things: DescribedAPI {
            let client: Client
            let source: WriteResult.Source
            var things: Resource<Thing, ReadWrite> { resource("things") { On(.create) { WriteResult(source) } } }
            var calls: APIDescription { things }
        }
        let folder = RecordingFolder()
        let stub = StubTransport([
            "POST things": .text(body, status: 201, headers: [HTTPField(name: .location, value: "/things/1")]),
            "GET things/{}": .json(#"{"id": 1, "name": "a"}"#),
        ])
        let url = try #require(URL(string: "https://shop.example"))
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        let client = Client(url, transport: recorded)
        _ = try? await Things(client: client, source: source).things.create(.init(name: "a"))
        let drift = try RecordedTransport.drift(of: folder.file, from: Things(client: client, source: source))
        #expect(drift.map { "\($0.call): \($0.reason)" } == expected)
    }

    private static let writeRows: [(WriteResult.Source, String, [String])] = [
        (.response, #"{"id": 1}"#, ["POST things: name is missing"]), (.merged, #"{"id": 1}"#, []),
        (.merged, "", []), (.merged, #"{"id": "1"}"#, ["POST things: id is not an integer"]), (.sent, "", []),
        (.sent, #"{"id": 1}"#, ["POST things: name is missing"]), (.reread, "created", []),
    ]

    @Test(
        "The response to a create is compared under every success status with a body",
        arguments: [(200, 1), (201, 1), (202, 1), (204, 0), (400, 0)]
    )
    func otherSuccess(status: Int, count: Int) async throws {
        let folder = RecordingFolder()
        let stub = StubTransport([
            "POST products": .text(
                status == 204 ? "" : #"{"id": "1"}"#,
                status: HTTPResponse.Status(code: status),
                headers: [HTTPField(name: .contentType, value: "application/json")]
            )
        ])
        let url = try #require(URL(string: "https://shop.example"))
        let shop = RecordingShop(url, transport: try RecordedTransport(folder.file, .record, over: stub))
        _ = try? await shop.products.create(RecordingShop.Product(id: 1, name: "Lamp"))
        #expect(try RecordedTransport.drift(of: folder.file, from: shop).count == count)
    }

    @Test("Recordings of two calls that share a method and path match either call")
    func sharedOperation() async throws {
        struct Named: Codable, Sendable { var name: String }
        struct Numbered: Codable, Sendable { var number: Int }
        struct Wiki: DescribedAPI {
            let client: Client
            var page: Endpoint<Named> { endpoint { POST("api.php") } }
            var edit: Endpoint<Numbered> { endpoint { POST("api.php") } }
            var calls: APIDescription {
                page
                edit
            }
        }
        let folder = RecordingFolder()
        let stub = StubTransport(["POST api.php": .sequence([.json(#"{"name": "a"}"#), .json(#"{"number": 1}"#)])])
        let url = try #require(URL(string: "https://shop.example"))
        let wiki = Wiki(client: Client(url, transport: try RecordedTransport(folder.file, .record, over: stub)))
        _ = try await wiki.page.send()
        _ = try await wiki.edit.send()
        #expect(try RecordedTransport.drift(of: folder.file, from: wiki).map(\.description) == [])
    }

    @Test("The error of a replayed response contains its line in the file, and advises recording again")
    func stale() async throws {
        let folder = RecordingFolder()
        let stub = StubTransport(["GET products/{}": .sequence([.json(#"{"id": 1, "title": "Lamp"}"#), .status(404)])])
        let url = try #require(URL(string: "https://shop.example"))
        let shop = RecordingShop(url, transport: try RecordedTransport(folder.file, .record, over: stub))
        for id in 1...2 {
            let live = await #expect(throws: APIError.self) { try await shop.products.read(id) }
            #expect(live?.description.contains("record") == false)
        }
        let replayed = RecordingShop(url, transport: try RecordedTransport(folder.file))
        let lines = try folder.text.split(separator: "\n", omittingEmptySubsequences: false)
        let starts = lines.indices.filter { lines[$0] == "      {" }.map { $0 + 1 }
        let decoding = await #expect(throws: APIError.self) { try await replayed.products.read(1) }
        let text = try #require(decoding).description
        #expect(text.contains("recorded in \(folder.file.lastPathComponent), line \(starts[0])"))
        #expect(text.hasSuffix("record it again if the server now sends something else"))
        let status = await #expect(throws: APIError.self) { try await replayed.products.read(2) }
        #expect(status?.description.contains("line \(starts[1])") == true)
    }
}
