import CallSupport
import Foundation
import Testing

@testable import Waybill

/// Nil values in literals: the types of the other values do not affect what is sent.
@Suite("Nil in literals")
struct NilLiteralTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let sent: String
        let clauses: @Sendable () -> Scope

        init(
            _ testDescription: String,
            sends sent: String,
            @Scope.EndpointBuilder _ clauses: @escaping @Sendable () -> Scope
        ) {
            self.testDescription = testDescription
            self.sent = sent
            self.clauses = clauses
        }
    }

    private static let none: String? = nil
    private static let nested: String?? = .some(nil)
    private static let list: [String?] = [nil, "x"]

    static let rows = [
        Row("a form of strings", sends: "b=1") {
            PATCH("a")
            Body.Format(as: .form)
            Body(["a": none, "b": "1"])
        },
        Row("a form of several types", sends: "b=1") {
            PATCH("a")
            Body.Format(as: .form)
            Body(["a": none, "b": 1])
        },
        Row("a form of several types, nested nil", sends: "b=1") {
            PATCH("a")
            Body.Format(as: .form)
            Body(["a": nested, "b": 1])
        },
        Row("a form of several types under a key", sends: "o%5Bb%5D=1") {
            PATCH("a")
            Body.Format(as: .form)
            Body(["a": none, "b": 1], under: "o")
        },
        Row("a form of several types with an array", sends: "b=1&c%5B%5D=x") {
            PATCH("a")
            Body.Format(as: .form(arrays: .brackets))
            Body(["a": none, "b": 1, "c": list])
        },
        Row("a form of several types, explicit null", sends: "a=&b=1") {
            PATCH("a")
            Body.Format(as: .form)
            Body(["a": Nullable<String>.null, "b": 1])
        },
        Row("a form of several types, JSON null", sends: "a=&b=1") {
            PATCH("a")
            Body.Format(as: .form)
            Body(["a": JSONValue.null, "b": 1])
        },
        Row("a form of several types, a declared text of null", sends: "b=1") {
            PATCH("a")
            Body.Format(as: .form(nulls: .text("null")))
            Body(["a": none, "b": 1])
        },
        Row("JSON of strings", sends: #"{"a":null,"b":"1"}"#) {
            PATCH("a")
            Body(["a": none, "b": "1"])
        },
        Row("JSON of several types", sends: #"{"a":null,"b":1}"#) {
            PATCH("a")
            Body(["a": none, "b": 1])
        },
    ]

    @Test(
        "Nil is omitted from a form literal and is null in a JSON literal, regardless of the other values' types",
        arguments: rows
    )
    func bodies(_ row: Row) throws {
        let endpoint = Endpoint(
            client: Client(Shop.url),
            scopes: row.clauses().flattened,
            target: RequestBuilder.Target(),
            reader: ValueReader<Void>.ignoring
        )
        #expect(try endpoint.plan().body?.bytes.map { String(decoding: $0, as: UTF8.self) } == row.sent)
    }

    @Test("Nil is omitted from form-encoded part and query literals")
    func partsAndQueries() throws {
        let endpoint: Endpoint<Void> = Client(Shop.url).endpoint {
            POST("a")
            Query(["a": Self.none, "b": "1"])
            Multipart {
                Multipart.Part(formEncoding: ["a": Self.none, "b": "1"])
                Multipart.Part("c", Self.none)
            }
        }
        let plan = try endpoint.plan()
        #expect(plan.url.query() == "b=1")
        let curl = plan.curl()
        #expect(curl.contains("b=1") && !curl.contains("a="))
    }
}
