import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Mock servers conform to their API's document")
struct MockConformanceTests {
    private let server: MockServer
    private let depot: Depot

    init() throws {
        server = try MockServer(Depot()) { Seeds([Depot.Crate.small], at: "crates") }
        depot = Depot(server.url)
    }

    @Test(
        "A member that the document does not allow is rejected and changes nothing",
        arguments: [
            #"{"weight": 256}"#, #"{"weight": -1}"#, #"{"owner": "ada"}"#, #"{"packed": ""}"#,
            #"{"packed": "2026-02-30T12:00:00Z"}"#, #"{"site": ""}"#, #"{"site": "a b"}"#, #"{"labels": ["a", "a"]}"#,
            #"{"content": {"books": {"count": 1}, "lamps": {"watts": 5}}}"#,
        ]
    )
    func values(json: String) async throws {
        let changes = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        let error = await #expect(throws: APIError.self) { try await depot.change(1, changes).send() }
        #expect(error?.status == 422)
        #expect(try await depot.crates.read(1) == .small)
    }

    @Test("Null for a required member counts as absent from the draft") func nulls() async throws {
        let draft: JSONValue = ["id": 7, "weight": nil, "content": ["books": ["count": 3]]]
        #expect(try await depot.create(draft).send().weight == 1)
    }

    @Test("A draft that makes no valid entity is rejected and not stored") func drafts() async throws {
        let error = await #expect(throws: APIError.self) { try await depot.create(["weight": 256]).send() }
        #expect(error?.status == 422)
        #expect(try await depot.crates.list() == [.small])
    }

    @Test("A batch with one rejected entity changes none") func batches() async throws {
        for other: JSONValue in [["id": 9], ["id": 1, "weight": 300]] {
            let error = await #expect(throws: APIError.self) {
                try await depot.changeSeveral([["id": 1, "weight": 5], other]).send()
            }
            #expect(error?.status == (other["id"] == 9 ? 404 : 422))
            #expect(try await depot.crates.list() == [.small])
        }
    }

    @Test("A patch does not change an entity's id") func ids() async throws {
        #expect(try await depot.change(1, ["id": 5]).send().id == 1)
    }

    @Test("The location of a new entity is a percent-encoded path") func locations() async throws {
        let response = try await depot.crates(on: "Å\u{0E} 1").endpoints.create(.init(id: 1, content: .books(count: 1)))
            .response()
        #expect(response.headerFields[.location] == "/shelves/%C3%85%0E%201/crates/1")
    }

    @Test("A string is sent as plain text, and bytes with the document's media type") func mediaTypes() async throws {
        let text = try await depot.text.response()
        #expect(text.value == "text")
        #expect(text.headerFields[.contentType] == "text/plain")
        let document = try Depot().openAPI(title: "Depot", version: "1").json
        let content = document["paths"]?["/scan"]?["get"]?["responses"]?["200"]?["content"]?.objectValue
        #expect(try await depot.scan.response().headerFields[.contentType] == content?.keys.first)
    }

    @Test("A declared success status replaces the usual one") func statuses() async throws {
        #expect(try await depot.order.response().status == 202)
    }
}

private struct Depot: DescribedAPI {
    let client: Client

    init(_ url: URL = URL(filePath: "/")) {
        client = Client(url.isFileURL ? URL(string: "https://depot.example") ?? url : url) {}
    }

    struct Crate: Entity, Equatable {
        var id: Int
        var weight: UInt8
        var content: Content
        var owner: UUID?
        var packed: Date?
        var site: URL?
        var labels: Set<String>?

        enum Content: Codable, Sendable, Equatable {
            case books(count: Int)
            case lamps(watts: Int)
        }

        struct Draft: Codable, Sendable {
            var id: Int?
            var weight: UInt8?
            var content: Content
        }

        static let small = Self(id: 1, weight: 2, content: .books(count: 3))
    }

    enum Everything: Listable, Readable, Creatable, Updatable, Patchable, Deletable, BatchCreatable, BatchUpdatable {}

    var crates: Resource<Crate, Everything> { resource("crates") }

    func crates(on shelf: String) -> Resource<Crate, Everything> { resource("shelves/\(shelf)/crates") }

    var text: Endpoint<String> { endpoint { GET("text") } }

    var scan: Endpoint<Data> { endpoint { GET("scan") } }

    var order: Endpoint<Crate> {
        endpoint {
            POST("orders")
            Success(202)
        }
    }

    var calls: APIDescription {
        crates
        crates(on: "top")
        text
        scan
        order
    }

    // Undescribed calls, to send bodies that the resource's types cannot represent.

    func create(_ draft: JSONValue) -> Endpoint<Crate> {
        endpoint {
            POST("crates")
            Body(Self.complete.merging(draft))
        }
    }

    func change(_ id: Int, _ changes: JSONValue) -> Endpoint<Crate> {
        endpoint {
            PATCH("crates/\(id)")
            Body(changes)
            Header(.contentType, "application/merge-patch+json")
        }
    }

    func changeSeveral(_ changes: JSONValue) -> Endpoint<[Crate]> {
        endpoint {
            PATCH("crates")
            Body(changes)
        }
    }

    private static let complete: JSONValue = ["id": 7, "weight": 2, "content": ["books": ["count": 3]]]
}

extension JSONValue {
    fileprivate func merging(_ other: JSONValue) -> JSONValue {
        .object((objectValue ?? [:]).merging(other.objectValue ?? [:]) { $1 })
    }
}
