import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Response metadata")
struct MetadataTests {
    @Test("Metadata beside the data is typed, and can be optional")
    func metadata() async throws {
        struct Meta: Decodable, Sendable, Equatable { let total: Int }
        struct Links: Decodable, Sendable { let next: String }
        let shop = Shop(responses: ["GET a": .json(#"{"data":[],"meta":{"total":3}}"#)])
        let endpoint: Endpoint<[Product]> = shop.endpoint {
            GET("a")
            Envelope("data")
            Metadata(Meta.self, at: "meta")
            Metadata(Links?.self, at: "links")
        }
        let response = try await endpoint.response()
        #expect(response.metadata(Meta.self) == Meta(total: 3))
        #expect(response.metadata(Links.self) == nil)
        #expect(response.body == Data(#"{"data":[],"meta":{"total":3}}"#.utf8))

        let missing: Endpoint<[Product]> = shop.endpoint {
            GET("a")
            Envelope("data")
            Metadata(Links.self, at: "links")
        }
        let error = await failure { try await missing.send() }
        guard case .decoding = error else {
            Issue.record("expected a decoding failure")
            return
        }
    }

    @Test("Metadata of an endpoint without a value is decoded")
    func metadataOfVoid() async throws {
        struct Meta: Decodable, Sendable { let total: Int }
        let shop = Shop(responses: ["POST a": .json(#"{"total":3}"#)])
        let endpoint: Endpoint<Void> = shop.endpoint {
            POST("a")
            Metadata(Meta.self)
        }
        #expect(try await endpoint.response().metadata(Meta.self)?.total == 3)
    }

    struct Total: RawRepresentable, Decodable, Sendable, Equatable { let rawValue: Int }

    struct Token: RawRepresentable, Decodable, Sendable, Equatable { let rawValue: String }

    enum Tier: String, Decodable, Sendable { case free, paid }

    /// A header field and its typed value.
    struct FieldRow: CustomTestStringConvertible {
        let testDescription: String
        let field: String
        var decode = Decode()
        let value: @Sendable (Client, Decode) async throws -> any Sendable
        let expected: @Sendable (any Sendable) -> Bool

        init<Value: Decodable & Sendable & Equatable>(
            _ name: String,
            _ field: String,
            _ expected: Value,
            _ decode: Decode = Decode()
        ) {
            testDescription = name
            self.field = field
            self.decode = decode
            value = { client, decode in
                let endpoint: Endpoint<[Product]> = client.endpoint {
                    GET("a")
                    Metadata(Value.self, field: "x-value")
                    decode
                }
                return try #require(try await endpoint.response().metadata(Value.self))
            }
            self.expected = { $0 as? Value == expected }
        }
    }

    static let fieldRows = [
        FieldRow("an integer", "42", 42),
        FieldRow("a number of a type of its own", "42", Total(rawValue: 42)),
        FieldRow("a fraction", "-1.5", -1.5),
        FieldRow("a decimal", "0.10", Decimal(string: "0.1") ?? 0),
        FieldRow("a Boolean", "true", true),
        FieldRow("a text", "a \"b\" \\ c", #"a "b" \ c"#),
        FieldRow("a text that could be a number", "007", "007"),
        FieldRow("a text of a type of its own", "t0k3n", Token(rawValue: "t0k3n")),
        FieldRow("a case", "paid", Tier.paid),
        FieldRow("a URL", "https://shop.example/a", URL(string: "https://shop.example/a") ?? Shop.url),
        FieldRow("an HTTP date", "Thu, 01 Jan 1970 00:01:00 GMT", Date(timeIntervalSince1970: 60)),
        FieldRow("an ISO 8601 date", "1970-01-01T00:01:00Z", Date(timeIntervalSince1970: 60)),
        FieldRow("a number of seconds", "60", Date(timeIntervalSince1970: 60), Decode(dates: .secondsSince1970)),
        FieldRow("a number, by Foundation's decoder", "42", 42, Decode(with: JSONDecoder())),
        FieldRow("a number, by a decoder of another format", "42", 42, Decode(with: Lines())),
        FieldRow("a JSON value", "42", JSONValue.string("42")),
    ]

    /// A decoder for a format other than JSON.
    struct Lines: ResponseDecoder {
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            guard let list = [Product]() as? Value else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no list"))
            }
            return list
        }
    }

    private static func response(_ field: String?) -> StubResponse {
        var response = StubResponse.json("[]")
        response.headerFields["X-Value"] = field
        return response
    }

    @Test("Metadata in a header field is decoded by the call's decoder", arguments: fieldRows)
    func fields(_ row: FieldRow) async throws {
        let client = Shop(StubTransport { _ in Self.response(row.field) }).client
        let value = try await row.value(client, row.decode)
        #expect(row.expected(value), "\(value)")
    }

    @Test("Metadata in a header field is available for every kind of call")
    func formsOfCalls() async throws {
        let stub = StubTransport { request in
            var response = Self.response("7")
            if request.method == .delete || request.method == .put { response = .status(204) }
            if request.method == .get, request.path.hasSuffix("/7") { response = .json(#"{"id":7,"name":"L"}"#) }
            response.headerFields["X-Value"] = "7"
            return response
        }
        let shop = Shop(stub) {
            Metadata(Total.self, field: "X-Value")
            WriteResult(.sent)
        }
        let products = shop.products
        let paged: Resource<Product, ReadWrite> = shop.resource("products") { Paginated(.pageNumber()) }
        let lamp = Product(id: 7, name: "L")
        let bytes: Endpoint<Data> = shop.endpoint { GET("a") }
        let head: Endpoint<Void> = shop.endpoint { HEAD("a") }
        let seven = Total(rawValue: 7)
        #expect(try await products.endpoints.list().response().metadata(Total.self) == seven)
        #expect(try await products.endpoints.read(7).response().metadata(Total.self) == seven)
        #expect(try await products.endpoints.update(lamp).response().metadata(Total.self) == seven)
        #expect(try await products.endpoints.delete(7).response().metadata(Total.self) == seven)
        #expect(try await bytes.response().metadata(Total.self) == seven)
        #expect(try await head.response().metadata(Total.self) == seven)
        #expect(try await paged.page().response.metadata(Total.self) == seven)
    }

    @Test("An optional field can be missing; a missing required field or an unreadable one is an error")
    func missingFields() async throws {
        func endpoint(_ field: String?, _ metadata: Metadata, _ secret: Secret = Secret()) -> Endpoint<[Product]> {
            Shop(StubTransport { _ in Self.response(field) }).endpoint {
                GET("a")
                metadata
                secret
            }
        }
        let optional = Metadata(Total?.self, field: "X-Value")
        #expect(try await endpoint(nil, optional).response().metadata(Total.self) == nil)
        let cases: [(Endpoint<[Product]>, String)] = [
            (
                endpoint(nil, Metadata(Total.self, field: "X-Value")),
                """
                GET a returned 200 OK, and its field X-Value does not decode as Total
                  https://shop.example/v1/a
                  the response has no field X-Value; if a response may omit it, declare Metadata(Total?.self, \
                field: "X-Value")
                """
            ),
            (
                endpoint("many", optional),
                """
                GET a returned 200 OK, and its field X-Value does not decode as Total
                  https://shop.example/v1/a
                  X-Value: expected an integer (Int), found the string "many"
                """
            ),
            (
                endpoint("many", optional, Secret("x_value")),
                """
                GET a returned 200 OK, and its field X-Value does not decode as Total
                  https://shop.example/v1/a
                  the value of X-Value, which is secret, is not one of Total
                """
            ),
        ]
        for (endpoint, text) in cases {
            #expect(await failure { try await endpoint.send() }?.description == text)
        }
    }

    @Test("If metadata of one type is declared twice, the inner scope wins")
    func innerScope() async throws {
        let shop = Shop(StubTransport { _ in Self.response("7") }) { Metadata(Total.self, field: "X-Other") }
        let endpoint: Endpoint<[Product]> = shop.endpoint {
            GET("a")
            Metadata(Total.self, field: "X-Value")
        }
        #expect(try await endpoint.response().metadata(Total.self) == Total(rawValue: 7))
    }

    @Test("A failed status is not reported as missing metadata")
    func failedStatus() async throws {
        let shop = Shop(StubTransport { _ in .json("{}", status: 404) }) { Metadata(Total.self, field: "X-Value") }
        #expect(await failure { try await shop.products.read(7) }?.status == 404)
    }

    @Test("A secret metadata field is redacted from the response's descriptions")
    func secretField() async throws {
        let shop = Shop(StubTransport { _ in Self.response("t0k3n-of-ann") }) { Secret("X-Value") }
        let endpoint: Endpoint<[Product]> = shop.endpoint {
            GET("a")
            Metadata(Token.self, field: "X-Value")
        }
        let response = try await endpoint.response()
        #expect(response.metadata(Token.self)?.rawValue == "t0k3n-of-ann")
        var dumped = ""
        dump(response, to: &dumped)
        for text in ["\(response)", "\(response.headerFields)", dumped] { #expect(!text.contains("t0k3n-of-ann")) }
    }

    @Test("An invalid metadata field name is a declaration error, and an explanation shows the field")
    func declarations() throws {
        let wrong: Endpoint<Void> = Shop().endpoint {
            GET("a")
            Metadata(Total.self, field: "X Total")
        }
        let error = #expect(throws: APIError.self) { try wrong.plan() }
        #expect("\(error.map { "\($0)" } ?? "")".contains(#"Metadata(Total.self, field: "X Total"): no header field"#))
        let endpoint: Endpoint<Void> = Shop().endpoint {
            GET("a")
            Metadata(Total?.self, field: "X-Total")
        }
        #expect(try endpoint.explanation.contains("Metadata: Total, if present, in the field X-Total"))
    }
}
