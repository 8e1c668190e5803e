import Foundation
import Testing
import Waybill
import WaybillTesting

private struct Product: Entity {
    let id: Int
    var name: String
}

private struct Totals: Decodable, Sendable { let count: Int }

private struct Notice: Decodable, Sendable { let text: String }

private struct Shop: API {
    let client: Client

    var products: Resource<Product, ReadOnly> { resource("products") }

    var catalogue: Endpoint<[Product]> {
        endpoint {
            GET("products")
            Envelope("data")
            Metadata(Totals.self, at: "meta")
            Metadata(Notice?.self, at: "notice")  // may be missing
        }
    }
}

struct Lines: ResponseDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        return try JSONDecoder().decode(type, from: JSONEncoder().encode(lines))
    }
}

struct PropertyLists: RequestEncoder {
    let contentType = "application/x-plist"

    func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try PropertyListEncoder().encode(value)
    }
}

@Suite("Decoding.md")
struct DecodingSamples {
    private let url = Sample.url

    private func shop(_ answer: Answer, @ScopeBuilder _ clauses: () -> Scope = { Scope() }) -> Shop {
        Shop(client: Client(Sample.url, transport: StubTransport { _ in answer }, clauses))
    }

    @Test("The table of envelopes")
    func envelopes() async throws {
        let envelopes: [(code: String, envelope: Envelope)] = [
            (#"Envelope("data")"#, Envelope("data")),
            (#"Envelope("results", "items", 0)"#, Envelope("results", "items", 0)),
            (#"Envelope("items", -1)"#, Envelope("items", -1)),
            (#"Envelope(item: "product", list: "products")"#, Envelope(item: "product", list: "products")),
            ("Envelope.none", Envelope.none),
        ]
        let rows = try Repository.page("Documentation/Decoding.md").rows(ofTableUnder: "Envelope")
        #expect(rows.map { $0[0] } == envelopes.map { "`\($0.code)`" })
        for (row, (_, envelope)) in zip(rows, envelopes) {
            let body = row[1].replacingOccurrences(of: "`", with: "")
            #expect(try await shop(.json(body)).client.get("a", as: Int.self) { envelope } == 7, "\(body)")
        }
    }

    @Test("Metadata beside the value")
    func metadata() async throws {
        let shop = shop(.json(#"{"data":[{"id":7,"name":"Lamp"}],"meta":{"count":9}}"#))

        let response = try await shop.catalogue.response()
        print(response.value, response.metadata(Totals.self)?.count ?? 0)

        #expect(response.value.map(\.id) == [7])
        #expect(response.metadata(Totals.self)?.count == 9)
        #expect(response.metadata(Notice.self) == nil)
    }

    @Test("Bad items are dropped, and reported")
    func badItems() async throws {
        let shop = shop(.json(#"[{"id":7,"name":"Lamp"},{"id":8}]"#))

        let products: Endpoint<[Product]> = shop.endpoint {
            GET("products")
            DropInvalidItems()
        }
        let response = try await products.response()
        for item in response.droppedItems { print(item.index, item.error) }

        #expect(response.value.map(\.id) == [7])
        #expect(response.droppedItems.map(\.index) == [1])
    }

    @Test("Other strategies, other coders")
    func coders() async throws {
        let client = Client(url) {
            Decode(keys: .convertFromSnakeCase, dates: .secondsSince1970)
            Encode(keys: .convertToSnakeCase)
        }
        let endpoint: Endpoint<Int> = client.endpoint {
            POST("a")
            Body(["aB": 1])
        }
        #expect(try endpoint.explanation.contains("Decode: WaybillJSONDecoder"))

        let lines = shop(.text("a\nb")) { Decode(with: Lines()) }
        #expect(try await lines.client.get("a", as: [String].self) == ["a", "b"])
        #expect(try await lines.client.get("a", as: String.self) { Envelope(-1) } == "b")

        let lists = shop(.bytes(try PropertyListEncoder().encode([7]))) {
            Decode(with: PropertyListDecoder())
            Encode(with: PropertyLists())
        }
        #expect(try await lists.client.post("a", body: [1], as: [Int].self) == [7])
    }

    @Test("Dates, both ways")
    func dates() async throws {
        let moment = Date(timeIntervalSince1970: 0.5)
        for text in ["1970-01-01T00:00:00.5Z", "1970-01-01T01:00:00.500+01:00"] {
            #expect(try await shop(.json("\"\(text)\"")).client.get("a", as: Date.self) == moment)
        }
        let since: [(Query, String)] = [
            (Query("since", moment), "1970-01-01T00:00:00.500Z"), (Query("since", moment, as: .day), "1970-01-01"),
            (Query("since", moment, as: .secondsSince1970), "0"),
            (Query("since", moment, as: .millisecondsSince1970), "500"),
        ]
        for (query, text) in since {
            let endpoint: Endpoint<Int> = Client(url).endpoint {
                GET("a")
                query
            }
            #expect(try endpoint.url.value.query()?.removingPercentEncoding == "since=\(text)")
        }
    }

    @Test("JSON of any shape")
    func anyShape() async throws {
        let client = shop(.json(#"{"items":[{"price":0.1}]}"#)).client

        let value = try await client.get("anything", as: JSONValue.self)
        let price = value["items"]?[0]?["price"]?.decimalValue

        #expect(price == Decimal(string: "0.1"))
    }

    @Test("What errors say")
    func errors() async {
        let renamed = await failure(.json(#"{"data":{"id":7,"Name":"L"}}"#)) { Envelope("data") }
        #expect(
            renamed == """
                GET products/{} answered 200 OK, but its body does not decode as Product
                  https://shop.example/products/7
                  data (line 1, column 9): the key "name" is missing; did you mean "Name"?
                      {"data":{"id":7,"Name":"L"}}
                              ^~~~~~~~~~~~~~~~~~~
                """
        )
        let cut = await failure(.json(#"{"id":7,"#))
        #expect(
            cut == """
                GET products/{} answered 200 OK, but its body does not decode as Product
                  https://shop.example/products/7
                  line 1, column 9: expected a key in double quotes after ',', found the end of the text
                      {"id":7,
                              ^
                """
        )
        let page = await failure(.text("<html>").modified { $0.headerFields[.contentType] = "text/html" })
        #expect(
            page == """
                GET products/{} answered 200 OK, but its body does not decode as Product
                  https://shop.example/products/7
                  the body is text/html and not JSON; declare its decoder with Decode(with:), or `Data` for the bytes
                """
        )
    }

    @Test("The parts of what an error says")
    func diagnosis() async throws {
        let shop = shop(.json(#"{"id":7,"Name":"L"}"#))
        let thrown = await Sample.failure { () async throws(APIError) in try await shop.products.read(7) }
        let error = try #require(thrown)

        if case .decoding(let failure) = error, let diagnosis = failure.diagnosis {
            print(diagnosis.path, diagnosis.line ?? 0, diagnosis.column ?? 0)
            print(diagnosis.summary, diagnosis.nearestKey ?? "")
            for line in diagnosis.excerpt { print(line) }
        }

        guard case .decoding(let failure) = error else {
            Issue.record("expected a decoding failure")
            return
        }
        #expect(failure.diagnosis?.nearestKey == "Name")
        #expect(failure.diagnosis?.excerpt.count == 2)
        #expect(failure.diagnosis?.line == 1)
        #expect(failure.decodingError.flatMap { JSONDiagnosis($0) }?.summary == failure.diagnosis?.summary)
    }

    private func failure(_ answer: Answer, @ScopeBuilder _ clauses: () -> Scope = { Scope() }) async -> String? {
        let shop = shop(answer, clauses)
        return await Sample.failure { () async throws(APIError) in try await shop.products.read(7) }?.description
    }
}
