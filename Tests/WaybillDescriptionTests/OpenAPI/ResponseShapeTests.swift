import Foundation
import Testing
import Waybill
import WaybillDescription

@Suite("Responses in OpenAPI documents")
struct ResponseShapeTests {
    @Test(
        "A streamed list has the media type of its format and the schema of an element",
        arguments: [
            ("lines", "application/jsonl"), ("sequence", "application/json-seq"), ("texts", "application/json"),
            ("accepted", "application/x-ndjson"), ("declared", "application/vnd.log"),
        ]
    )
    func sequences(path: String, mediaType: String) throws {
        let document = try document()
        #expect(document["openapi"] == "3.2.0")
        let content = document["paths"]?["/\(path)"]?["get"]?["responses"]?["200"]?["content"]
        #expect(content?.objectValue?.keys.sorted() == [mediaType])
        #expect(content?[mediaType]?["itemSchema"] == reference("Event"))
        #expect(content?[mediaType]?["schema"] == nil)
    }

    @Test("A batch is a single JSON document, whatever the stream format") func batches() throws {
        let content = try responses("/streamed", "post")?["201"]?["content"]?["application/json"]
        #expect(content?["schema"]?["type"] == "array" || content?["schema"]?["anyOf"] != nil)
    }

    @Test("A problem on success is an alternative body of each success") func problemOnSuccess() throws {
        let responses = try responses("/rpc", "get")
        #expect(responses?.objectValue?.keys.sorted() == ["200"])
        let schema = responses?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema == ["anyOf": [reference("Event"), reference("Fault")]])
        let ranges = try self.responses("/ranges", "get")
        #expect(ranges?.objectValue?.keys.sorted() == ["200", "2XX"])
        for status in ["200", "2XX"] {
            let schema = ranges?[status]?["content"]?["application/json"]?["schema"]
            #expect(schema == ["anyOf": [reference("Event"), reference("Fault")]])
        }
    }

    @Test("A problem on success is listed beside an empty success") func problemOnEmptySuccess() throws {
        let responses = try responses("/command", "post")
        #expect(responses?.objectValue?.keys.sorted() == ["200", "204"])
        #expect(responses?["204"]?["content"] == nil)
        let schema = responses?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema == reference("Fault"))
    }

    @Test("A problem on success is an alternative element of a stream") func problemInStream() throws {
        let content = try responses("/failing", "get")?["200"]?["content"]?["application/jsonl"]
        #expect(content?["itemSchema"] == ["anyOf": [reference("Event"), reference("Fault")]])
    }

    @Test("A merged response requires no member and may have no body") func merged() throws {
        let responses = try responses("/merged", "post")
        #expect(responses?.objectValue?.keys.sorted() == ["201", "204"])
        let schema = responses?["201"]?["content"]?["application/json"]?["schema"]?["properties"]?["data"]
        #expect(schema?["properties"]?.objectValue?.keys.sorted() == ["id", "name", "place"])
        #expect(schema?["required"] == nil)
        #expect(schema?["properties"]?["place"]?["properties"]?["city"] == ["type": "string"])
        #expect(schema?["properties"]?["place"]?["required"] == nil)
        #expect(responses?["204"]?["content"] == nil)
        // Only the write is merged.
        let list = try self.responses("/merged/{id}", "get")
        #expect(list?["200"]?["content"]?["application/json"]?["schema"]?["properties"]?["data"] == reference("Item"))
    }

    @Test("The response to a write that may return the sent value is the full entity or has no body") func sent() throws
    {
        let responses = try responses("/sent/{id}", "put")
        #expect(responses?.objectValue?.keys.sorted() == ["200", "204"])
        let schema = responses?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["properties"]?["data"] == reference("Item"))
    }

    @Test("The response to a write whose entity is reread has no content") func reread() throws {
        let responses = try responses("/reread", "post")
        #expect(responses?.objectValue?.keys.sorted() == ["201", "204"])
        #expect(responses?["201"]?["content"] == nil)
    }

    @Test("The response to a create whose entity is reread by its id has the id") func idAt() throws {
        let created = try responses("/identified", "post")
        #expect(created?.objectValue?.keys.sorted() == ["201"])
        let schema = created?["201"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["required"] == ["data"])
        #expect(schema?["properties"]?["data"]?["required"] == ["uuid"])
        let updated = try responses("/identified/{id}", "put")
        #expect(updated?.objectValue?.keys.sorted() == ["200", "204", "409"])
        #expect(updated?["200"]?["content"] == nil)
    }

    @Test("A status declared equivalent to another one is listed without content")
    func equivalentStatuses() throws {
        let conflict = try responses("/identified/{id}", "put")?["409"]
        #expect(conflict?["description"] == "Same meaning as 412 Precondition Failed")
        #expect(conflict?["content"] == nil)
    }

    @Test("A declared success status is the only success") func declaredSuccess() throws {
        let responses = try responses("/queued/{id}", "put")
        #expect(responses?.objectValue?.keys.sorted() == ["202"])
    }

    @Test("Bytes and strings have the accepted media type or their default one") func bytesAndTexts() throws {
        #expect(try mediaTypes("/bytes") == ["application/octet-stream"])
        #expect(try mediaTypes("/picture") == ["image/png"])
        #expect(try mediaTypes("/text") == ["text/plain"])
        #expect(try mediaTypes("/table") == ["text/csv"])
    }

    @Test("A string problem has the media type text/plain") func textProblem() throws {
        let responses = try responses("/text", "get")
        #expect(responses?["4XX"]?["content"] == ["text/plain": ["schema": ["type": "string"]]])
    }

    @Test("Metadata without an envelope is listed beside the value's members") func metadata() throws {
        let schema = try responses("/limited", "get")?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["properties"]?.objectValue?.keys.sorted() == ["n", "quota"])
        #expect(schema?["required"] == ["n", "quota"])
    }

    @Test("The items of a batch may be problems") func itemProblems() throws {
        let schema = try responses("/batches", "post")?["201"]?["content"]?["application/json"]?["schema"]
        let list = schema?["properties"]?["data"] ?? schema?["anyOf"]?[1]?["properties"]?["data"]
        let items = list?["items"]?["anyOf"]?.arrayValue
        #expect(items?.first?["properties"]?["item"] == reference("Item"))
        #expect(items?.last?["properties"]?["error"] == reference("Fault"))
    }

    @Test("A declaration has no findings against its own document") func roundTrip() throws {
        let findings = try Responses().compare(with: OpenAPIDocument(document()))
        #expect(findings.map(\.description) == [])
    }

    private static let shared = Result { try Responses().openAPI(title: "Responses", version: "1").json }

    private func document() throws -> JSONValue { try Self.shared.get() }

    private func responses(_ path: String, _ method: String) throws -> JSONValue? {
        try document()["paths"]?[path]?[method]?["responses"]
    }

    private func mediaTypes(_ path: String) throws -> [String]? {
        try responses(path, "get")?["200"]?["content"]?.objectValue?.keys.sorted()
    }

    private func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }
}

private struct Event: ResponseContent { let n: Int }
private struct Fault: ResponseContent { let error: String }

private struct Item: Entity {
    struct Place: Codable, Sendable, Hashable { var city: String }

    let id: Int
    var name: String
    var place: Place?

    struct Draft: RequestContent, ResponseContent { var name: String }
}

private enum Batches: BatchCreatable {}

private struct Responses: DescribedAPI {
    let client = Client(URL(string: "https://responses.example") ?? URL(filePath: "/"))

    var merged: Resource<Item, ReadWrite> {
        resource("merged") {
            Envelope("data")
            On(.create) { WriteResult(.merged) }
        }
    }

    var sent: Resource<Item, ReadWrite> {
        resource("sent") {
            Envelope("data")
            On(.update) { WriteResult(.sent) }
        }
    }

    var reread: Resource<Item, ReadWrite> { resource("reread") { WriteResult(.reread) } }

    var identified: Resource<Item, ReadWrite> {
        resource("identified") {
            WriteResult(.reread, idAt: "data", "uuid")
            On(.update) { Problem(on: 409, equivalentTo: 412) }
        }
    }

    var accepted: Resource<Item, ReadWrite> {
        resource("queued") {
            On(.update) {
                WriteResult(.sent)
                Success(202)
            }
        }
    }

    var streamed: Resource<Item, Batches> { resource("streamed") { Decode.StreamFormat(.jsonLines) } }

    var batches: Resource<Item, Batches> {
        resource("batches") {
            Envelope("data")
            WriteResult.ItemProblem(Fault.self, at: "error", item: ["item"])
        }
    }

    @APIDescription.Builder private var streams: APIDescription {
        endpoint([Event].self) {
            GET("lines")
            Decode.StreamFormat(.jsonLines)
        }
        endpoint([Event].self) {
            GET("sequence")
            Decode.StreamFormat(.jsonTextSequence)
        }
        endpoint([Event].self) {
            GET("texts")
            Decode.StreamFormat(.concatenatedJSON)
        }
        endpoint([Event].self) {
            GET("accepted")
            Header(.accept, "application/x-ndjson")
        }
        endpoint([Event].self) {
            GET("declared")
            Decode.StreamFormat(.jsonLines)
            Header(.accept, "application/vnd.log")
        }
        endpoint([Event].self) {
            GET("failing")
            Decode.StreamFormat(.jsonLines)
            Problem(Fault.self, on: .success, when: { !$0.error.isEmpty })
        }
    }

    var calls: APIDescription {
        streams
        streamed
        identified
        endpoint(Event.self) {
            GET("limited")
            Metadata(Int.self, at: "quota")
        }
        endpoint(Event.self) {
            GET("rpc")
            Problem(Fault.self, on: .success, when: { !$0.error.isEmpty })
        }
        endpoint(Event.self) {
            GET("ranges")
            Success(.success)
            Problem(Fault.self, on: 200, when: { !$0.error.isEmpty })
            Problem(Fault.self, on: .success, when: { !$0.error.isEmpty })
        }
        endpoint {
            POST("command")
            Problem(Fault.self, on: .success)
        } as Endpoint<Void>
        merged
        sent
        reread
        accepted
        batches
        endpoint(Data.self) { GET("bytes") }
        endpoint(Data.self) {
            GET("picture")
            Header(.accept, "image/png")
        }
        endpoint(String.self) {
            GET("text")
            Problem(String.self)
        }
        endpoint(String.self) {
            GET("table")
            Header(.accept, "text/csv")
        }
    }
}
