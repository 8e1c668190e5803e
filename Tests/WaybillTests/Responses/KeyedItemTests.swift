import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Keyed items with the identifier in the path")
struct KeyedItemTests {
    struct Item: Entity, Hashable {
        let id: String
        var name: String?

        struct Draft: Encodable, Sendable { var name: String? }

        struct Replacement: Encodable, Sendable { var name: String? }

        struct Patch: Encodable, Sendable { var name: String? }
    }

    struct Light: Entity, Hashable {
        struct ID: RawRepresentable, Codable, Hashable, Sendable, PathSegmentConvertible { let rawValue: Int }

        let id: ID
        var isOn = false

        enum CodingKeys: String, CodingKey { case id = "lightID", isOn = "is_on" }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var envelope = Envelope(keyedBy: "id")
        let body: String
        let item: Item

        init(_ name: String, _ body: String, _ item: Item, _ envelope: Envelope = Envelope(keyedBy: "id")) {
            (testDescription, self.body, self.item, self.envelope) = (name, body, item, envelope)
        }
    }

    static let rows = [
        Row("an entity without its id", #" {"name":"A"} "#, Item(id: "a", name: "A")),
        Row("an entity without members", "{ }", Item(id: "a")),
        Row("an entity that has its id", #"{"id":"b","name":"A"}"#, Item(id: "b", name: "A")),
        Row("an id that is written with an escape", #"{"\u0069d":"b"}"#, Item(id: "b")),
        Row("a nested member of the id's name", #"{"x":{"id":1},"name":"}"}"#, Item(id: "a", name: "}")),
        Row(
            "an entity in an envelope",
            #"{"id":7,"data":{"name":"A"},"more":[]}"#,
            Item(id: "a", name: "A"),
            Envelope("data").keyed(by: "id")
        ),
        Row(
            "an entity at an index",
            #"[{"name":"X"},{"name":"A"}]"#,
            Item(id: "a", name: "A"),
            Envelope(itemPath: [1], listPath: []).keyed(by: "id")
        ),
        Row(
            "an entity, with keys in a byte order mark's document",
            "\u{FEFF}{\"name\":\"A\"}",
            Item(id: "a", name: "A")
        ),
    ]

    /// The operations with an identifier.
    enum Operation: CaseIterable {
        case read, update, patch, difference, foundation

        func item(_ items: Resource<Item, ReadWrite>) async throws -> Item {
            switch self {
            case .read: try await items.read("a")
            case .update: try await items.update("a", .init(name: "A"))
            case .patch: try await items.patch("a", .init(name: "A"))
            case .difference: try await items.patch(from: Item(id: "a"), to: Item(id: "a", name: "A"))
            case .foundation: try await items.with { Decode(with: JSONDecoder()) }.read("a")
            }
        }
    }

    private static func items(_ body: String, _ envelope: Envelope) -> Resource<Item, ReadWrite> {
        Shop(StubTransport { _ in .json(body) }).resource("items") { envelope }
    }

    @Test("An entity without an identifier receives the call's identifier", arguments: rows, Operation.allCases)
    func items(_ row: Row, _ operation: Operation) async throws {
        #expect(try await operation.item(Self.items(row.body, row.envelope)) == row.item)
    }

    @Test("An upserted entity receives the call's identifier")
    func upsert() async throws {
        enum Access: Upsertable {}
        let items: Resource<Item, Access> = Shop(StubTransport { _ in .json(#"{"name":"A"}"#, status: 201) })
            .resource("items") { Envelope(keyedBy: "id") }
        #expect(try await items.upsert("a", .init(name: "A")) == .created(Item(id: "a", name: "A")))
    }

    @Test("An integer identifier is a number in the entity", arguments: [false, true])
    func numbers(isFoundation: Bool) async throws {
        let decode =
            isFoundation ? Decode(with: JSONDecoder()) : Decode(with: WaybillJSONDecoder())
        let lights: Resource<Light, ReadOnly> = Shop(StubTransport { _ in .json(#"{"is_on":true}"#) })
            .resource("lights") {
                Envelope(keyedBy: "lightID")
                decode
            }
        #expect(try await lights.read(.init(rawValue: 7)) == Light(id: .init(rawValue: 7), isOn: true))
    }

    @Test("A write returning what was sent has the call's identifier", arguments: [WriteResult.Source.sent, .merged])
    func sent(_ source: WriteResult.Source) async throws {
        let items: Resource<Item, ReadWrite> = Shop(StubTransport { _ in .status(204) }).resource("items") {
            Envelope(keyedBy: "id")
            WriteResult(source)
        }
        #expect(try await items.update("a", .init(name: "A")) == Item(id: "a", name: "A"))
    }

    @Test("A reread entity receives the call's identifier")
    func reread() async throws {
        let stub = StubTransport(["PUT items/{}": .status(204), "GET items/{}": .json(#"{"name":"A"}"#)])
        let items: Resource<Item, ReadWrite> = Shop(stub).resource("items") {
            Envelope(keyedBy: "id")
            WriteResult(.reread)
        }
        #expect(try await items.update("a", .init(name: "B")) == Item(id: "a", name: "A"))
    }

    struct Failing: CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let text: String
    }

    @Test(
        "A decoding error refers to the original document",
        arguments: [
            Failing(
                testDescription: "a wrong type",
                body: #"{"name":7}"#,
                text: "name (line 1, column 9): expected a string, found the number 7"
            ),
            Failing(testDescription: "no object", body: "[]", text: "line 1, column 1: expected an object"),
            Failing(testDescription: "null", body: "null", text: "line 1, column 1: expected an object, found null"),
            Failing(testDescription: "a syntax error", body: #"{"name":"A",}"#, text: "line 1, column 13"),
            Failing(testDescription: "more than one value", body: #"{"name":"A"} {}"#, text: "line 1, column 14"),
        ]
    )
    func failing(_ row: Failing) async throws {
        let error = try #require(
            await failure { try await Self.items(row.body, Envelope(keyedBy: "id")).read("a") }
        )
        #expect(error.description.contains(row.text), "\(error)")
    }

    @Test("An entity without an identifier is an error without a keyed envelope or in a call without an identifier")
    func others() async throws {
        #expect(await failure { try await Self.items(#"{"name":"A"}"#, .none).read("a") } != nil)
        #expect(
            await failure {
                try await Self.items(#"{"name":"A"}"#, Envelope(keyedBy: "id")).create(.init(name: "A"))
            } != nil
        )
    }
}
