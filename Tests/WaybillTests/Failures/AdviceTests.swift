import CallSupport
import Foundation
import Testing
import Waybill
import WaybillCaching
import WaybillTesting

/// The advice in error texts, and declarations that follow it.
@Suite("Error advice")
struct AdviceTests {
    /// A declaration that fails, the advice in the error's text, and the corrected declaration.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let response: @Sendable (ReceivedRequest) -> StubResponse
        let advice: String
        let wrong: @Sendable (Shop) async throws -> Void
        let right: @Sendable (Shop) async throws -> Void

        init(
            _ testDescription: String,
            _ response: StubResponse,
            _ advice: String,
            wrong: @escaping @Sendable (Shop) async throws -> Void,
            right: @escaping @Sendable (Shop) async throws -> Void
        ) {
            self.init(testDescription, { _ in response }, advice, wrong: wrong, right: right)
        }

        init(
            _ testDescription: String,
            _ response: @escaping @Sendable (ReceivedRequest) -> StubResponse,
            _ advice: String,
            wrong: @escaping @Sendable (Shop) async throws -> Void,
            right: @escaping @Sendable (Shop) async throws -> Void
        ) {
            (self.testDescription, self.response, self.advice) = (testDescription, response, advice)
            (self.wrong, self.right) = (wrong, right)
        }
    }

    @Test(arguments: paths + clauses + envelopes + numbers + codings)
    func advice(_ row: Row) async throws {
        let response = row.response
        let shop = Shop(StubTransport { response($0) })
        let error = try #require(await failure { try await row.wrong(shop) })
        #expect(error.description.contains(row.advice), "\(error)")
        try await row.right(shop)
    }

    static let urlAdvice =
        #"GET("https://…"): this is a URL, not a path; write the part after the client's base URL, or declare a URL"#
        + " of the same origin with at:, as in GET(at: url)"

    static let paths = [
        Row("a whole URL as a path", .json("1"), urlAdvice) {
            _ = try await $0.client.get("https://shop.example/v1/a?key=hunter2", as: Int.self)
        } right: {
            _ = try await $0.client.get("a", as: Int.self)
        },
        Row("a URL of which a part is a value", .json("1"), urlAdvice) {
            let endpoint: Endpoint<Int> = $0.endpoint { GET("https://\("shop.example")//a") }
            _ = try await endpoint.send()
        } right: {
            let endpoint: Endpoint<Int> = $0.endpoint { GET(at: "https://shop.example/v1/a") }
            _ = try await endpoint.send()
        },
        Row("a URL as the path of a resource", .json("[]"), urlAdvice) {
            let products: Resource<Product, ReadOnly> = $0.resource("https://shop.example/v1/products")
            _ = try await products.list()
        } right: {
            let products: Resource<Product, ReadOnly> = $0.resource("products")
            _ = try await products.list()
        },
    ]

    static let clauses = [
        Row(
            "Decode with keys and with lone surrogates",
            .json(#"{"the_number":1}"#),
            "the same scope declares it twice; write both in one: Decode(keys: …, loneSurrogates: …)"
        ) {
            try await $0.send(Numbered.self) {
                Decode(keys: .convertFromSnakeCase)
                Decode(loneSurrogates: .replace)
            }
        } right: {
            try await $0.send(Numbered.self) { Decode(keys: .convertFromSnakeCase, loneSurrogates: .replace) }
        },
        Row(
            "Decode with keys and with dates",
            .json(#"{"the_date":0}"#),
            "the same scope declares it twice; write both in one: Decode(keys: …, dates: …)"
        ) {
            try await $0.send(Dated.self) {
                Decode(keys: .convertFromSnakeCase)
                Decode(dates: .secondsSince1970)
            }
        } right: {
            try await $0.send(Dated.self) { Decode(keys: .convertFromSnakeCase, dates: .secondsSince1970) }
        },
        Row(
            "Decode with a decoder and with keys",
            .json(#"{"the_number":1}"#),
            "the same scope declares it twice; keep Decode(with:), and give its decoder the keys"
        ) {
            try await $0.send(Numbered.self) {
                Decode(with: JSONDecoder())
                Decode(keys: .convertFromSnakeCase)
            }
        } right: {
            try await $0.send(Numbered.self) { Decode(with: snakeCaseDecoder()) }
        },
        Row("two decoders", .json("1"), "the same scope declares it twice; keep one") {
            try await $0.send(Int.self) {
                Decode(with: JSONDecoder())
                Decode(with: PropertyListDecoder())
            }
        } right: {
            try await $0.send(Int.self) { Decode(with: JSONDecoder()) }
        },
        Row(
            "strategies below a decoder that has none",
            .json(#"{"the_number":1}"#),
            "declare here, in place of the strategies, a decoder that has them: Decode(with: …)"
        ) {
            try await $0.withPropertyLists().send(Numbered.self) { Decode(keys: .convertFromSnakeCase) }
        } right: {
            try await $0.withPropertyLists().send(Numbered.self) { Decode(with: snakeCaseDecoder()) }
        },
        Row(
            "Encode with keys and with a media type",
            .json("1"),
            "the same scope declares it twice; write both in one: Encode(keys: …, contentType: …)"
        ) {
            try await $0.send(Int.self) {
                Encode(keys: .convertToSnakeCase)
                Encode(contentType: "application/vnd.api+json")
            }
        } right: {
            try await $0.send(Int.self) {
                Encode(keys: .convertToSnakeCase, contentType: "application/vnd.api+json")
            }
        },
        Row(
            "the limit of a success and that of a failure",
            .json("1"),
            "the same scope declares it twice; write both in one: BodyLimits(successBytes: …, failureBytes: …)"
        ) {
            try await $0.send(Int.self) {
                BodyLimits(successBytes: 10)
                BodyLimits(failureBytes: 10)
            }
        } right: {
            try await $0.send(Int.self) { BodyLimits(successBytes: 10, failureBytes: 10) }
        },
        Row(
            "two statuses of success",
            .json("1", status: 404),
            "the same scope declares it twice; write all statuses in one: Success(…, …)"
        ) {
            try await $0.send(Int.self) {
                Success(200)
                Success(404)
            }
        } right: {
            try await $0.send(Int.self) { Success(200, 404) }
        },
        Row(
            "two credentials in two fields",
            .json("1"),
            "the same scope declares it twice; for a request with both credentials, write them in one: Authorization(…, …)"
        ) {
            try await $0.send(Int.self) {
                Authorization(.bearer("a"))
                Authorization(.apiKey("b", header: "X-Key"))
            }
        } right: {
            try await $0.send(Int.self) { Authorization(.bearer("a"), .apiKey("b", header: "X-Key")) }
        },
        Row("two credentials in one field", .json("1"), "the same scope declares it twice; keep one") {
            try await $0.send(Int.self) {
                Authorization(.bearer("a"))
                Authorization(.bearer("b"))
            }
        } right: {
            try await $0.send(Int.self) { Authorization(.bearer("b")) }
        },
    ]

    static let envelopes = [
        Row(
            "a wrong key around an item",
            .json(#"{"item":{"the_number":1},"meta":{},"count":1}"#),
            #"no key of the body is the "data" of Envelope; declare Envelope("item") or Envelope("meta"), or"#
                + " Envelope.none for a body without an envelope"
        ) {
            try await $0.send(Snake.self) { Envelope("data") }
        } right: {
            try await $0.send(Snake.self) { Envelope("item") }
        },
        Row(
            "a wrong key around a list",
            .json(#"{"results":[1,2],"meta":{}}"#),
            #"no key of the body is the "items" of Envelope; declare Envelope("results")"#
        ) {
            try await $0.send([Int].self) { Envelope("items") }
        } right: {
            try await $0.send([Int].self) { Envelope("results") }
        },
        Row(
            "a wrong second key",
            .json(#"{"data":{"rows":[1]}}"#),
            #"no key of the body is the "items" of Envelope; declare Envelope("data", "rows")"#
        ) {
            try await $0.send([Int].self) { Envelope("data", "items") }
        } right: {
            try await $0.send([Int].self) { Envelope("data", "rows") }
        },
        Row(
            "an envelope for a body without one",
            .json(#"{"the_number":1}"#),
            #"no key of the body is the "data" of Envelope; declare Envelope.none for a body without an envelope"#
        ) {
            try await $0.send(Snake.self) { Envelope("data") }
        } right: {
            try await $0.send(Snake.self) { Envelope.none }
        },
    ]

    static let numbers = ["1.5", "15e-1", "-0.1", "1.000000000000000000000000000000000001"].map { text in
        Row(
            "\(text) as Int",
            .json("[\(text)]"),
            " is not a whole number; declare Double or Decimal for it"
        ) {
            try await $0.send([Int].self)
        } right: {
            try await $0.send([Double].self)
            if text.count < 30 { try await $0.send([Decimal].self) }
        }
    }

    static let codings = [
        Row(
            "a content coding that is not undone",
            { request in
                request.headerFields[.acceptEncoding] == "identity"
                    ? .json("1") : .json("\u{1F}x").header("Content-Encoding", "compress")
            },
            "the body still has the content coding compress, which this transport does not decode; declare"
                + " Header(\"Accept-Encoding\", \"identity\") for a body without one, or `Data` for the coded bytes"
        ) {
            try await $0.send(Int.self)
        } right: {
            try await $0.send(Int.self) { Header("Accept-Encoding", "identity") }
            _ = try await $0.client.get("a", as: Data.self)
        }
    ]

    @Test("A number out of range is not reported as a fraction")
    func outOfRange() async throws {
        let shop = Shop(StubTransport { _ in .json("[18446744073709551616]") })
        let error = try #require(await failure { try await shop.send([Int].self) })
        #expect(error.description.contains("does not fit into the type"))
    }

    @Test("A body labeled with a content coding that it does not use is decoded")
    func falseCoding() async throws {
        let shop = Shop(StubTransport { _ in .json("[1]").header("Content-Encoding", "gzip") })
        try await shop.send([Int].self)
    }

    @Test("A cache miss of a cache-only call does not mention middleware", arguments: [true, false])
    func cacheMiss(hasCache: Bool) async throws {
        let stub = StubTransport { _ in .json("1") }
        let shop = Shop(stub) { if hasCache { Cached(in: HTTPCache(maximumBytes: 1_000_000)) } }
        let error = try #require(
            await failure { try await shop.client.get("a", as: Int.self) { Cached.Policy(.onlyIfCached) } }
        )
        #expect(
            error.description == """
                GET a was not sent: the cache has no usable response, and the call may only use the cache; another \
                Cached.Policy sends a request
                  https://shop.example/v1/a
                """
        )
        #expect(stub.requests.isEmpty)
        #expect(try await shop.client.get("a", as: Int.self) { Cached.Policy(.default) } == 1)
    }

    struct Silent: Decodable, Sendable, CustomStringConvertible {
        var code: String?
        var description: String { code ?? "" }
    }

    @Test(
        "A problem with an empty description falls back to the body",
        arguments: [("{}", "{}"), (#"{"error":"full"}"#, #"{"error":"full"}"#)]
    )
    func emptyProblem(body: String, shown: String) async throws {
        let shop = Shop(StubTransport { _ in .json(body, status: 400) }) { Problem(Silent.self) }
        let error = try #require(await failure { try await shop.client.get("a", as: Int.self) })
        #expect(error.problem(as: Silent.self) != nil)
        #expect(
            error.description == """
                GET a failed: 400 Bad Request
                  https://shop.example/v1/a
                  the body has \(body.utf8.count) bytes of application/json:
                    \(shown)
                """
        )
    }

    @Test("A merge patch removes a member that becomes null; a JSON Patch sets it to null")
    func null() throws {
        let (old, new): (JSONValue, JSONValue) = (["a": 1, "b": 2], ["a": nil, "b": 2])
        let patch = try #require(JSONValue.mergePatch(from: old, to: new))
        #expect(old.applying(mergePatch: patch) == ["b": 2])
        #expect(try old.applying(JSONPatch(from: old, to: new)) == new)
    }

    @Test("An item whose problem has an empty description is described by the problem's type")
    func emptyItemProblem() async throws {
        enum Bulk: BatchCreatable {}
        let products: Resource<Product, Bulk> = Shop(StubTransport { _ in .json(#"[{"error":{}}]"#) })
            .resource("products") { WriteResult.ItemProblem(Silent.self, at: "error") }
        let error = try #require(await failure { try await products.create([.init(name: "")]) })
        #expect(error.description.hasSuffix("[0]: an empty Silent"))
    }
}

private struct Dated: Decodable, Sendable { var theDate: Date }
private struct Numbered: Decodable, Sendable { var theNumber: Int }

private struct Snake: Decodable, Sendable {
    var theNumber: Int
    enum CodingKeys: String, CodingKey { case theNumber = "the_number" }
}

private func snakeCaseDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
}

extension Shop {
    /// Returns a shop with a fixed JSON response, whose client decodes property lists.
    fileprivate func withPropertyLists() -> Shop {
        Shop(StubTransport { _ in .json(#"{"the_number":1}"#) }) { Decode(with: PropertyListDecoder()) }
    }

    /// Sends `GET a` with the clauses in a single scope.
    fileprivate func send<Value: Decodable & Sendable>(
        _ type: Value.Type,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws {
        _ = try await client.get("a", as: Value.self, clauses)
    }
}
