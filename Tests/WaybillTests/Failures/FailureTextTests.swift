import Foundation
import Testing
import Waybill
import WaybillTesting

/// Every case of `APIError`, provoked, and its text to the letter.
@Suite("Failures say what was asked, what came, and where it went wrong", .timeLimit(.minutes(5)))
struct FailureTextTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let call: @Sendable () async throws(APIError) -> Void

        init(_ name: String, _ text: String, _ call: @escaping @Sendable () async throws(APIError) -> Void) {
            testDescription = name
            self.text = text
            self.call = call
        }
    }

    @Test(arguments: rows)
    func text(_ row: Row) async throws {
        let error = try #require(await failure(row.call))
        #expect(error.description == row.text)
        #expect(error.localizedDescription == row.text)
    }

    struct Complaint: Decodable, Sendable, CustomStringConvertible {
        let code: String
        var description: String { "complaint \(code)" }
    }

    struct NoToken: Error, CustomStringConvertible { let description = "the token store is locked" }

    struct GivesUp: Middleware {
        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            throw call.failure(NoToken())
        }
    }

    private static let html = HTTPFields(
        [HTTPField(name: .contentType, value: "text/html; charset=utf-8")].compactMap { $0 }
    )

    private static func shop(_ answer: Answer, @ScopeBuilder _ clauses: () -> Scope = { Scope() }) -> Shop {
        Shop(StubTransport { _ in answer }, clauses)
    }

    /// Makes a call for what it leaves behind, and the same one again, while time stands still.
    private static func callTwice(
        _ answer: Answer,
        @ScopeBuilder _ clauses: () -> Scope
    ) async throws(APIError) {
        let client = Client(
            Shop.url,
            transport: StubTransport(["GET a": .answer(answer)]),
            clock: ManualClock(),
            dates: DateSource { Date(timeIntervalSince1970: 1_800_000_000) },
            clauses
        )
        _ = await failure { () async throws(APIError) in try await client.get("a", as: Int.self) }
        _ = try await client.get("a", as: Int.self)
    }

    private static func read(_ answer: Answer, _ id: Int = 7) -> @Sendable () async throws(APIError) -> Void {
        { () async throws(APIError) in _ = try await shop(answer).products.read(id) }
    }

    static let rows = [
        Row(
            "request",
            """
            GET users/{} could not be built; nothing was sent
              Header("X Y"): a field's name is a token: letters, digits and marks such as -, without spaces
              GET("users/{}"): a value in the path is empty; a request without it would go to another resource
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(200)).client.get("users/\("")", as: Int.self) { Header("X Y", "1") }
        },
        Row(
            "authorization",
            """
            GET a was not sent: its credential could not be had
              https://shop.example/v1/a
              the token store is locked
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(200)).client.get("a", as: Int.self) {
                Authorization(.bearer { throw NoToken() })
            }
        },
        Row(
            "authorization with a line break, which is not shown",
            """
            GET a was not sent: its credential could not be had
              https://shop.example/v1/a
              the credential has a line break or another control character in it
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(200)).client.get("a", as: Int.self) { Authorization(.bearer("a\r\nX: 1")) }
        },
        Row(
            "refused: the server wants no request",
            """
            GET a was not sent: the server wants no request before 2027-01-15T09:00:00Z
              https://shop.example/v1/a
              that is in 3600.0 seconds; Limit(…, longestWait:) waits for up to 60.0 seconds
            """
        ) { () async throws(APIError) in
            try await callTwice(.status(429).header("Retry-After", "3600")) { Limit(concurrent: 1) }
        },
        Row(
            "refused: its turn would come too late",
            """
            GET a was not sent: its turn comes at 2027-01-15T08:00:10Z, after its deadline
              https://shop.example/v1/a
              it would wait for 10.0 seconds, and has 5.0 seconds left
            """
        ) { () async throws(APIError) in
            try await callTwice(.json("1")) {
                Limit(1, per: .seconds(10))
                Timeout(.seconds(5))
            }
        },
        Row(
            "refused: the line is full",
            """
            GET a was not sent: its Limit has 0 calls waiting already
              https://shop.example/v1/a
              make fewer calls at once, or let more of them wait: Limit(…, waiting:)
            """
        ) { () async throws(APIError) in
            try await callTwice(.json("1")) { Limit(1, per: .seconds(10), waiting: 0) }
        },
        Row(
            "refused: an open circuit",
            """
            GET a was not sent: the circuit to https://shop.example is open
              https://shop.example/v1/a
              1 failure, the last at 2027-01-15T08:00:00Z; one call is tried at 2027-01-15T08:00:30Z
              the last: GET a failed: 503 Service Unavailable
            """
        ) { () async throws(APIError) in
            try await callTwice(.status(503)) { CircuitBreaker(failures: 1, for: .seconds(30)) }
        },
        Row(
            "transport",
            """
            GET products/{} got no response: no connection could be made: shop.example refuses it
              https://shop.example/v1/products/7
            """,
            read(.failure(TransportError(.cannotConnect, "shop.example refuses it")))
        ),
        Row(
            "a secret in the URL",
            """
            GET a got no response: the connection was lost
              https://shop.example/v1/a?api_key=‹redacted›&q=1
            """
        ) { () async throws(APIError) in
            _ = try await shop(.failure(TransportError(.connectionLost))).client.get("a", as: Int.self) {
                Query("api_key", "s3cret")
                Query("q", 1)
            }
        },
        Row(
            "cancelled by the transport",
            """
            GET products/{} was cancelled
              https://shop.example/v1/products/7
            """,
            read(.failure(TransportError(.cancelled)))
        ),
        Row(
            "status without a body",
            """
            GET products/{} failed: 404 Not Found
              https://shop.example/v1/products/7
            """,
            read(.status(404))
        ),
        Row(
            "status with a body that nobody declared",
            """
            GET products/{} failed: 503 Service Unavailable
              https://shop.example/v1/products/7
              the body has 4 bytes of text/html
            """,
            read(.text("down", status: 503, headers: html))
        ),
        Row(
            "status with a text that nobody declared, without the secrets that were sent",
            """
            GET a failed: 400 Bad Request
              https://shop.example/v1/a?token=‹redacted›
              the body has 47 bytes of text/plain:
                bad token ‹redacted›
                and credential ‹redacted›
            """
        ) { () async throws(APIError) in
            _ = try await shop(.text("bad token t0k3n-query\nand credential t0k3n-head", status: 400)).client.get(
                "a",
                as: Int.self
            ) {
                Query("token", "t0k3n-query")
                Authorization(.bearer("t0k3n-head"))
            }
        },
        Row(
            "status with JSON that nobody declared",
            """
            GET products/{} failed: 400 Bad Request
              https://shop.example/v1/products/7
              the body has 33 bytes of application/json:
                {"error":"no","password":"‹redacted›"}
            """,
            read(.json(#"{"error": "no", "password": "x"} "#, status: 400))
        ),
        Row(
            "decoding: metadata",
            """
            GET products/{} answered 200 OK, but its body does not decode as Complaint
              https://shop.example/v1/products/7
              line 1, column 1: the key "meta" is missing; there are "id" and "name"
                  {"id":7,"name":"L"}
                  ^~~~~~~~~~~~~~~~~~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"id":7,"name":"L"}"#)) { Metadata(Complaint.self, at: "meta") }.products.read(7)
        },
        Row(
            "status with a problem",
            """
            GET products/{} failed: 422 Unprocessable Content
              https://shop.example/v1/products/7
              problem: complaint no_stock
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"code":"no_stock"}"#, status: 422)) { Problem(Complaint.self) }
                .products.read(7)
        },
        Row(
            "a success with a problem",
            """
            GET products/{} failed: 200 OK
              https://shop.example/v1/products/7
              problem: complaint no_stock
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"error":{"code":"no_stock"}}"#)) {
                Problem(Complaint.self, on: .success, at: "error")
            }.products.read(7)
        },
        Row(
            "decoding: a wrong type",
            """
            GET products answered 200 OK, but its body does not decode as [Product]
              https://shop.example/v1/products
              data[1].price (line 3, column 33): expected a number (Decimal), found the string "12 €"
                      {"id":2,"name":"M","price": "12 €"}]}
                                                  ^~~~~~
            """
        ) { () async throws(APIError) in
            let body = "{\"data\":[\n {\"id\":1,\"name\":\"L\"},\n    {\"id\":2,\"name\":\"M\",\"price\": \"12 €\"}]}"
            _ = try await shop(.json(body)) { Envelope("data") }.products.list()
        },
        Row(
            "decoding: a key that is nearly there",
            """
            GET products/{} answered 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              data (line 1, column 9): the key "name" is missing; did you mean "Name"?
                  {"data":{"id":7,"Name":"L"}}
                          ^~~~~~~~~~~~~~~~~~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"data":{"id":7,"Name":"L"}}"#)) { Envelope("data") }.products.read(7)
        },
        Row(
            "decoding: a missing envelope",
            """
            GET products/{} answered 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              line 1, column 1: the key "data" is missing; did you mean "date"?
                  {"date":{"id":7,"name":"L"}}
                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"date":{"id":7,"name":"L"}}"#)) { Envelope("data") }.products.read(7)
        },
        Row(
            "decoding: a body that is not JSON",
            """
            GET products/{} answered 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              the body is text/html and not JSON; declare its decoder with Decode(with:), or `Data` for the bytes
            """,
            read(.text("<html>", headers: html))
        ),
        Row(
            "decoding: a body that ends early",
            """
            GET products/{} answered 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              line 1, column 9: expected a key in double quotes after ',', found the end of the text
                  {"id":7,
                          ^
            """,
            read(.json(#"{"id":7,"#))
        ),
        Row(
            "decoding: no body",
            """
            PUT products/{} answered 200 OK, but its body does not decode as Product
              https://shop.example/v1/products/7
              the body is empty; declare `Void` or an optional where that is expected, or `MergeAnswers()` where the \
            server repeats nothing of what was sent
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(200)).products.update(Product(id: 7, name: "L"))
        },
        Row(
            "decoding: a secret beside the error stays out of the excerpt",
            """
            GET a answered 200 OK, but its body does not decode as Product
              https://shop.example/v1/a
              id (line 1, column 31): expected an integer (Int), found the string "x"
                  {"password": ‹redacted›, "id": "x", "name": "L"}
                                                 ^~~
            """
        ) { () async throws(APIError) in
            let body = #"{"password": "hunter2", "id": "x", "name": "L"}"#
            _ = try await shop(.json(body)).client.get("a", as: Product.self)
        },
        Row(
            "items",
            """
            POST products failed for 1 of 2 items
              https://shop.example/v1/products
              [1]: complaint no_name
            """
        ) { () async throws(APIError) in
            enum Bulk: BatchCreatable {}
            let products: Resource<Product, Bulk> = shop(
                .json(#"[{"id":1,"name":"L"},{"error":{"code":"no_name"}}]"#)
            ).resource("products") { BatchProblem(Complaint.self, at: "error") }
            _ = try await products.create([.init(name: "L"), .init(name: "")])
        },
        Row(
            "middleware",
            """
            GET a was given up by a middleware: the token store is locked
              https://shop.example/v1/a
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(200)).client.get("a", as: Int.self) { Use(GivesUp()) }
        },
    ]

    @Test("A timeout, by the clock that was given")
    func timeout() async throws {
        let clock = ManualClock()
        let stub = StubTransport { _ in .never }
        let client = Client(Shop.url, transport: stub, clock: clock) { Timeout(.seconds(5)) }
        async let error = failure { () async throws(APIError) in try await client.get("a", as: Int.self) }
        await clock.waitForSleepers(count: 1)
        _ = await stub.waitForRequests(count: 1)
        clock.advance(by: .seconds(5))
        #expect(
            await error?.description == """
                GET a timed out after 5.0 seconds
                  https://shop.example/v1/a
                """
        )
    }

    @Test("A call within its time leaves no timer behind")
    func timerIsCancelled() async throws {
        let clock = ManualClock()
        let client = Client(Shop.url, transport: StubTransport { _ in .json("1") }, clock: clock) {
            Timeout(.seconds(5))
        }
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(clock.deadlines.isEmpty)
    }

    @Test("A cancelled task, before it sends and while it waits", arguments: [false, true])
    func cancelled(hasTimer: Bool) async throws {
        let stub = StubTransport { _ in .never }
        let client = Client(Shop.url, transport: stub, clock: ManualClock()) {
            if hasTimer { Timeout(.seconds(5)) }
        }
        let call = { @Sendable () async -> APIError? in
            await failure { () async throws(APIError) in try await client.get("a", as: Int.self) }
        }
        let waiting = Task { await call() }
        _ = await stub.waitForRequests(count: 1)
        waiting.cancel()
        guard case .cancelled = await waiting.value else {
            Issue.record("expected a cancelled call")
            return
        }
        let gate = Gate()
        let early = Task {
            await gate.waitUntilOpen()
            return await call()
        }
        early.cancel()
        gate.open()
        guard case .cancelled = await early.value else {
            Issue.record("expected a cancelled call")
            return
        }
        #expect(stub.requests.count == 1)
    }

    @Test("What a failure knows: status, fields, bytes, category, position")
    func details() async throws {
        let error = await failure(Self.read(.json(#"{"a":1}"#, status: 410, headers: [])))
        guard case .status(let failure) = error else {
            Issue.record("expected a status failure")
            return
        }
        #expect(failure.isNotFound)
        #expect(error?.isNotFound == true)
        #expect(failure.body == Data(#"{"a":1}"#.utf8))
        #expect(failure.headerFields[.contentType]?.hasPrefix("application/json") == true)
        #expect(failure.call.template == "products/{}")
        #expect(failure.call.attempt == 1)

        let categories: [(HTTPResponse.Status, StatusFailure.Category)] = [
            (400, .clientError), (401, .unauthorized), (403, .clientError), (404, .notFound), (410, .notFound),
            (412, .lostUpdate), (428, .lostUpdate), (422, .clientError), (500, .serverError), (503, .serverError),
            (302, .other), (999, .other),
        ]
        for (status, category) in categories {
            let call = FailedCall(method: .get, template: "a")
            #expect(StatusFailure(call: call, status: status).category == category)
        }

        guard case .decoding(let decoding) = await decodingFailure(#"{"id":7,"name":3}"#) else {
            Issue.record("expected a decoding failure")
            return
        }
        #expect(decoding.path == "name")
        #expect(decoding.position?.line == 1)
        #expect(decoding.position?.column == 16)
        #expect(decoding.typeName == "Product")
    }

    private func decodingFailure(_ body: String) async -> APIError? { await failure(Self.read(.json(body))) }

    @Test("The body of a failed response is kept up to a limit")
    func boundedBody() async throws {
        let long = Answer.bytes(Data(repeating: 0x61, count: 300 * 1024), status: 500)
        guard case .status(let failure) = await failure(Self.read(long)) else {
            Issue.record("expected a status failure")
            return
        }
        #expect(failure.body.count == 256 * 1024)
        #expect(failure.isBodyTruncated)
    }
}
