import Foundation
import Testing
import Waybill

@Suite("Literal bodies")
struct BodyLiteralTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let clauses: @Sendable () -> Scope

        init(_ name: String, _ body: String, @Scope.EndpointBuilder _ clauses: @escaping @Sendable () -> Scope) {
            testDescription = name
            self.body = body
            self.clauses = clauses
        }
    }

    private static let id = "a7"
    private static let count: Int? = nil
    private static let moment = Date(timeIntervalSince1970: 1_777_636_800)

    static let rows = [
        Row("Values of several types", #"{"count":1,"id":"a7"}"#) {
            POST("p")
            Body(["id": id, "count": 1])
        },
        Row("Values of one type stay a dictionary of that type", #"{"a":1,"b":2}"#) {
            POST("p")
            Body(["a": 1, "b": 2])
        },
        Row("An object below is JSON", #"{"order":{"count":1,"id":"a7"}}"#) {
            POST("p")
            Body(["order": ["id": .string(id), "count": 1]])
        },
        Row("A list of several types", #"[1,"a",null]"#) {
            POST("p")
            Body([1, "a", nil])
        },
        Row("A value that is nil is null, as in every dictionary", #"{"count":null,"id":"a7"}"#) {
            POST("p")
            Body(["id": id, "count": count])
        },
        Row("A date is written by the encoder in scope", #"{"at":1777636800,"id":"a7"}"#) {
            POST("p")
            Body(["id": id, "at": moment])
            Encode(dates: .secondsSince1970)
        },
        Row("Under keys", #"{"data":{"p":{"count":1,"id":"a7"}}}"#) {
            POST("p")
            Body(["id": id, "count": 1], under: "data", "p")
        },
        Row("JSON under keys", #"{"data":{"a":[1,"x"]}}"#) {
            POST("p")
            Body(["a": [1, "x"]], under: "data")
        },
        Row("Under the keys of the scope", #"{"item":{"count":1,"id":"a7"}}"#) {
            POST("p")
            Body(["id": id, "count": 1])
            Body.Format(under: "item")
        },
        Row("As a form", "count=1&id=a7") {
            POST("p")
            Body(["id": id, "count": 1])
            Body.Format(as: .form)
        },
    ]

    @Test("A literal body encodes like a value of a declared type", arguments: rows)
    func body(_ row: Row) throws {
        let client = Client(try #require(URL(string: "https://shop.example")))
        let plan = try RequestBuilder(client: client.scopes, scopes: row.clauses().flattened).plan()
        let text = String(decoding: try #require(plan.body?.bytes), as: UTF8.self)
        #expect(text == row.body)
    }

    @Test("The error for an unencodable literal body names the member")
    func error() {
        let client = Client(URL(fileURLWithPath: "/"))
        let endpoint: Endpoint<Void> = client.endpoint {
            POST("p")
            Body(["id": "a7", "weight": Double.nan])
        }
        #expect(performing: { try endpoint.plan() }, throws: { "\($0)".contains("weight") })
    }
}
