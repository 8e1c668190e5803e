import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Lists keyed by identifier")
struct KeyedListTests {
    struct Item: Entity, Hashable {
        let id: String
        var name: String?
    }

    struct Light: Entity, Hashable {
        struct ID: RawRepresentable, Codable, Hashable, Sendable, PathSegmentConvertible { let rawValue: Int }
        let id: ID
    }

    struct Index: Entity, Hashable {
        let id: Int
        var tags: [String]?
    }

    private static func items(_ body: String, _ envelope: Envelope, _ decode: Decode = Decode()) -> Resource<
        Item, ReadOnly
    > {
        Shop(StubTransport { _ in .json(body) }).resource("items") {
            envelope
            decode
        }
    }

    /// A body, its envelope, and the identifiers and names decoded from it.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var envelope = Envelope(keyedBy: "id")
        let body: String
        let items: [String]
    }

    static let rows = [
        Row(
            testDescription: "the whole body, in the order of the object",
            body: #"{"b":{"name":"B"},"a":{"name":"A"},"c":{}}"#,
            items: ["b B", "a A", "c "]
        ),
        Row(testDescription: "no entities", body: " { } ", items: []),
        Row(
            testDescription: "an entity that has the id",
            body: #"{"x":{"id":"a","name":"A"},"y":{"name":"Y","id":"b"}}"#,
            items: ["a A", "b Y"]
        ),
        Row(
            testDescription: "a list below keys and an index, beside other objects",
            envelope: Envelope(list: "data", 1, "items", keyedBy: "id"),
            body:
                #"{"items":{"z":{}},"data":[{"items":{"y":{}}},{"no":[{}],"items":{"a":{"name":"{\"[,:"}}, "x":{"q":{}}}]}"#,
            items: [#"a {"[,:"#]
        ),
        Row(
            testDescription: "keys with escapes, spaces between tokens, and nested members of the id's name",
            body:
                " {\n \"a\\n\\\"\\u00e4\" : { \"x\" : { \"id\" : 1 }, \"name\" : \"A\" } ,\"ö\":{\"y\":[{\"id\":2}]}\n}\n",
            items: ["a\n\"ä A", "ö "]
        ),
        Row(
            testDescription: "a key of the id's name that is written with an escape",
            body: #"{"a":{"\u0069d":"b"}}"#,
            items: ["b "]
        ),
        Row(testDescription: "an array, which some servers send", body: #"[{"id":"a"}]"#, items: ["a "]),
        Row(
            testDescription: "an envelope of another clause",
            envelope: Envelope("data").keyed(by: "id"),
            body: #"{"data":{"a":{}}}"#,
            items: ["a "]
        ),
    ]

    @Test(
        "A keyed list is decoded by every JSON decoder, with identifiers from the keys",
        arguments: rows,
        [Decode(), Decode(with: JSONDecoder())]
    )
    func list(_ row: Row, decode: Decode) async throws {
        let items = Self.items(row.body, row.envelope, decode)
        #expect(try await items.list().map { "\($0.id) \($0.name ?? "")" } == row.items)
    }

    @Test("A keyed list can be streamed in chunks of any size", arguments: rows, [1, 7, 4096])
    func stream(_ row: Row, size: Int) async throws {
        let stub = StubTransport { _ in StubResponse.json(row.body).chunked(bytes: size) }
        let items: Resource<Item, ReadOnly> = Shop(stub).resource("items") { row.envelope }
        var found: [String] = []
        for try await item in try await items.endpoints.list().stream() {
            found.append("\(item.id) \(item.name ?? "")")
        }
        #expect(found == row.items)
    }

    @Test("Keys become numbers if the identifiers are integers")
    func numbers() async throws {
        let stub = StubTransport(["GET lights": .json(#"{"2":{},"10":{}}"#), "GET indexes": .json(#"{"-1":{}}"#)])
        let shop = Shop(stub) { Envelope(keyedBy: "id") }
        let lights: Resource<Light, ReadOnly> = shop.resource("lights")
        #expect(try await lights.list().map(\.id.rawValue) == [2, 10])
        let indexes: Resource<Index, ReadOnly> = shop.resource("indexes")
        #expect(try await indexes.list() == [Index(id: -1)])
        var streamed: [Int] = []
        for try await light in try await lights.endpoints.list().stream() { streamed.append(light.id.rawValue) }
        #expect(streamed == [2, 10])
    }

    @Test(
        "An entity that fails to decode is an error that names its key",
        arguments: [
            (#"{"a":{},"b":{"name":1}}"#, "b.name"), (#"{"a":null}"#, "a"), (#"{"a":[]}"#, "a"),
            (#"{"a":"text"}"#, "a"),
        ],
        [Decode(), Decode(with: JSONDecoder())]
    )
    func invalidEntity(_ row: (body: String, path: String), decode: Decode) async throws {
        let error = await failure {
            try await Self.items(row.body, Envelope(keyedBy: "id"), decode).list()
        }
        guard case .decoding(let failure) = error else {
            Issue.record("expected a decoding failure, got \(String(describing: error))")
            return
        }
        #expect(failure.path == row.path)
        #expect(failure.position != nil)
        #expect(String(decoding: failure.body, as: UTF8.self) == row.body)
    }

    static let invalidBodies: [String] = [
        #"{"a":{}"#, #"{"a":{}]"#, #"{"a"}"#, #"{"a":}"#, #"{"a" {}}"#, #"{{}}"#, #"{"a":{},}"#, #"{:{}}"#,
        #"{"a":{} "b":{}}"#, #"{"a":{},"b"}"#, #"{"a":{}}}"#, #"{"a","b":{}}"#, #"{"a"::{}}"#,
        "{\"a\u{1}\":{\"id\":\"x\"}}", #"{1:{}}"#, "[", "",
    ]

    @Test(
        "A malformed keyed list is an error",
        arguments: invalidBodies,
        [Decode(), Decode(with: JSONDecoder())]
    )
    func malformed(body: String, decode: Decode) async {
        let items = Self.items(body, Envelope(keyedBy: "id"), decode)
        let error = await failure { try await items.list() }
        #expect(error?.isDecodingFailure == true, "\(String(describing: error))")
    }

    @Test("The error for a malformed body has the position in the original body")
    func position() async throws {
        let error = await failure {
            try await Self.items(#"{"a":{},"b":{,}}"#, Envelope(keyedBy: "id")).list()
        }
        guard case .decoding(let failure) = error else {
            Issue.record("expected a decoding failure, got \(String(describing: error))")
            return
        }
        #expect(failure.position?.column == 14)
    }

    @Test("A malformed streamed keyed list is an error", arguments: invalidBodies)
    func malformedStream(body: String) async {
        let items = Self.items(body, Envelope(keyedBy: "id"))
        let streamed = await failure {
            for try await _ in try await items.endpoints.list().stream() {}
        }
        #expect(streamed?.isDecodingFailure == true, "\(String(describing: streamed))")
    }

    @Test("Entities that fail to decode can be dropped and are reported")
    func droppedEntities() async throws {
        let items: Resource<Item, ReadOnly> = Shop(
            StubTransport { _ in .json(#"{"a":{},"b":{"name":1},"c":{}}"#) }
        ).resource("items") {
            Envelope(keyedBy: "id")
            DropInvalidItems()
        }
        let response = try await items.endpoints.list().response()
        #expect(response.value.map(\.id) == ["a", "c"])
        #expect(response.droppedItems.map(\.index) == [1])
    }

    @Test("A keyed list can be paginated, and a single item is not wrapped in a key")
    func pages() async throws {
        let stub = StubTransport([
            "GET items": .sequence([
                .json(#"{"items":{"b":{},"a":{}},"next":"x"}"#), .json(#"{"items":{"c":{}}}"#),
                .json(#"{"items":{}}"#),
            ]),
            "GET items/{}": .json(#"{"id":"b"}"#),
        ])
        let items: Resource<Item, ReadOnly> = Shop(stub).resource("items") {
            Envelope(list: "items", keyedBy: "id")
            Paginated(.after(lastItem: "id", as: "after"))
        }
        #expect(try await items.all.collect().map(\.id) == ["b", "a", "c"])
        #expect(stub.requests.map { $0.query ?? "" } == ["", "after=a", "after=c"])
        #expect(try await items.read("b").id == "b")
    }
}

extension APIError {
    fileprivate var isDecodingFailure: Bool { if case .decoding = self { true } else { false } }
}
