import Foundation
import Testing
import Waybill
import WaybillDescription

@Suite("OpenAPI documents of calls that share a method and a path")
struct MergedOperationTests {
    @Test("Calls that differ in items of the query are one operation with all items and all responses")
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

    @Test("Calls that differ in the media type of their bodies are one operation with both") func mediaTypes() throws {
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

    @Test("A body that only one of two calls sends is not required") func optionalBodies() throws {
        let post = try document(Wiki())["paths"]?["/jobs"]?["post"]
        #expect(post?["requestBody"] != nil)
        #expect(post?["requestBody"]?["required"] == nil)
    }

    @Test("Paths that differ in the names of their values alone are one path, with one name") func names() throws {
        let paths = try document(Wiki())["paths"]?.objectValue ?? [:]
        let boards = paths.filter { $0.key.hasPrefix("/boards/") }
        #expect(boards.keys.sorted() == ["/boards/{board}"])
        let methods = boards["/boards/{board}"]?.objectValue ?? [:]
        #expect(methods.keys.sorted() == ["delete", "get"])
        #expect(methods["delete"]?["parameters"]?[0]?["name"] == "board")
    }

    @Test(
        "A body whose type does not decode has the media type that is sent",
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

    @Test("A body whose type does not decode has the keys around it and the members beside it") func wrapped() throws {
        let operation = try document(Notes())["paths"]?["/wrapped"]?["post"]
        let schema = operation?["requestBody"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["properties"]?.objectValue?.keys.sorted() == ["note", "version"])
        #expect(schema?["properties"]?["note"]?["$comment"]?.stringValue?.hasPrefix("Not learned") ?? false)
    }

    @Test("An id in the query is a required parameter with its type") func queryIDs() throws {
        let parameters = try document(Notes())["paths"]?["/procedures/get"]?["get"]?["parameters"]
        #expect(
            parameters == [
                ["name": "note_id", "in": "query", "required": true, "schema": ["type": "integer"], "example": 1]
            ]
        )
    }

    @Test("A date has an example in the form that the decoder reads") func dates() throws {
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
            CallName("pages.list")
        }
        endpoint(Page.self) {
            GET("api.php")
            Query("action", "read")
            Query("titles", "A")
            CallName("pages.read")
        }
        endpoint(Name.self) {
            POST("files")
            Body(Name(name: "a"))
        }
        endpoint(Name.self) {
            POST("files")
            Multipart { Part("file", Data([1]), fileName: "a") }
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

    var forms: Resource<Note, ReadWrite> { resource("forms") { Bodies(as: .form) } }

    var scim: Resource<Note, ReadWrite> { resource("scim") { Encode(contentType: "application/scim+json") } }

    var wrapped: Resource<Note, ReadWrite> {
        resource("wrapped") {
            Bodies(under: "note")
            BodyMember("version", 2)
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
