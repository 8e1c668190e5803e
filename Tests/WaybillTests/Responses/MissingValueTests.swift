import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Optional values in envelopes")
struct MissingValueTests {
    struct Row: CustomTestStringConvertible {
        let body: String
        let path: [EnvelopeKey]
        let id: Int?
        var testDescription: String { body }
    }

    static let absent = [
        Row(body: "{}", path: ["data"], id: nil), Row(body: #"{"data":null}"#, path: ["data"], id: nil),
        Row(body: #"{"data":[]}"#, path: ["data", 0], id: nil), Row(body: "[]", path: [0], id: nil),
        Row(body: #"{"data":null}"#, path: ["data", "item"], id: nil),
        Row(body: #"{"data":{}}"#, path: ["data", "item"], id: nil),
        Row(body: #"{"data":{"id":1,"name":"L"}}"#, path: ["data"], id: 1),
        Row(body: #"[{"id":1,"name":"L"}]"#, path: [0], id: 1),
    ]

    @Test(
        "An optional value missing from an envelope is nil, with every JSON decoder",
        arguments: absent,
        [true, false]
    )
    func missing(_ row: Row, isFoundation: Bool) async throws {
        let shop = Shop(responses: ["GET a": .json(row.body)]) {
            if isFoundation { Decode(with: JSONDecoder()) }
            Envelope(itemPath: row.path, listPath: [])
        }
        #expect(try await shop.client.get("a", as: Product?.self)?.id == row.id)
    }

    @Test(
        "An optional value of another type is an error rather than nil",
        arguments: [
            Row(body: #"{"data":"down for maintenance"}"#, path: ["data", "item"], id: nil),
            Row(body: #"{"data":{"id":"x","name":"L"}}"#, path: ["data"], id: nil),
            Row(body: #"{"data":{"id":1}}"#, path: ["data"], id: nil), Row(body: #"{"a":1}"#, path: [0], id: nil),
            Row(body: "7", path: ["data"], id: nil),
        ],
        [true, false]
    )
    func misread(_ row: Row, isFoundation: Bool) async {
        let shop = Shop(responses: ["GET a": .json(row.body)]) {
            if isFoundation { Decode(with: JSONDecoder()) }
            Envelope(itemPath: row.path, listPath: [])
        }
        let error = await failure { try await shop.client.get("a", as: Product?.self) }
        guard case .decoding = error else {
            Issue.record("expected a decoding failure, got \(String(describing: error))")
            return
        }
    }

    @Test("A page with another value instead of an optional list is an error rather than empty")
    func missingList() async {
        let shop = Shop(responses: ["GET a": .json(#"{"data":"down for maintenance"}"#)])
        let list: Endpoint<[Product]> = shop.endpoint {
            GET("a")
            Envelope("data", "items")
            Paginated(.link(), missingList: .isEmpty)
        }
        let error = await failure { try await list.page() }
        guard case .decoding = error else {
            Issue.record("expected a decoding failure, got \(String(describing: error))")
            return
        }
    }

    @Test("A missing value that is not optional is an error")
    func required() async {
        let shop = Shop(responses: ["GET a": .json("{}")]) { Envelope("data") }
        let error = await failure { try await shop.client.get("a", as: Product.self) }
        #expect(error?.description.contains(#"the key "data" is missing"#) == true)
    }
}
