import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Documents and mock servers for keyed lists, upserts, body paging and member paths")
struct MockBodyPlaceTests {
    private let server: MockServer
    private let store: Store

    init() throws {
        server = try MockServer(Store()) {
            Seeds([Item(id: "b", name: "B"), Item(id: "a", name: "A"), Item(id: "c", name: "C")])
        }
        store = Store(server.url)
    }

    @Test("A mock server lists entities as an object keyed by id") func keyedList() async throws {
        #expect(try await store.items.list().map(\.id) == ["a", "b", "c"])
        let body = try JSONDecoder().decode(
            JSONValue.self,
            from: try await store.items.endpoints.list().response().body
        )
        #expect(body["items"]?["a"]?["name"] == "A")
    }

    @Test("An upsert to a mock server creates an entity with a new id and replaces one with a known id") func upserts()
        async throws
    {
        #expect(try await store.items.upsert(Item(id: "d", name: "D")) == .created(Item(id: "d", name: "D")))
        #expect(try await store.items.upsert(Item(id: "d", name: "E")) == .replaced(Item(id: "d", name: "E")))
        #expect(try await store.items.read("d").name == "E")
        let error = await #expect(throws: APIError.self) {
            try await store.items.with { IfNoneMatch(.any) }.upsert(Item(id: "d", name: "F"))
        }
        #expect(error?.status == 412)
    }

    @Test("A mock server finds an operation's id at a path in the body") func idBelowKeys() async throws {
        try await store.items.delete("b")
        #expect(try await store.items.list().map(\.id) == ["a", "c"])
        #expect(server.requests.first?.text == #"{"Key":{"id":{"S":"b"}},"TableName":"items"}"#)
    }

    @Test("A mock server pages a keyed list by members of the request body") func pages() async throws {
        #expect(try await store.found.all.collect().count == 3)
        #expect(
            server.requests.map(\.text) == [0, 2, 3].map { #"{"page":{"from":\#($0),"size":2}}"# }
        )
    }

    @Test("A mock server pages a list by an offset and size in a body array") func elements() async throws {
        #expect(try await store.ranked.all.collect().map(\.id) == ["a", "b", "c"])
        #expect(server.requests.map(\.text) == [0, 2, 3].map { #"{"params":["name",\#($0),2]}"# })
    }

    @Test("A document includes the paging elements of a body array") func elementSchema() throws {
        let body = try document["paths"]?["/items/ranked"]?["post"]?["requestBody"]?["content"]?["application/json"]
        #expect(body?["example"] == ["params": ["name", 0, 2]])
        #expect(body?["schema"]?["properties"]?["params"]?["type"] == "array")
    }

    @Test("A document does not require the id of a single entity of a keyed list") func itemSchema() throws {
        func required(_ path: String, _ method: String) throws -> JSONValue? {
            let responses = try document["paths"]?[path]?[method]?["responses"]
            return responses?["200"]?["content"]?["application/json"]?["schema"]?["required"]
        }
        #expect(try required("/items/{id}", "get") == ["name"])
        #expect(try required("/items/{id}", "put") == ["name"])
    }

    @Test("A mock server sends metadata header fields, and a document lists them in the success") func fields()
        async throws
    {
        let list = store.counted.endpoints.list()
        #expect(try await list.response().metadata(Int.self) != nil)
        let responses = try document["paths"]?["/counted"]?["get"]?["responses"]
        let headers = responses?["200"]?["headers"]
        #expect(headers?["X-Total"]?["required"] == true)
        #expect(headers?["X-Total"]?["schema"]?["type"] == "integer")
        #expect(headers?["X-Next"]?["schema"]?["type"] == "string")
        #expect(headers?["X-Next"]?["required"] == nil)
        #expect(try await list.response().metadata(String.self) != nil)
    }

    @Test("A document without a metadata header field is a finding suggesting a similar one") func missingField() throws
    {
        let headers: JSONValue = ["X-Totals": ["schema": ["type": "integer"]], "x-next": [:]]
        let other = try document.setting(headers, at: ["paths", "/counted", "get", "responses", "200", "headers"])
        let findings = try Store().compare(with: OpenAPIDocument(other))
        #expect(findings.map(\.clause) == ["Metadata(field: \"X-Total\")"])
        #expect(findings.first?.advice == #"did you mean "X-Totals"?"#)
        #expect(findings.first?.severity == .warning)
        #expect(try Store().compare(with: OpenAPIDocument(document)).map(\.description) == [])
    }

    @Test("A document describes a keyed list as an object whose entities may lack ids") func listSchema() throws {
        let schema = try document["paths"]?["/items"]?["get"]?["responses"]?["200"]?["content"]?["application/json"]?[
            "schema"
        ]
        let items = schema?["properties"]?["items"]
        #expect(items?["type"] == "object")
        #expect(items?["additionalProperties"]?["properties"]?.objectValue?.keys.sorted() == ["id", "name"])
        #expect(items?["additionalProperties"]?["required"] == ["name"])
    }

    @Test("A document lists both statuses of an upsert") func upsertResponses() throws {
        let responses = try document["paths"]?["/items/{id}"]?["put"]?["responses"]
        #expect(responses?.objectValue?.keys.sorted() == ["200", "201"])
    }

    @Test("A document lists paging members in the request body and not in the query") func pageBody() throws {
        let operation = try document["paths"]?["/items/search"]?["post"]
        let body = operation?["requestBody"]?["content"]?["application/json"]
        #expect(body?["example"] == ["page": ["from": 0, "size": 2]])
        #expect(body?["schema"]?["properties"]?["page"]?["properties"]?.objectValue?.keys.sorted() == ["from", "size"])
        #expect(operation?["parameters"] == nil)
    }

    private var document: JSONValue {
        get throws { try Store().openAPI(title: "Store", version: "1").json }
    }
}

private struct Item: Entity, Hashable {
    let id: String
    var name: String
}

private struct Mark: Entity { let id: Int }

private struct Store: DescribedAPI {
    enum Access: Listable, Readable, Upsertable, Deletable {}

    let client: Client

    init(_ url: URL) { client = Client(url) {} }

    init() { client = Client(URL(string: "https://store.example") ?? URL(filePath: "/")) {} }

    var items: Resource<Item, Access> {
        resource("items") {
            Envelope(list: "items", keyedBy: "id")
            On(.delete) {
                POST("\(.resource)/delete")
                Body.Member("TableName", "items")
                Body.Member(["Key", "id", "S"], .id)
            }
        }
    }

    var found: Resource<Item, Finding> {
        resource("items") {
            Envelope(list: "items", keyedBy: "id")
            Paginated(.offset(.body("page", "from"), size: .body("page", "size", count: 2)))
            On(.list) { POST("\(.resource)/search") }
        }
    }

    enum Finding: Listable {}

    var ranked: Resource<Item, Finding> {
        resource("items") {
            Envelope(list: "items", keyedBy: "id")
            Paginated(.offset(.body("params", 1), size: .body("params", 2, count: 2)))
            On(.list) {
                POST("\(.resource)/ranked")
                Body.Member("params", ["name"])
            }
        }
    }

    var counted: Resource<Mark, Finding> {
        resource("counted") {
            Metadata(Int.self, field: "X-Total")
            Metadata(String?.self, field: "X-Next")
        }
    }

    var calls: APIDescription {
        items
        found
        ranked
        counted
    }
}
