import Foundation
import TestSupport
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Missing lists in every use of a declaration")
struct MissingListReadingTests {
    typealias Thing = ClauseRow.Thing

    /// An envelope and the schema of its list.
    struct Row: Sendable, CustomTestStringConvertible {
        let envelope: Envelope
        let schema: JSONValue

        init(_ envelope: Envelope, _ schema: JSONValue) { (self.envelope, self.schema) = (envelope, schema) }

        var testDescription: String { envelope.summary }

        func list(_ client: Client) -> Endpoint<[Thing]> {
            client.endpoint {
                GET("things")
                envelope
            }
        }

        func api(_ client: Client = Client(.mocked)) -> ClauseRow.Listing { ClauseRow.Listing(client) { list(client) } }
    }

    private static let thing: JSONValue = ["$ref": "#/components/schemas/ClauseRow.Thing"]
    private static let array: JSONValue = ["type": "array", "items": thing]
    private static let nullableArray: JSONValue = ["type": ["array", "null"], "items": thing]
    private static let both: Envelope.MissingList = [.isEmpty, .isOneItem]

    private static func member(_ schema: JSONValue) -> JSONValue {
        ["type": ["object", "null"], "properties": ["items": schema]]
    }

    static let rows = [
        Row(.none, array),
        Row(Envelope(missingList: .isEmpty), nullableArray),
        Row(Envelope(missingList: .isOneItem), ["anyOf": [array, thing]]),
        Row(Envelope(missingList: both), ["anyOf": [array, thing, ["type": "null"]]]),
        Row(Envelope("items"), ["type": "object", "required": ["items"], "properties": ["items": array]]),
        Row(Envelope("items", missingList: .isEmpty), member(nullableArray)),
        Row(
            Envelope("items", missingList: .isOneItem),
            ["type": "object", "required": ["items"], "properties": ["items": ["anyOf": [array, thing]]]]
        ),
        Row(Envelope("items", missingList: both), member(["anyOf": [array, thing, ["type": "null"]]])),
    ]

    private static let item = #"{"id": 1, "name": "a", "unitPrice": 2}"#

    static let bodies = [
        "null", "{}", "[]", "[\(item)]", item, #"{"items": null}"#, #"{"items": []}"#, #"{"items": [\#(item)]}"#,
        #"{"items": \#(item)}"#, #"{"items": "down"}"#, #"{"items": {"id": 1}}"#, #""down""#,
    ]

    @Test("The schema of a list allows what the envelope accepts in its stead", arguments: rows)
    func schema(_ row: Row) throws {
        let document = try row.api().openAPI(title: "Things", version: "1")
        let place = ["paths", "/things", "get", "responses", "200", "content", "application/json", "schema"]
        #expect(place.reduce(Optional(document.json)) { $0?[$1] } == row.schema)
        #expect(try row.api().compare(with: OpenAPIDocument(document.json)).map(\.description) == [])
    }

    @Test(
        "A recording and a drift detector accept the lists that a call accepts",
        arguments: Thoroughness.some(rows, oneIn: 5),
        bodies
    )
    func agreement(_ row: Row, body: String) async throws {
        let recording = TemporaryRecording()
        let recorder = try RecordedTransport(recording.file, .record, over: StubTransport { _ in .json(body) })
        let drift = DriftDetector()
        let client = Client(.mocked, transport: recorder) { Observe(drift) }
        let isAccepted = (try? await row.list(client).send()) != nil
        try recorder.finish()
        let reasons = try RecordedTransport.drift(of: recording.file, from: row.api()).map(\.reason)
        #expect(reasons.isEmpty == isAccepted, "\(reasons)")
        let found = drift.report.endpoints.flatMap(\.entries).map(\.description)
        let severe = found.filter { !$0.contains("not read") && !$0.contains("never present") }
        #expect(severe.isEmpty == isAccepted, "\(found)")
    }

    @Test("A document that allows a missing list is a finding for a call that requires the list")
    func comparison() throws {
        let strict = Row(Envelope("items"), [:])
        for lenient in Self.rows.filter({ $0.envelope.list == ["items"] && $0.envelope != strict.envelope }) {
            let document = try lenient.api().openAPI(title: "Things", version: "1")
            #expect(try !strict.api().compare(with: OpenAPIDocument(document.json)).isEmpty)
            let own = try strict.api().openAPI(title: "Things", version: "1")
            #expect(try lenient.api().compare(with: OpenAPIDocument(own.json)).map(\.description) == [])
        }
    }

    @Test("A mock sends a list as an array, which every envelope accepts", arguments: rows)
    func mock(_ row: Row) async throws {
        let mock = StubTransport(try .mocking(row.api()))
        #expect(try await row.list(Client(.mocked, transport: mock)).send().count == 1)
    }
}

@Suite("Clauses removed with none in every use of a declaration")
struct NoneReadingTests {
    typealias Thing = ClauseRow.Thing

    private func api(@Scope.Builder _ clauses: () -> Scope) -> ClauseRow.Listing {
        let client = Client(.mocked)
        let things: Resource<Thing, ReadWrite> = client.resource("things") {
            Style("usual") {
                Paginated(.cursor(at: "next", as: "after", size: .query("limit", 5)))
                WriteResult(.merged)
            }
            clauses()
        }
        return ClauseRow.Listing(client) { things }
    }

    @Test("A list excluded from pagination has no paging parameters and no paging members")
    func pagination() throws {
        let excepted = try api { Paginated.none }.openAPI(title: "Things", version: "1").json
        let get = excepted["paths"]?["/things"]?["get"]
        #expect(get?["parameters"] == nil)
        let schema = get?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["type"] == "array")
        let client = Client(.mocked) { Paginated(.cursor(at: "next", as: "after", size: .query("limit", 5))) }
        let unpaged: Resource<Thing, ReadOnly> = client.resource("things") { Paginated.none }
        let paged: Resource<Thing, ReadOnly> = client.resource("things")
        let own = ClauseRow.Listing(client) { unpaged }
        let document = try OpenAPIDocument(own.openAPI(title: "Things", version: "1").json)
        #expect(try own.compare(with: document).map(\.description) == [])
        #expect(try !ClauseRow.Listing(client) { paged }.compare(with: document).isEmpty)
    }

    @Test("A mock returns all items of a list excluded from pagination")
    func mockedList() async throws {
        let seeds = (1...30).map { Thing(id: $0, name: "a", unitPrice: $0) }
        let mock = StubTransport(try .mocking(api { Paginated.none }) { Seeds(seeds) })
        let things: Resource<Thing, ReadWrite> = Client(.mocked, transport: mock).resource("things")
        #expect(try await things.list() == seeds)
    }

    @Test("A write excluded from a declared result has the complete entity in its response")
    func writeResult() async throws {
        let excepted = api { WriteResult.none }
        let document = try excepted.openAPI(title: "Things", version: "1").json
        let responses = document["paths"]?["/things"]?["post"]?["responses"]
        #expect(responses?.objectValue?.keys.sorted() == ["201"])
        let schema = responses?["201"]?["content"]?["application/json"]?["schema"]
        #expect(schema == ["$ref": "#/components/schemas/ClauseRow.Thing"])
        #expect(try excepted.compare(with: OpenAPIDocument(document)).map(\.description) == [])
        let other = try api { Scope() }.openAPI(title: "Things", version: "1").json
        #expect(other != document)

        let mock = StubTransport(try .mocking(excepted))
        let things: Resource<Thing, ReadWrite> = Client(.mocked, transport: mock).resource("things")
        #expect(try await things.create(ClauseRow.thing).name == "a")
    }

    @Test("A recorded write excluded from a declared result is compared with the complete entity")
    func recordedWrite() async throws {
        let recording = TemporaryRecording()
        let stub = StubTransport { _ in .json(#"{"id": 1}"#, status: 201) }
        let recorder = try RecordedTransport(recording.file, .record, over: stub)
        let things: Resource<Thing, ReadWrite> = Client(.mocked, transport: recorder).resource("things")
        _ = try? await things.create(ClauseRow.thing)
        try recorder.finish()
        #expect(try RecordedTransport.drift(of: recording.file, from: api { Scope() }).isEmpty)
        let excepted = try RecordedTransport.drift(of: recording.file, from: api { WriteResult.none })
        #expect(excepted.map(\.reason) == ["name is missing"])
    }
}
