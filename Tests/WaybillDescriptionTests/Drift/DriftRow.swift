import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

/// A body, the type that decodes it, and the expected drift.
struct DriftRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: String
    let findings: [String]
    let call: @Sendable (Client) async throws -> Void

    init<Value: Decodable & Sendable>(
        _ testDescription: String,
        _ body: String,
        as type: Value.Type,
        _ findings: String...,
        @Scope.Builder by clauses: @escaping @Sendable () -> Scope = { Scope() }
    ) {
        self.testDescription = testDescription
        self.body = body
        self.findings = findings
        call = { client in
            let endpoint: Endpoint<Value> = client.endpoint {
                GET("things/\(7)")
                clauses()
            }
            _ = try await endpoint.send()
        }
    }
}

/// The types that the rows decode.
enum Drifting {
    struct Thing: Codable, Sendable, Equatable {
        var id: Int
        var name: String
        var note: String?
    }

    struct Lamp: Decodable, Sendable {
        var id: Int
        var unitPrice: Double
        var kind: Kind?
        var sizes: [String: Size]?
        var made: Date?

        enum Kind: String, Decodable, Sendable { case floor, desk }

        struct Size: Decodable, Sendable { var height: Int }
    }

    struct Total: Decodable, Sendable { var total: Int }

    struct Large: Decodable, Sendable { var count: UInt64 }

    enum Shape: Decodable, Sendable {
        case circle(radius: Double)
        case square(side: Double)
    }
}

extension DriftRow {
    static let all = fitting + members + values + surroundings

    private static let fitting = [
        DriftRow("a body that fits", #"{"id": 1, "name": "a", "note": "b"}"#, as: Drifting.Thing.self),
        DriftRow("an optional that is null", #"{"id": 1, "name": "a", "note": null}"#, as: Drifting.Thing.self),
        DriftRow(
            "an optional that one of several objects has",
            #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b", "note": "c"}]"#,
            as: [Drifting.Thing].self
        ),
        DriftRow(
            "keys that are data",
            #"{"a": {"height": 1}, "b": {"height": 2}}"#,
            as: [String: Drifting.Lamp.Size].self
        ),
        DriftRow("any JSON", #"{"a": [1, {"b": null}]}"#, as: JSONValue.self),
        DriftRow("a dictionary of any JSON", #"{"a": 1, "b": "c"}"#, as: [String: JSONValue].self),
        DriftRow("a case with its value", #"{"square": {"side": 2}}"#, as: Drifting.Shape.self),
        DriftRow(
            "keys of another case",
            #"{"id": 1, "unit_price": 2, "kind": "desk", "sizes": {"s": {"height": 1}}, "made": "2026-01-01T00:00:00Z"}"#,
            as: Drifting.Lamp.self
        ) {
            Decode(keys: .convertFromSnakeCase)
        },
        DriftRow(
            "a key that needs no conversion",
            #"{"id": 1, "unitPrice": 2, "kind": "desk", "sizes": {}, "made": "2026-01-01T00:00:00Z"}"#,
            as: Drifting.Lamp.self
        ) {
            Decode(keys: .convertFromSnakeCase)
        },
    ]

    private static let members = [
        DriftRow(
            "a key that is not read",
            #"{"id": 1, "name": "a", "note": "b", "color": {"rgb": 1}}"#,
            as: Drifting.Thing.self,
            "color: not read, 1 time in 1 response"
        ),
        DriftRow(
            "a key that is not read in elements",
            #"[{"id": 1, "name": "a", "note": "b", "color": 1}, {"id": 1, "name": "a", "color": 1}]"#,
            as: [Drifting.Thing].self,
            "[].color: not read, 2 times in 1 response"
        ),
        DriftRow(
            "a key that never came",
            #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#,
            as: [Drifting.Thing].self,
            "[].note: never present, 2 times in 1 response"
        ),
        DriftRow(
            "a required key that is missing",
            #"{"id": 1, "note": "a"}"#,
            as: Drifting.Thing.self,
            "name: missing, 1 time in 1 response"
        ),
        DriftRow(
            "a key with characters of a key path",
            ##"{"id": 1, "name": "a", "note": "b", "a.b\n[]": 1}"##,
            as: Drifting.Thing.self,
            #""a.b []": not read, 1 time in 1 response"#
        ),
        DriftRow(
            "a key below keys that are data",
            #"{"s3cret": {"height": 1, "depth": 2}}"#,
            as: [String: Drifting.Lamp.Size].self,
            "*.depth: not read, 1 time in 1 response"
        ),
        DriftRow(
            "a key beside the values of a case",
            #"{"square": {"side": 2, "color": 1}}"#,
            as: Drifting.Shape.self,
            "square.color: not read, 1 time in 1 response"
        ),
    ]

    private static let values = [
        DriftRow(
            "a null that the type does not take",
            #"{"id": 1, "name": null, "note": "a"}"#,
            as: Drifting.Thing.self,
            "name: null, 1 time in 1 response"
        ),
        DriftRow(
            "a string in place of an integer",
            #"{"id": "s3cret", "name": "a", "note": "b"}"#,
            as: Drifting.Thing.self,
            "id: a string instead of an integer, 1 time in 1 response"
        ),
        DriftRow(
            "a fraction in place of a large integer",
            #"{"count": 1.5}"#,
            as: Drifting.Large.self,
            "count: a number instead of an integer, 1 time in 1 response"
        ),
        DriftRow("a large integer", #"{"count": 18446744073709551615}"#, as: Drifting.Large.self),
        DriftRow(
            "an object in place of an array",
            #"{"error": "s3cret"}"#,
            as: [Drifting.Thing].self,
            "the body: an object instead of an array, 1 time in 1 response"
        ),
        DriftRow(
            "a value that is no case of an enum",
            #"{"id": 1, "unitPrice": 2.5, "kind": "s3cret", "sizes": {}, "made": "2026-01-01T00:00:00Z"}"#,
            as: Drifting.Lamp.self,
            "kind: not a case of the enum, 1 time in 1 response"
        ),
        DriftRow(
            "a date of another form",
            #"{"id": 1, "unitPrice": 2.5, "kind": "desk", "sizes": {}, "made": "s3cret"}"#,
            as: Drifting.Lamp.self,
            "made: not decoded, 1 time in 1 response"
        ),
        DriftRow(
            "a body that is no JSON",
            "s3cret",
            as: Drifting.Thing.self,
            "the body: not decoded, 1 time in 1 response"
        ),
    ]

    private static let surroundings = [
        DriftRow(
            "an envelope",
            #"{"data": {"items": [{"id": 1, "name": "a", "note": "b"}]}}"#,
            as: [Drifting.Thing].self
        ) {
            Envelope("data", "items")
        },
        DriftRow(
            "a key beside an envelope",
            #"{"data": {"items": [{"id": 1, "name": "a", "note": "b"}], "more": 1}, "took": 1}"#,
            as: [Drifting.Thing].self,
            "data.more: not read, 1 time in 1 response",
            "took: not read, 1 time in 1 response"
        ) {
            Envelope("data", "items")
        },
        DriftRow(
            "metadata beside an envelope",
            #"{"data": {"id": 1, "name": "a", "note": "b"}, "meta": {"total": 1, "page": 2}}"#,
            as: Drifting.Thing.self,
            "meta.page: not read, 1 time in 1 response"
        ) {
            Envelope("data")
            Metadata(Drifting.Total.self, at: "meta")
        },
        DriftRow(
            "optional metadata that never came",
            #"{"data": {"id": 1, "name": "a", "note": "b"}}"#,
            as: Drifting.Thing.self,
            "meta: never present, 1 time in 1 response"
        ) {
            Envelope("data")
            Metadata(Drifting.Total?.self, at: "meta")
        },
        DriftRow("a list that is null", #"{"items": null}"#, as: [Drifting.Thing].self) {
            Envelope("items", missingList: .isEmpty)
        },
        DriftRow("a list that is null as the body", "null", as: [Drifting.Thing].self) {
            Envelope(missingList: .isEmpty)
        },
        DriftRow(
            "a list that may be missing and never came",
            "{}",
            as: [Drifting.Thing].self,
            "items: never present, 1 time in 1 response"
        ) {
            Envelope("items", missingList: .isEmpty)
        },
        DriftRow("an only item", #"{"items": {"id": 1, "name": "a", "note": "b"}}"#, as: [Drifting.Thing].self) {
            Envelope("items", missingList: .isOneItem)
        },
        DriftRow(
            "an only item with a key that is not read",
            #"{"items": {"id": 1, "name": "a", "note": "b", "color": 1}}"#,
            as: [Drifting.Thing].self,
            "items.color: not read, 1 time in 1 response"
        ) {
            Envelope("items", missingList: .isOneItem)
        },
        DriftRow(
            "a text in place of an only item",
            #"{"items": "s3cret"}"#,
            as: [Drifting.Thing].self,
            "items: a string instead of an object, 1 time in 1 response"
        ) {
            Envelope("items", missingList: [.isEmpty, .isOneItem])
        },
        DriftRow(
            "an envelope that is missing",
            #"{"id": 1, "name": "a", "note": "b"}"#,
            as: Drifting.Thing.self,
            "data: missing, 1 time in 1 response",
            "id: not read, 1 time in 1 response",
            "name: not read, 1 time in 1 response",
            "note: not read, 1 time in 1 response"
        ) {
            Envelope("data")
        },
        DriftRow(
            "items that are dropped",
            #"{"data": [{"id": 1, "name": "a", "note": "b"}, {"id": "s3cret"}, 7]}"#,
            as: [Drifting.Thing].self,
            "data[]: an integer instead of an object, 1 time in 1 response",
            "data[]: dropped from the list, 2 times in 1 response",
            "data[].id: a string instead of an integer, 1 time in 1 response",
            "data[].name: missing, 1 time in 1 response"
        ) {
            Envelope("data")
            DropInvalidItems()
        },
    ]
}
