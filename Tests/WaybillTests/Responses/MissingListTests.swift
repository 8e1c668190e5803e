import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Missing lists")
struct MissingListTests {
    struct Item: Entity, Hashable {
        let id: Int
        var at: Date?
        var prices: [String: Decimal]?
    }

    enum Bulk: BatchCreatable {}

    struct Total: ResponseContent { let count: Int }

    /// A body, its envelope, and the list's identifiers, or `nil` if the body is an error.
    struct Row: Sendable, CustomTestStringConvertible {
        let envelope: Envelope
        let body: String
        var ids: [Int]?

        init(_ envelope: Envelope, _ body: String, _ ids: [Int]?) {
            (self.envelope, self.body, self.ids) = (envelope, body, ids)
        }

        var testDescription: String { "\(body) in \(envelope.summary)" }
    }

    /// Dates are seconds, so that the decoder's strategies have a visible effect.
    static let decoders: [Decode] = {
        let other = JSONDecoder()
        other.dateDecodingStrategy = .secondsSince1970
        return [Decode(dates: .secondsSince1970), Decode(with: other)]
    }()

    private static let both: Envelope.MissingList = [.isEmpty, .isOneItem]

    static let empty = [
        Row(Envelope(missingList: .isEmpty), "null", []),
        Row(Envelope(missingList: .isEmpty), "[]", []),
        Row(Envelope(missingList: .isEmpty), #"[{"id":1}]"#, [1]),
        Row(Envelope("items", missingList: .isEmpty), #"{"items":null}"#, []),
        Row(Envelope("items", missingList: .isEmpty), "{}", []),
        Row(Envelope("items", missingList: .isEmpty), #"{"count":0,"errors":[]}"#, []),
        Row(Envelope("items", missingList: .isEmpty), "null", []),
        Row(Envelope("items", missingList: .isEmpty), #"{"items":[{"id":1},{"id":2}]}"#, [1, 2]),
        Row(Envelope("data", "items", missingList: .isEmpty), #"{"data":null}"#, []),
        Row(Envelope("data", "items", missingList: .isEmpty), #"{"data":{}}"#, []),
        Row(Envelope("rows", 0, missingList: .isEmpty), #"{"rows":[]}"#, []),
        Row(Envelope(item: "item", list: "items", missingList: .isEmpty), #"{"items":null}"#, []),
        Row(Envelope(list: "items", missingList: .isEmpty), #"{"items":null}"#, []),
        Row(Envelope(itemPath: [], listPath: ["items"], missingList: .isEmpty), #"{"items":null}"#, []),
        Row(Envelope(keyedBy: "id", missingList: .isEmpty), "null", []),
        Row(Envelope(keyedBy: "id", missingList: .isEmpty), #"{"1":{}}"#, [1]),
        Row(Envelope(list: "items", keyedBy: "id", missingList: .isEmpty), #"{"items":null}"#, []),
        Row(Envelope("items", missingList: .isEmpty).keyed(by: "id"), "{}", []),
    ]

    static let items = [
        Row(Envelope(missingList: .isOneItem), #"{"id":1}"#, [1]),
        Row(Envelope(missingList: .isOneItem), #"[{"id":1},{"id":2}]"#, [1, 2]),
        Row(Envelope(missingList: .isOneItem), "[]", []),
        Row(Envelope("items", missingList: .isOneItem), #"{"items":{"id":1}}"#, [1]),
        Row(Envelope("items", missingList: .isOneItem), #"{"Items":{"id":1}}"#, [1]),
        Row(Envelope("items", missingList: both), #"{"items":{"id":1}}"#, [1]),
        Row(Envelope("items", missingList: both), #"{"items":[{"id":1}]}"#, [1]),
        Row(Envelope("items", missingList: both), #"{"items":null}"#, []),
        Row(Envelope("items", "item", missingList: both), #"{"items":{"item":{"id":1}}}"#, [1]),
        Row(Envelope("items", "item", missingList: both), #"{"items":{"item":[{"id":1},{"id":2}]}}"#, [1, 2]),
        Row(Envelope("items", "item", missingList: both), #"{"items":null}"#, []),
    ]

    static let errors = [
        Row(.none, "null", nil),
        Row(.none, #"{"id":1}"#, nil),
        Row(Envelope("items"), "{}", nil),
        Row(Envelope("items"), #"{"items":null}"#, nil),
        Row(Envelope("items"), #"{"items":{"id":1}}"#, nil),
        Row(Envelope("items", missingList: .isEmpty), #"{"items":{"id":1}}"#, nil),
        Row(Envelope("items", missingList: .isEmpty), #"{"items":"down for maintenance"}"#, nil),
        Row(Envelope("items", missingList: .isEmpty), #"{"items":false}"#, nil),
        Row(Envelope("data", "items", missingList: .isEmpty), #"{"data":"down for maintenance"}"#, nil),
        Row(Envelope("items", missingList: .isEmpty), #"{"itemz":[{"id":1}]}"#, nil),
        Row(Envelope("data", "items", missingList: .isEmpty), #"{"data":{"item":[{"id":1}]}}"#, nil),
        Row(Envelope(list: "items", keyedBy: "id", missingList: .isEmpty), #"{"itemz":{"1":{}}}"#, nil),
        Row(Envelope("items", missingList: .isEmpty), "", nil),
        Row(Envelope("items", missingList: .isEmpty), "[", nil),
        Row(Envelope("items", missingList: .isOneItem), #"{"items":null}"#, nil),
        Row(Envelope("items", missingList: .isOneItem), "{}", nil),
        Row(Envelope("items", missingList: both), #"{"items":{"name":"a"}}"#, nil),
        Row(Envelope("items", missingList: both), #"{"items":"down for maintenance"}"#, nil),
        Row(Envelope("items", missingList: both), #"{"items":[[{"id":1}]]}"#, nil),
    ]

    private static func list(_ row: Row, _ decode: Decode) -> Endpoint<[Item]> {
        Shop(StubTransport { _ in .json(row.body) }).endpoint {
            GET("items")
            row.envelope
            decode
        }
    }

    @Test(
        "A list accepts what its envelope declares, with every JSON decoder",
        arguments: empty + items + errors,
        decoders
    )
    func list(_ row: Row, _ decode: Decode) async {
        var found: [Int]?
        let error = await failure { found = try await Self.list(row, decode).send().map(\.id) }
        #expect(found == row.ids)
        guard row.ids == nil else { return }
        guard case .decoding = error else {
            Issue.record("expected a decoding failure, got \(String(describing: error))")
            return
        }
    }

    @Test("A page accepts what the envelope or the pagination declares", arguments: empty + items, decoders)
    func page(_ row: Row, _ decode: Decode) async throws {
        let list = Self.list(row, decode)
        #expect(try await list.with { Paginated(.link()) }.page().items.map(\.id) == row.ids)
        let strict = Envelope(itemPath: row.envelope.item, listPath: row.envelope.list)
        let declared = list.with {
            row.envelope.idKey.map { strict.keyed(by: $0) } ?? strict
            Paginated(.link(), missingList: Self.both)
        }
        #expect(try await declared.page().items.map(\.id) == row.ids)
    }

    @Test("A list's only item decodes as it does in an array", arguments: decoders)
    func exactness(_ decode: Decode) async throws {
        let item = #"{"id":1,"at":86400,"prices":{"unit_price":0.5}}"#
        let envelope = Envelope("items", missingList: .isOneItem)
        let expected = Item(id: 1, at: Date(timeIntervalSince1970: 86_400), prices: ["unit_price": Decimal(1) / 2])
        for body in [#"{"items":\#(item)}"#, #"{"items":[\#(item)]}"#] {
            #expect(try await Self.list(Row(envelope, body, nil), decode).send() == [expected])
        }
        let client = Shop(StubTransport { _ in .json(#"{"days":86400,"names":"a","maps":{"a_b":1}}"#) }).client
        let days = try await client.get("a", as: [Date].self) {
            Envelope("days", missingList: .isOneItem)
            decode
        }
        #expect(days == [Date(timeIntervalSince1970: 86_400)])
        let names = try await client.get("a", as: [String].self) {
            Envelope("names", missingList: .isOneItem)
            decode
        }
        #expect(names == ["a"])
        let maps = try await client.get("a", as: [[String: Int]].self) {
            Envelope("maps", missingList: .isOneItem)
            decode
        }
        #expect(maps == [["a_b": 1]])
    }

    @Test(
        "An optional list is nil if it is missing, and contains an only item",
        arguments: [("{}", nil), (#"{"items":null}"#, nil), (#"{"items":{"id":1}}"#, [1]), (#"{"items":[]}"#, [])]
            as [(String, [Int]?)],
        decoders
    )
    func optional(_ row: (body: String, ids: [Int]?), _ decode: Decode) async throws {
        let shop = Shop(StubTransport { _ in .json(row.body) })
        let items = try await shop.client.get("items", as: [Item]?.self) {
            Envelope("items", missingList: Self.both)
            decode
        }
        #expect(items?.map(\.id) == row.ids)
    }

    @Test("Metadata beside a missing list or an only item is decoded", arguments: decoders)
    func metadata(_ decode: Decode) async throws {
        for body in [#"{"count":3}"#, #"{"count":3,"items":null}"#, #"{"count":3,"items":{"id":1}}"#] {
            let list = Self.list(Row(Envelope("items", missingList: Self.both), body, nil), decode)
            let response = try await list.with { Metadata(Total.self) }.response()
            #expect(response.metadata(Total.self)?.count == 3)
            #expect(response.value.count == (body.contains("id") ? 1 : 0))
        }
    }

    @Test("An undecodable only item is dropped if it is an object, and is an error otherwise", arguments: decoders)
    func dropped(_ decode: Decode) async throws {
        let envelope = Envelope("items", missingList: Self.both)
        let object = Self.list(Row(envelope, #"{"items":{"name":"a"}}"#, nil), decode)
        let response = try await object.with { DropInvalidItems() }.response()
        #expect(response.value.isEmpty)
        #expect(response.droppedItems.map(\.index) == [0])
        let text = Self.list(Row(envelope, #"{"items":"down"}"#, nil), decode).with { DropInvalidItems() }
        #expect(await failure { try await text.send() } != nil)
    }

    /// An invalid body, the beginning of the error's advice, and the envelope that the advice suggests.
    struct Advice: Sendable, CustomTestStringConvertible {
        var envelope = Envelope.none
        let body: String
        let advice: String
        let declared: Envelope

        var testDescription: String { advice }
    }

    static let advised = [
        Advice(
            body: "null",
            advice: "if the server sends null for an empty list, declare Envelope(missingList: .isEmpty)",
            declared: Envelope(missingList: .isEmpty)
        ),
        Advice(
            envelope: Envelope("items"),
            body: #"{"items":null}"#,
            advice: #"if the server sends null for an empty list, declare Envelope("items", missingList: .isEmpty)"#,
            declared: Envelope("items", missingList: .isEmpty)
        ),
        Advice(
            envelope: Envelope("items"),
            body: #"{"count":0}"#,
            advice: #"if the server leaves out an empty list, declare Envelope("items", missingList: .isEmpty)"#,
            declared: Envelope("items", missingList: .isEmpty)
        ),
        Advice(
            envelope: Envelope("items", "item"),
            body: #"{"items":{"item":{"id":1}}}"#,
            advice: "if the server sends a list of one item as the item itself, declare "
                + #"Envelope("items", "item", missingList: .isOneItem)"#,
            declared: Envelope("items", "item", missingList: .isOneItem)
        ),
        Advice(
            envelope: Envelope("items", missingList: .isEmpty),
            body: #"{"items":{"id":1}}"#,
            advice: "if the server sends a list of one item as the item itself, declare "
                + #"Envelope("items", missingList: [.isEmpty, .isOneItem])"#,
            declared: Envelope("items", missingList: [.isEmpty, .isOneItem])
        ),
        Advice(
            envelope: Envelope(list: "items"),
            body: #"{"items":null}"#,
            advice: "if the server sends null for an empty list, declare "
                + #"Envelope(list: "items", missingList: .isEmpty)"#,
            declared: Envelope(list: "items", missingList: .isEmpty)
        ),
        Advice(
            envelope: Envelope(item: "item", list: "items"),
            body: #"{"items":null}"#,
            advice: "if the server sends null for an empty list, declare "
                + #"Envelope(itemPath: ["item"], listPath: ["items"], missingList: .isEmpty)"#,
            declared: Envelope(itemPath: ["item"], listPath: ["items"], missingList: .isEmpty)
        ),
        Advice(
            envelope: Envelope(list: "items", keyedBy: "id"),
            body: "{}",
            advice: "if the server leaves out an empty list, declare "
                + #"Envelope(list: "items", keyedBy: "id", missingList: .isEmpty)"#,
            declared: Envelope(list: "items", keyedBy: "id", missingList: .isEmpty)
        ),
        Advice(
            envelope: Envelope("items").keyed(by: "id"),
            body: #"{"items":null}"#,
            advice: "if the server sends null for an empty list, declare "
                + #"Envelope(itemPath: ["items"], listPath: ["items"], missingList: .isEmpty).keyed(by: "id")"#,
            declared: Envelope(itemPath: ["items"], listPath: ["items"], missingList: .isEmpty).keyed(by: "id")
        ),
    ]

    @Test("An error for a missing list suggests the declaration that accepts it", arguments: advised, decoders)
    func advice(_ row: Advice, _ decode: Decode) async throws {
        let list = Self.list(Row(row.envelope, row.body, nil), decode)
        let error = await failure { try await list.send() }
        let last = error?.description.split(separator: "\n").last
        #expect(last?.trimmingCharacters(in: .whitespaces) == row.advice)
        #expect(try await list.with { row.declared }.send().count <= 1)
    }

    @Test(
        "An error gives no advice that contradicts the body",
        arguments: [
            Row(Envelope("items"), #"{"items":"down"}"#, nil),
            Row(Envelope("items"), #"{"items":[{"name":1}]}"#, nil),
            Row(Envelope("items"), #"{"rows":[{"id":1}]}"#, nil),
            Row(.none, #"{"rows":[{"id":1}]}"#, nil),
        ]
    )
    func otherErrors(_ row: Row) async {
        let error = await failure { try await Self.list(row, Decode()).send() }
        #expect(error?.description.contains("missingList") == false)
    }

    @Test("A misspelled key of a list that may be missing is an error that suggests the key")
    func misspelled() async {
        let list = Self.list(Row(Envelope("items", missingList: .isEmpty), #"{"itemz":[{"id":1}]}"#, nil), Decode())
        let pages = list.with { Paginated(.pageNumber()) }
        for error in [
            await failure { try await list.send() }, await failure { try await pages.page() },
            await failure { try await pages.all.collect() },
        ] {
            #expect(error?.description.contains(#"the key "items" is missing; did you mean "itemz"?"#) == true)
            #expect(error?.description.contains(#"declare Envelope("itemz")"#) == true)
        }
    }

    @Test("A list keyed by identifier that may be a single item is a declaration error")
    func keyedItem() async {
        let shop = Shop(StubTransport { _ in .json("{}") })
        for envelope in [
            Envelope(keyedBy: "id", missingList: .isOneItem),
            Envelope("items", missingList: Self.both).keyed(by: "id"),
        ] {
            let error = await failure { try await shop.client.get("a", as: [Item].self) { envelope } }
            guard case .request(let failure) = error else {
                Issue.record("expected a request failure, got \(String(describing: error))")
                return
            }
            #expect(failure.declarationErrors.map(\.clause) == ["Envelope"])
            #expect(failure.declarationErrors.first?.reason.contains("leave .isOneItem out") == true)
        }
    }

    @Test("A batch response must be an array, regardless of the envelope")
    func batch() async {
        for body in ["null", #"{"id":1}"#] {
            let shop = Shop(responses: ["POST products": .json(body, status: 201)]) {
                Envelope(missingList: Self.both)
            }
            let drafts = [Product.Draft(name: "a"), Product.Draft(name: "b")]
            let products: Resource<Product, Bulk> = shop.resource("products")
            let error = await failure { try await products.create(drafts) }
            #expect(error?.description.contains("expected an array") == true, "\(String(describing: error))")
        }
    }

    @Test("A streamed list must be an array, regardless of the envelope")
    func streams() async {
        let envelope = Envelope("items", missingList: Self.both)
        for body in [#"{"items":null}"#, "{}", #"{"items":{"id":1}}"#] {
            let list = Self.list(Row(envelope, body, nil), Decode())
            let error = await failure { for try await _ in try await list.stream() {} }
            #expect(error?.description.contains("a streamed list must be an array") == true, "\(body)")
            let pages = list.with { Paginated(.link()) }
            let rejection = await failure { try await pages.all(streaming: true).collect() }
            guard case .request(let failure) = rejection else {
                Issue.record("expected a request failure, got \(String(describing: rejection))")
                return
            }
            #expect(failure.declarationErrors.map(\.clause) == ["Envelope"])
        }
    }

    @Test("An explanation shows the accepted forms of a missing list")
    func explanation() throws {
        let list = Self.list(Row(Envelope("items", missingList: Self.both), "", nil), Decode())
        #expect(try list.explanation.contains("Envelope: items, missingList: [.isEmpty, .isOneItem]"))
    }
}
