import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Calls that share a method and path in OpenAPI documents")
struct MergedOperationTests {
    @Test("Calls that differ in query items are one operation with all items and responses")
    func queries() throws {
        let get = try document(Wiki())["paths"]?["/api.php"]?["get"]
        #expect(get?["operationId"] == "pages.list")
        #expect(get?["description"] == "One of several calls: pages.list, pages.read.")
        let parameters = get?["parameters"]?.arrayValue ?? []
        #expect(parameters.map { $0["name"] } == ["action", "titles"])
        #expect(parameters[0]["examples"] == ["pages.list": ["value": "list"], "pages.read": ["value": "read"]])
        #expect(parameters.allSatisfy { $0["required"] == nil })
        let schema = get?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["anyOf"]?.arrayValue?.count == 2)
    }

    @Test("Calls that differ in the media type of the body are one operation with both") func mediaTypes() throws {
        let post = try document(Wiki())["paths"]?["/files"]?["post"]
        let content = post?["requestBody"]?["content"]?.objectValue
        #expect(content?.keys.sorted() == ["application/json", "multipart/form-data"])
        #expect(content?["application/json"]?["example"] == ["name": "a"])
    }

    @Test("Calls that differ in the members of their bodies are one operation with either schema") func bodies() throws
    {
        let post = try document(Wiki())["paths"]?["/flows/filter"]?["post"]
        let body = post?["requestBody"]?["content"]?["application/json"]
        #expect(body?["schema"]?["anyOf"]?.arrayValue?.count == 2)
        #expect(body?["examples"]?.objectValue?.count == 2)
    }

    @Test("A body sent by only one of two calls is not required") func optionalBodies() throws {
        let post = try document(Wiki())["paths"]?["/jobs"]?["post"]
        #expect(post?["requestBody"] != nil)
        #expect(post?["requestBody"]?["required"] == nil)
    }

    @Test("Paths that differ only in parameter names are one path with one name") func names() throws {
        let paths = try document(Wiki())["paths"]?.objectValue ?? [:]
        let boards = paths.filter { $0.key.hasPrefix("/boards/") }
        #expect(boards.keys.sorted() == ["/boards/{board}"])
        let methods = boards["/boards/{board}"]?.objectValue ?? [:]
        #expect(methods.keys.sorted() == ["delete", "get"])
        #expect(methods["delete"]?["parameters"]?[0]?["name"] == "board")
    }

    @Test(
        "An encode-only body has the media type in which it is sent",
        arguments: [
            ("forms", "post", "application/x-www-form-urlencoded"),
            ("forms/{id}", "patch", "application/x-www-form-urlencoded"),
            ("plain", "post", "application/json"), ("plain/{id}", "patch", "application/merge-patch+json"),
            ("scim", "post", "application/scim+json"), ("scim/{id}", "patch", "application/scim+json"),
        ]
    )
    func unknownBodies(path: String, method: String, type: String) throws {
        let operation = try document(Notes())["paths"]?["/\(path)"]?[method]
        #expect(operation?["requestBody"]?["content"]?.objectValue?.keys.sorted() == [type])
    }

    @Test("An encode-only body has its enclosing key and sibling members") func wrapped() throws {
        let operation = try document(Notes())["paths"]?["/wrapped"]?["post"]
        let schema = operation?["requestBody"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["properties"]?.objectValue?.keys.sorted() == ["note", "version"])
        #expect(schema?["properties"]?["note"]?["$comment"]?.stringValue?.hasPrefix("Not learned") ?? false)
    }

    @Test("In version 3.2, QUERY is a field of the path item and other methods are additional operations")
    func otherMethods() throws {
        let document = try document(Contacts())
        #expect(document["openapi"] == "3.2.0")
        let item = document["paths"]?["/contacts"]
        #expect(item?.objectValue?.keys.sorted() == ["additionalOperations", "get", "query"])
        #expect(item?["query"]?["requestBody"]?["content"]?["application/json"] != nil)
        #expect(item?["query"]?["operationId"] == "contacts.query")
        #expect(item?["additionalOperations"]?["PURGE"]?["responses"] != nil)
        #expect(try Contacts().compare(with: OpenAPIDocument(document)).isEmpty)
    }

    @Test("Two credentials of a call are both required, and each has a scheme") func credentials() throws {
        let client = Client(Shop().client.scopes.base.url) {
            Authorization(.basic(user: "a", password: "b"), .apiKey("c", header: "X-Session"))
        }
        let document = try document(Contacts(client))
        #expect(document["paths"]?["/contacts"]?["get"]?["security"] == [["basic": [], "key-in-X-Session": []]])
        let schemes = document["components"]?["securitySchemes"]?.objectValue
        #expect(schemes?.keys.sorted() == ["basic", "key-in-X-Session"])
    }

    @Test("64-bit integers sent as strings have the type string in requests and responses, and are mocked")
    func int64Texts() async throws {
        struct Ledger: DescribedAPI {
            struct Entry: Codable, Sendable, Hashable {
                var amount: Int64
                var total: UInt64?
                var place: Int
            }

            var client: Client

            init(_ url: URL) {
                client = Client(url) {
                    Encode(int64: .convertToString)
                    Decode(int64: .convertFromString)
                }
            }

            var add: Endpoint<Entry> {
                client.endpoint {
                    POST("entries")
                    Body(Entry(amount: 5, total: 6, place: 1))
                }
            }

            var calls: APIDescription { add }
        }
        let ledger = Ledger(Shop().client.scopes.base.url)
        let document = try document(ledger)
        let properties = document["components"]?["schemas"]?.objectValue?.values.first?["properties"]
        #expect(properties?["amount"] == ["type": "string", "format": "int64"])
        #expect(properties?["total"]?["format"] == "uint64")
        #expect(properties?["place"] == ["type": "integer"])
        let body = document["paths"]?["/entries"]?["post"]?["requestBody"]?["content"]?["application/json"]
        #expect(body?["example"]?["amount"] == "5")
        #expect(try ledger.compare(with: OpenAPIDocument(document)).isEmpty)
        let server = try MockServer(ledger)
        #expect(try await Ledger(server.url).add.send().amount == 1)
    }

    @Test("A mock server responds to a QUERY request") func mockedQuery() async throws {
        let server = try MockServer(Contacts())
        let contacts = Contacts(Client(server.url))
        #expect(try await contacts.search("Bo").send().count == 1)
    }

    @Test("An id in the query is a required parameter of the id's type") func queryIDs() throws {
        let parameters = try document(Notes())["paths"]?["/procedures/get"]?["get"]?["parameters"]
        #expect(
            parameters == [
                ["name": "note_id", "in": "query", "required": true, "schema": ["type": "integer"], "example": 1]
            ]
        )
    }

    @Test("A date has an example in the format that the decoder reads") func dates() throws {
        let schemas = try document(Notes())["components"]?["schemas"]
        #expect(schemas?["Note"]?["properties"]?["at"]?["examples"] == ["Fri, 01 May 2026 12:00:00 GMT"])
    }

    private func document(_ api: some DescribedAPI) throws -> JSONValue {
        try api.openAPI(title: "Calls", version: "1").json
    }
}

private struct Title: ResponseContent { let title: String }
private struct Page: ResponseContent { let text: String }
private struct Name: Codable, Sendable { var name: String }
private struct Filter: Codable, Sendable { var flows: [String] }

private struct Wiki: DescribedAPI {
    let client: Client

    init() { client = Client(URL(string: "https://wiki.example") ?? URL(filePath: "/")) {} }

    var calls: APIDescription {
        endpoint([Title].self) {
            GET("api.php")
            Query("action", "list")
            Call.Name("pages.list")
        }
        endpoint(Page.self) {
            GET("api.php")
            Query("action", "read")
            Query("titles", "A")
            Call.Name("pages.read")
        }
        endpoint(Name.self) {
            POST("files")
            Body(Name(name: "a"))
        }
        endpoint(Name.self) {
            POST("files")
            Multipart { Multipart.Part("file", Data([1]), fileName: "a") }
        }
        endpoint([Title].self) {
            POST("flows/filter")
            Body(Name(name: "a"))
        }
        endpoint([Page].self) {
            POST("flows/filter")
            Body(Filter(flows: ["a"]))
        }
        endpoint { POST("jobs") } as Endpoint<Void>
        endpoint {
            POST("jobs")
            Body(Name(name: "a"))
        } as Endpoint<Void>
        endpoint(Page.self) { GET("boards/\(1, name: "board")") }
        endpoint { DELETE("boards/\(1, name: "key")") } as Endpoint<Void>
    }
}

private struct Note: Entity {
    let id: Int
    var text: String
    var at: Date?

    struct Draft: RequestContent { var text: String }
    struct Patch: RequestContent { var text: String? }
}

private struct Notes: DescribedAPI {
    let client: Client

    init() {
        client = Client(URL(string: "https://notes.example") ?? URL(filePath: "/")) { Decode(dates: .httpDate) }
    }

    var plain: Resource<Note, ReadWrite> { resource("plain") }

    var forms: Resource<Note, ReadWrite> { resource("forms") { Body.Format(as: .form) } }

    var scim: Resource<Note, ReadWrite> { resource("scim") { Encode(contentType: "application/scim+json") } }

    var wrapped: Resource<Note, ReadWrite> {
        resource("wrapped") {
            Body.Format(under: "note")
            Body.Member("version", 2)
        }
    }

    var procedures: Resource<Note, ReadOnly> {
        resource("procedures") {
            On(.read) {
                GET("\(.resource)/get")
                Query("note_id", .id)
            }
        }
    }

    var calls: APIDescription {
        plain
        forms
        scim
        wrapped
        procedures
    }
}

/// An API with a QUERY search.
private struct Contacts: DescribedAPI {
    struct Contact: Codable, Sendable, Hashable {
        var name: String
    }

    let client: Client

    init(_ client: Client = Shop().client) { self.client = client }

    func search(_ name: String) -> Endpoint<[Contact]> {
        client.endpoint {
            QUERY("contacts")
            Body(Contact(name: name))
            Envelope.none
        }
    }

    private var purge: Endpoint<Void> { client.endpoint { Route("PURGE", "contacts") } }

    var calls: APIDescription {
        search("Bo")
        client.endpoint(Contact.self) {
            GET("contacts")
            Envelope.none
        }
        purge
    }
}
