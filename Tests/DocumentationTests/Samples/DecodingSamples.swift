import Foundation
import Testing
import Waybill
import WaybillTesting

private struct Product: Entity {
    let id: Int
    var name: String

    struct Draft: RequestContent { var name: String }
}

private struct Totals: ResponseContent { let count: Int }

private struct Notice: ResponseContent { let text: String }

private struct Shop: API {
    let client: Client

    var products: Resource<Product, ReadOnly> { resource("products") }

    var drafts: Resource<Product, ReadWrite> { resource("products") }

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

@propertyWrapper
nonisolated struct Lenient<Value: Codable & LosslessStringConvertible & Sendable>: Codable, Sendable {
    var wrappedValue: Value

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Value.self) {
            wrappedValue = value
        } else if let value = Value(try container.decode(String.self)) {
            wrappedValue = value
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the text is not a \(Value.self)")
        }
    }

    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

struct Offer: Entity {
    let id: Int
    @Lenient var price: Double  // 12.5 and "12.5"
}

@Suite("Decoding.md")
struct DecodingSamples {
    @Test(
        "The wrapper in Decoding.md reads numbers and numeric strings, but no other strings",
        arguments: ["12.5", "\"12.5\"", "\"cheap\""]
    )
    func lenient(price: String) async throws {
        let client = Client(Sample.url, transport: StubTransport { _ in .json(#"[{"id":1,"price":\#(price)}]"#) })
        let offers: Resource<Offer, ReadOnly> = client.resource("offers")
        let error = await Sample.failure {
            let prices = try await offers.list().map(\.price)
            #expect(prices == [12.5])
        }
        #expect((error != nil) == (price == "\"cheap\""))
        #expect(error?.description.contains("the text is not a Double") ?? true)
    }

    private let url = Sample.url

    private func shop(_ response: StubResponse, @Scope.Builder _ clauses: () -> Scope = { Scope() }) -> Shop {
        Shop(client: Client(Sample.url, transport: StubTransport { _ in response }, clauses))
    }

    @Test("The envelopes in Decoding.md decode the bodies in the table")
    func envelopes() async throws {
        let envelopes: [(code: String, envelope: Envelope)] = [
            (#"Envelope("data")"#, Envelope("data")),
            (#"Envelope("results", "items", 0)"#, Envelope("results", "items", 0)),
            (#"Envelope("items", -1)"#, Envelope("items", -1)),
            (#"Envelope(item: "product", list: "products")"#, Envelope(item: "product", list: "products")),
            (#"Envelope(list: "data", keyedBy: "id")"#, Envelope(list: "data", keyedBy: "id")),
            (#"Envelope(list: "data", "items")"#, Envelope(list: "data", "items")),
            (
                #"Envelope(itemPath: ["data", "product"], listPath: ["rows", 0])"#,
                Envelope(itemPath: ["data", "product"], listPath: ["rows", 0])
            ),
            ("Envelope.none", Envelope.none),
        ]
        let rows = try Repository.page("Documentation/Declare/Decoding.md").rows(ofTableUnder: "Envelope")
        #expect(rows.map { $0[0] } == envelopes.map { "`\($0.code)`" })
        for (row, (_, envelope)) in zip(rows, envelopes) {
            let body = row[1].replacingOccurrences(of: "`", with: "")
            #expect(try await shop(.json(body)).client.get("a", as: Int.self) { envelope } == 7, "\(body)")
            let list = row[2].replacingOccurrences(of: "`", with: "")
            #expect(try await shop(.json(list)).client.get("a", as: [Int].self) { envelope } == [7], "\(list)")
        }
    }

    @Test("The envelopes for missing lists in Decoding.md decode the bodies in the table")
    func missingLists() async throws {
        let envelopes: [(code: String, envelope: Envelope, bodies: [(String, [Int])])] = [
            (
                #"Envelope("products", missingList: .isEmpty)"#,
                Envelope("products", missingList: .isEmpty),
                [(#"{"products":null}"#, []), ("{}", [])]
            ),
            (
                #"Envelope("products", missingList: .isOneItem)"#,
                Envelope("products", missingList: .isOneItem),
                [(#"{"products":7}"#, [7]), (#"{"products":[7]}"#, [7])]
            ),
            (
                #"Envelope("products", "product", missingList: [.isEmpty, .isOneItem])"#,
                Envelope("products", "product", missingList: [.isEmpty, .isOneItem]),
                [(#"{"products":null}"#, []), (#"{"products":{"product":7}}"#, [7])]
            ),
        ]
        let rows = try Repository.page("Documentation/Declare/Decoding.md").rows(ofTableUnder: "The server sends")
        #expect(rows.map { $0[1] } == envelopes.map { "`\($0.code)`" })
        for (_, envelope, bodies) in envelopes {
            for (body, list) in bodies {
                #expect(try await shop(.json(body)).client.get("a", as: [Int].self) { envelope } == list, "\(body)")
            }
        }
    }

    @Test("The list in Decoding.md is empty if the body is null")
    func nullList() async throws {
        let shop = shop(.json("null"))

        let archived: Endpoint<[Product]> = shop.endpoint {
            GET("products/archived")
            Envelope(missingList: .isEmpty)  // the body is null
        }

        #expect(try await archived.send().isEmpty)
    }

    @Test("The metadata in Decoding.md is decoded along with the value")
    func metadata() async throws {
        let shop = shop(.json(#"{"data":[{"id":7,"name":"Lamp"}],"meta":{"count":9}}"#))

        let response = try await shop.catalogue.response()
        print(response.value, response.metadata(Totals.self)?.count ?? 0)

        #expect(response.value.map(\.id) == [7])
        #expect(response.metadata(Totals.self)?.count == 9)
        #expect(response.metadata(Notice.self) == nil)
    }

    @Test("The metadata in a header field in Decoding.md is decoded")
    func fieldMetadata() async throws {
        var response = StubResponse.json("[]")
        response.headerFields["X-Total"] = "9"
        let shop = shop(response)

        struct Total: RawRepresentable, ResponseContent { let rawValue: Int }

        let counted: Endpoint<[Product]> = shop.endpoint {
            GET("products")
            Metadata(Total.self, field: "X-Total")
        }
        let total = try await counted.response().metadata(Total.self)?.rawValue

        #expect(total == 9)
    }

    @Test("The array indices in Decoding.md work in every path")
    func places() async throws {
        let shop = shop(.json(#"{"data":[{"id":7,"name":"Lamp"}],"meta":[{"count":9}],"counts":[3,9]}"#)) {
            Envelope("data")
            Metadata(Totals.self, at: "meta", 0)
            Paginated(.pageNumber(total: .value("counts", -1)))
        }
        #expect(try await shop.products.endpoints.list().response().metadata(Totals.self)?.count == 9)
        #expect(try await shop.products.page().total == 9)
        let failing = self.shop(.json(#"{"errors":[{"text":"no"}]}"#, status: 400)) {
            Problem(Notice.self, at: "errors", 0)
            Retry(attempts: 1, hint: .seconds(at: "errors", 0, "wait"))
        }
        let error = await Sample.failure { try await failing.products.list() }
        #expect(error?.problem(as: Notice.self)?.text == "no")
    }

    @Test("The bad items in Decoding.md are dropped and reported")
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

    @Test("The optional value and the text in Decoding.md are decoded")
    func missing() async throws {
        let shop = shop(.json(#"{"items":[]}"#))

        let current: Endpoint<Product?> = shop.endpoint {
            GET("products/current")
            Envelope("items", 0)  // {"items":[]}
        }

        #expect(try await current.send() == nil)
        let client = self.shop(.text("hi")).client

        let notes = try await client.get("notes", as: String.self) { Header(.accept, "text/plain") }

        #expect(notes == "hi")
    }

    @Test("The date formats in the table of Decoding.md are decoded and encoded")
    func dateFormats() async throws {
        let coders: [String: (Decode, Encode)] = [
            "`.iso8601(assuming: .gmt)`": (
                Decode(dates: .iso8601(assuming: .gmt)), Encode(dates: .iso8601WithoutZone(in: .gmt))
            ),
            "`.day`": (Decode(dates: .day), Encode(dates: .day)),
            "`.httpDate`": (Decode(dates: .httpDate), Encode(dates: .httpDate)),
            "`.secondsSince1970Text`": (Decode(dates: .secondsSince1970Text), Encode(dates: .secondsSince1970Text)),
            "`.millisecondsSince1970Text`": (
                Decode(dates: .millisecondsSince1970Text), Encode(dates: .millisecondsSince1970Text)
            ),
        ]
        let rows = try Repository.page("Documentation/Declare/Decoding.md").rows(ofTableUnder: "The text")
        #expect(Set(rows.map { $0[1] }) == Set(coders.keys))
        for row in rows {
            let (decode, encode) = try #require(coders[row[1]])
            let text = try #require(row[0].split(separator: "`").first.map(String.init))
            let date = Date(timeIntervalSince1970: row[1] == "`.day`" ? 1_777_593_600 : 1_777_636_800)
            let read = try await shop(.json("[\(text)]")).client.get("a", as: [Date].self) { decode }
            #expect(read == [date])
            let endpoint: Endpoint<Void> = shop(.json("")).endpoint {
                POST("a")
                Body([date])
                encode
            }
            #expect(try endpoint.body == Data("[\(text)]".utf8))
        }
    }

    @Test("The strategies and coders in Decoding.md work")
    func coders() async throws {
        let client = Client(url) {
            Decode(keys: .convertFromSnakeCase, dates: .secondsSince1970)
            Encode(keys: .convertToSnakeCase)
        }
        let endpoint: Endpoint<Int> = client.endpoint {
            POST("a")
            Body(["aB": 1])
        }
        #expect(try endpoint.explanation.contains("Decode: keys convertFromSnakeCase, dates secondsSince1970"))

        let lines = shop(.text("a\nb")) { Decode(with: Lines()) }
        #expect(try await lines.client.get("a", as: [String].self) == ["a", "b"])
        #expect(try await lines.client.get("a", as: String.self) { Envelope(-1) } == "b")

        let lists = shop(.bytes(try PropertyListEncoder().encode([7]))) {
            Decode(with: PropertyListDecoder())
            Encode(with: PropertyLists())
        }
        #expect(try await lists.client.post("a", body: [1], as: [Int].self) == [7])
    }

    @Test("The dates in Decoding.md are encoded and decoded")
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
            #expect(try endpoint.url.query()?.removingPercentEncoding == "since=\(text)")
        }
    }

    @Test("The JSON of any shape in Decoding.md is decoded")
    func anyShape() async throws {
        let client = shop(.json(#"{"items":[{"price":0.1}]}"#)).client

        let value = try await client.get("anything", as: JSONValue.self)
        let price = value["items"]?[0]?["price"]?.decimalValue

        #expect(price == Decimal(string: "0.1"))
    }

    @Test("The texts of decoding errors match Decoding.md")
    func errors() async {
        let renamed = await failure(.json(#"{"data":{"id":7,"Name":"L"}}"#)) { Envelope("data") }
        #expect(
            renamed == """
                GET products/{} returned 200 OK, but its body does not decode as Product
                  https://shop.example/products/7
                  data (line 1, column 9): the key "name" is missing; did you mean "Name"?
                      {"data":{"id":7,"Name":"L"}}
                              ^~~~~~~~~~~~~~~~~~~
                """
        )
        let cut = await failure(.json(#"{"id":7,"#))
        #expect(
            cut == """
                GET products/{} returned 200 OK, but its body does not decode as Product
                  https://shop.example/products/7
                  line 1, column 9: expected a key in double quotes after ',', found the end of the text
                      {"id":7,
                              ^
                """
        )
        let page = await failure(
            .text("<html><title>Sign in</title>").modified { $0.headerFields[.contentType] = "text/html" }
        )
        #expect(
            page == """
                GET products/{} returned 200 OK, but its body does not decode as Product
                  https://shop.example/products/7
                  the body is an HTML page and not JSON; the URL may be wrong; for the page, declare `String`
                    Sign in
                """
        )
    }

    @Test("The texts of errors in lists, indented documents and merges match Decoding.md")
    func otherErrors() async {
        let object = shop(.json(#"{"count":1,"items":[{"id":7,"name":"Lamp"}]}"#))
        let unwrapped = await Sample.failure { try await object.products.list() }
        #expect(
            unwrapped?.description == """
                GET products returned 200 OK, but its body does not decode as [Product]
                  https://shop.example/products
                  line 1, column 1: expected an array, found an object with 2 keys
                      {"count":1,"items":[{"id":7,"name":"Lamp"}]}
                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                  "items" holds an array; declare Envelope("items")
                """
        )
        let indented = shop(.json("[\n  {\n    \"id\": 7,\n    \"Name\": \"Lamp\"\n  }\n]"))
        let renamed = await Sample.failure { try await indented.products.list() }
        #expect(
            renamed?.description == """
                GET products returned 200 OK, but its body does not decode as [Product]
                  https://shop.example/products
                  [0] (line 2, column 3): the key "name" is missing; did you mean "Name"?
                          "Name": "Lamp"
                          ^~~~~~~~~~~~~~
                """
        )
        let created = shop(.json(#"{"number":7}"#, status: 201)) { WriteResult(.merged) }
        let merged = await Sample.failure {
            try await created.drafts.create(.init(name: "Lamp"))
        }
        #expect(
            merged?.description == """
                POST products returned 201 Created, but the sent value merged with its body does not decode as Product
                  https://shop.example/products
                  line 1, column 1: the key "id" is missing; there are "name" and "number"
                      {"name":"Lamp","number":7}
                      ^~~~~~~~~~~~~~~~~~~~~~~~~~
                """
        )
    }

    @Test("A decoding error has the parts shown in Decoding.md")
    func diagnosis() async throws {
        let shop = shop(.json(#"{"id":7,"Name":"L"}"#))
        let thrown = await Sample.failure { try await shop.products.read(7) }
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
        #expect(
            failure.decodingError.flatMap { WaybillJSONDecoder.Diagnosis($0) }?.summary == failure.diagnosis?.summary
        )
    }

    private func failure(_ response: StubResponse, @Scope.Builder _ clauses: () -> Scope = { Scope() }) async -> String?
    {
        let shop = shop(response, clauses)
        return await Sample.failure { try await shop.products.read(7) }?.description
    }
}
