import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("A call, from its declaration to its value")
struct CallTests {
    @Test("Void, optionals, bytes and lists take a body, or none, for what it is")
    func values() async throws {
        let shop = Shop(answering: [
            "GET empty": .status(204), "GET null": .json("null"), "GET lamp": .json(#"{"id":1,"name":"Lamp"}"#),
            "GET text": .text("not JSON"),
        ])
        let client = shop.client
        try await client.endpoint { GET("empty") }.send()
        try await client.endpoint { GET("text") }.send()
        #expect(try await client.get("empty", as: Product?.self) == nil)
        #expect(try await client.get("null", as: Product?.self) == nil)
        #expect(try await client.get("lamp", as: Product?.self)?.name == "Lamp")
        #expect(try await client.get("lamp", as: Product.self).id == 1)
        #expect(try await client.get("text", as: Data.self) == Data("not JSON".utf8))
        #expect(try await client.get("empty", as: Data.self).isEmpty)
    }

    @Test("a response has the fields behind its body")
    func trailerFields() async throws {
        struct Trailing: Transport {
            func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
                let body = AsyncStream { continuation in
                    continuation.yield(Data("[1]".utf8))
                    continuation.finish()
                }
                return HTTPResponse(status: 200, body: HTTPBody(body) { [HTTPField(name: .eTag, value: "7")] })
            }
        }
        let sums: Endpoint<[Int]> = Client(Shop.url, transport: Trailing()).endpoint { GET("sums") }
        let response = try await sums.response()
        #expect(response.value == [1])
        #expect(response.map(\.count).trailerFields[.eTag] == "7")
    }

    struct Enveloped: CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let envelope: Envelope
    }

    @Test(
        "An envelope of any depth, for every decoder",
        arguments: [
            Enveloped(testDescription: "a key", body: #"{"data":{"id":1,"name":"L"}}"#, envelope: Envelope("data")),
            Enveloped(
                testDescription: "keys",
                body: #"{"a":{"b":{"id":1,"name":"L"}},"c":1}"#,
                envelope: Envelope("a", "b")
            ),
            Enveloped(
                testDescription: "a place",
                body: #"{"a":[0,{"id":1,"name":"L"}]}"#,
                envelope: Envelope("a", 1)
            ),
            Enveloped(
                testDescription: "a place from the end",
                body: #"[5,6,{"id":1,"name":"L"}]"#,
                envelope: Envelope(-1)
            ),
            Enveloped(
                testDescription: "an item's key",
                body: #"{"product":{"id":1,"name":"L"}}"#,
                envelope: Envelope(item: "product", list: "products")
            ),
            Enveloped(
                testDescription: "a key that the decoder converts",
                body: #"{"the_data":{"id":1,"name":"L"}}"#,
                envelope: Envelope("the_data")
            ),
            Enveloped(
                testDescription: "another spelling of a key",
                body: #"{"the_data":{"id":1,"name":"L"},"The":0}"#,
                envelope: Envelope("theData")
            ),
            Enveloped(testDescription: "none", body: #"{"id":1,"name":"L"}"#, envelope: .none),
        ]
    )
    func envelopes(_ row: Enveloped) async throws {
        let shop = Shop(answering: ["GET a": .json(row.body)])
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        let decodes = [
            Decode(), Decode(keys: .convertFromSnakeCase), Decode(keys: .custom { $0[$0.count - 1] }),
            Decode(with: JSONDecoder()), Decode(with: foundation),
        ]
        for decode in decodes {
            let endpoint: Endpoint<Product> = shop.endpoint {
                GET("a")
                row.envelope
                decode
            }
            #expect(try await endpoint.send() == Product(id: 1, name: "L"))
        }
    }

    @Test("An envelope works with a decoder of another format")
    func propertyList() async throws {
        let plist = try PropertyListEncoder().encode(["data": [Product(id: 1, name: "L")]])
        let shop = Shop(answering: ["GET a": .answer(.bytes(plist))])
        let endpoint: Endpoint<[Product]> = shop.endpoint {
            GET("a")
            Envelope("data")
            Decode(with: PropertyListDecoder())
        }
        #expect(try await endpoint.send() == [Product(id: 1, name: "L")])
    }

    @Test(
        "Of keys that are alike only the exact one is taken, and none where two could be meant",
        arguments: [
            (#"{"the_data":1,"theData":2}"#, Envelope("theData"), 2),
            (#"{"the_data":1,"thedata":2}"#, Envelope("theData"), nil),
            (#"{"data":null}"#, Envelope("data", "x"), nil), (#"{"data":[1]}"#, Envelope("data", -2), nil),
        ] as [(String, Envelope, Int?)]
    )
    func similarKeys(body: String, envelope: Envelope, value: Int?) async {
        let shop = Shop(answering: ["GET a": .json(body)])
        for decode in [Decode(), Decode(with: JSONDecoder())] {
            let endpoint: Endpoint<Int> = shop.endpoint {
                GET("a")
                envelope
                decode
            }
            let found = try? await endpoint.send()
            #expect(found == value)
        }
    }

    @Test("Metadata beside the data is typed, and optional where it is declared so")
    func metadata() async throws {
        struct Meta: Decodable, Sendable, Equatable { let total: Int }
        struct Links: Decodable, Sendable { let next: String }
        let shop = Shop(answering: ["GET a": .json(#"{"data":[],"meta":{"total":3}}"#)])
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
        let error = await failure { () async throws(APIError) in try await missing.send() }
        guard case .decoding = error else {
            Issue.record("expected a decoding failure")
            return
        }
    }

    @Test("Metadata of an endpoint without a value")
    func metadataOfVoid() async throws {
        struct Meta: Decodable, Sendable { let total: Int }
        let shop = Shop(answering: ["POST a": .json(#"{"total":3}"#)])
        let endpoint: Endpoint<Void> = shop.endpoint {
            POST("a")
            Metadata(Meta.self)
        }
        #expect(try await endpoint.response().metadata(Meta.self)?.total == 3)
    }

    @Test("Statuses that count as success, and those that do not any more")
    func success() async throws {
        let shop = Shop(answering: ["GET a": .status(304), "GET b": .status(200)])
        let notModified: Endpoint<Product?> = shop.endpoint {
            GET("a")
            Success(.success, 304)
        }
        let response = try await notModified.response()
        #expect(response.value == nil)
        #expect(response.status == 304)
        let created: Endpoint<Void> = shop.endpoint {
            GET("b")
            Success(201)
        }
        let error = await failure { () async throws(APIError) in try await created.send() }
        #expect(error?.status == 200)
    }

    struct Complaint: Decodable, Sendable, Equatable { let code: String }
    struct Details: Decodable, Sendable, Equatable { let fields: [String] }
    struct Slack: Decodable, Sendable, Equatable { let ok: Bool, error: String? }

    struct Problematic: CustomTestStringConvertible {
        let testDescription: String
        let answer: Answer
        let complaint: Complaint?
        var details: Details?
        var isFailure = true
    }

    @Test(
        "A failed response's body is typed by status and content type",
        arguments: [
            Problematic(
                testDescription: "any failure",
                answer: .json(#"{"code":"x"}"#, status: 500),
                complaint: Complaint(code: "x")
            ),
            Problematic(
                testDescription: "a status of its own",
                answer: .json(#"{"errors":{"fields":["a"]}}"#, status: 422),
                complaint: nil,
                details: Details(fields: ["a"])
            ),
            Problematic(
                testDescription: "a status of its own with the general body",
                answer: .json(#"{"code":"x"}"#, status: 422),
                complaint: Complaint(code: "x")
            ),
            Problematic(
                testDescription: "a body of another type",
                answer: .text(#"{"code":"x"}"#, status: 500),
                complaint: nil
            ),
            Problematic(
                testDescription: "a body of another shape",
                answer: .json(#"{"kode":"x"}"#, status: 400),
                complaint: nil
            ),
            Problematic(
                testDescription: "a success with an error under a key",
                answer: .json(#"{"failure":{"code":"x"}}"#),
                complaint: Complaint(code: "x")
            ),
            Problematic(
                testDescription: "a success without one",
                answer: .json(#"{"failure":null}"#),
                complaint: nil,
                isFailure: false
            ),
        ]
    )
    func problems(_ row: Problematic) async {
        let shop = Shop(answering: ["GET a": .answer(row.answer)]) {
            Problem(Complaint.self)
            Problem(Complaint.self, on: .success, at: "failure")
        }
        let endpoint: Endpoint<Void> = shop.endpoint {
            GET("a")
            Problem(Details.self, on: 422, at: "errors")
        }
        let error = await failure { () async throws(APIError) in try await endpoint.send() }
        #expect((error != nil) == row.isFailure)
        #expect(error?.problem(as: Complaint.self) == row.complaint)
        #expect(error?.problem(as: Details.self) == row.details)
    }

    @Test("A 200 that is none, by a condition on its body")
    func conditionalProblem() async throws {
        let shop = Shop(answering: [
            "GET bad": .json(#"{"ok":false,"error":"no_auth"}"#), "GET good": .json(#"{"ok":true,"id":1,"name":"L"}"#),
        ]) {
            Problem(Slack.self, on: .success, when: { !$0.ok })
        }
        #expect(try await shop.client.get("good", as: Product.self).id == 1)
        let error = await failure { () async throws(APIError) in try await shop.client.get("bad", as: Product.self) }
        #expect(error?.problem(as: Slack.self)?.error == "no_auth")
        #expect(error?.status == 200)
    }

    @Test(
        "Items that cannot be decoded are dropped when asked for, and reported",
        arguments: [Decode(), Decode(with: JSONDecoder())]
    )
    func droppedItems(decode: Decode) async throws {
        let shop = Shop(answering: [
            "GET products": .json(#"{"data":[{"id":1,"name":"L"},{"id":"x"},{"id":2,"name":"M"},7]}"#)
        ])
        let endpoint: Endpoint<[Product]> = shop.endpoint {
            GET("products")
            Envelope("data")
            DropInvalidItems()
            decode
        }
        let response = try await endpoint.response()
        #expect(response.value.map(\.id) == [1, 2])
        #expect(response.droppedItems.map(\.index) == [1, 3])
        #expect(response.droppedItems.allSatisfy { $0.error is DecodingError })

        let strict: Endpoint<[Product]> = shop.endpoint {
            GET("products")
            Envelope("data")
        }
        let error = await failure { () async throws(APIError) in try await strict.send() }
        guard case .decoding = error else {
            Issue.record("expected a decoding failure")
            return
        }
    }

    @Test("A key of which some server writes two is the first one, and a document that is no JSON is refused")
    func strictness() async throws {
        let shop = Shop(answering: [
            "GET twice": .json(#"{"id":1,"id":2,"name":"L"}"#), "GET comma": .json(#"[1,2,]"#),
        ])
        #expect(try await shop.client.get("twice", as: Product.self).id == 1)
        let error = await failure { () async throws(APIError) in try await shop.client.get("comma", as: [Int].self) }
        #expect(error?.description.contains("line 1, column 6: expected a value after ',', found ']'") == true)
    }

    @Test("A body in UTF-16 is read, and its errors say where")
    func utf16() async throws {
        let body = try #require(#"{"id":1,"name":2}"#.data(using: .utf16))
        let shop = Shop(answering: ["GET a": .answer(.bytes(body))])
        let error = await failure { () async throws(APIError) in try await shop.client.get("a", as: Product.self) }
        guard case .decoding(let failure) = error else {
            Issue.record("expected a decoding failure")
            return
        }
        #expect(failure.path == "name")
        #expect(failure.position?.column == 16)
    }

    @Test("Dates are ISO 8601 with and without fractions, both ways")
    func dates() async throws {
        let shop = Shop(answering: ["GET a": .json(#"["2026-05-01T12:00:00Z","2026-05-01T14:00:00.250+02:00"]"#)])
        let dates = try await shop.client.get("a", as: [Date].self)
        #expect(dates.map(\.timeIntervalSince1970) == [1_777_636_800, 1_777_636_800.25])
    }

    @Test("The credential is asked for each time, and endpoints can go without")
    func credentials() async throws {
        actor Tokens {
            var count = 0
            func next() -> String {
                count += 1
                return "t\(count)"
            }
        }
        let tokens = Tokens()
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) { Authorization(.bearer { await tokens.next() }) }
        _ = try await client.head("a")
        _ = try await client.head("a")
        try await client.endpoint {
            GET("public")
            Authorization.none
        }.send()
        try await client.endpoint {
            GET("other")
            Authorization(.scheme("Token", "abc"))
        }.send()
        #expect(
            stub.requests.map { $0.headerFields[.authorization] } == ["Bearer t1", "Bearer t2", nil, "Token abc"]
        )
    }

    @Test("Middleware: the farthest first, each around the next, with the template at hand")
    func middleware() async throws {
        struct Mark: Middleware {
            let name: String
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var request = request
                let marks = request.headerFields[.prefer].map { $0 + " " } ?? ""
                request.headerFields[.prefer] = marks + name
                var response = try await next(request)
                let seen = response.headerFields[.vary].map { $0 + " " } ?? ""
                response.headerFields[.vary] = seen + name
                return response
            }
        }
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) {
            Use(Mark(name: "a"))
            Use(Mark(name: "b"))
        }
        let endpoint: Endpoint<Void> = client.endpoint {
            GET("x/\(1)")
            Use(Mark(name: "c"))
        }
        let response = try await endpoint.response()
        #expect(stub.requests.map { $0.headerFields[.prefer] } == ["a b c"])
        #expect(response.headerFields[.vary] == "c b a")
        #expect(stub.requests.map(\.template) == ["x/{}"])
    }

    @Test("One-line calls go the same way, with clauses where they are wanted")
    func oneLine() async throws {
        let stub = StubTransport { request in
            request.method == .get || request.method == .post || request.method == .put || request.method == .patch
                ? .json(#"{"id":1,"name":"L"}"#) : .status(204)
        }
        let client = Client(Shop.url, transport: stub)
        #expect(try await client.get("p/\(1)", as: Product.self) { Query("x", 1) }.id == 1)
        let posted: Product = try await client.post("p", body: ["name": "L"])
        #expect(posted.name == "L")
        try await client.post("p", body: ["name": "L"])
        try await client.post("p/1/activate")
        _ = try await client.put("p/1", body: ["name": "L"], as: JSONValue.self)
        try await client.put("p/1", body: ["name": "L"])
        _ = try await client.patch("p/1", body: ["name": "L"], as: [String: JSONValue].self)
        try await client.patch("p/1", body: ["name": "L"])
        try await client.delete("p/1")
        _ = try await client.head("p")
        #expect(
            stub.requests.map { "\($0.method) \($0.path)\($0.query.map { "?" + $0 } ?? "") \($0.text)" } == [
                "GET /v1/p/1?x=1 ", #"POST /v1/p {"name":"L"}"#, #"POST /v1/p {"name":"L"}"#, "POST /v1/p/1/activate ",
                #"PUT /v1/p/1 {"name":"L"}"#, #"PUT /v1/p/1 {"name":"L"}"#, #"PATCH /v1/p/1 {"name":"L"}"#,
                #"PATCH /v1/p/1 {"name":"L"}"#, "DELETE /v1/p/1 ", "HEAD /v1/p ",
            ]
        )
    }
}
