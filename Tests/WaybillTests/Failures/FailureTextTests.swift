import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTesting

/// Provoked failures, with their exact texts.
@Suite("Failure texts", .inTurn, .safetyNet)
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

    @Test(arguments: rows + decodingRows)
    func text(_ row: Row) async throws {
        let error = try #require(await failure { try await row.call() })
        #expect(error.description == row.text)
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

    static let html = HTTPFields(
        [HTTPField(name: .contentType, value: "text/html; charset=utf-8")]
    )

    private static let xml = HTTPFields(
        [HTTPField(name: .contentType, value: "application/xml")]
    )

    private static let error = """
        \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
        <!-- an error -->
        <!DOCTYPE Error>
        <Error>
          <Code>AccessDenied</Code>
          <Message>no &amp; never</Message>
        </Error>

        """

    static func shop(_ response: StubResponse, @Scope.Builder _ clauses: () -> Scope = { Scope() }) -> Shop {
        Shop(StubTransport { _ in response }, clauses)
    }

    /// Makes the same call twice while time stands still, the first time for its effect on shared state.
    private static func callTwice(
        _ response: StubResponse,
        @Scope.Builder _ clauses: () -> Scope
    ) async throws(APIError) {
        let client = Client(
            Shop.url,
            transport: StubTransport(["GET a": .response(response)]),
            clock: ManualClock(),
            dates: Client.DateProvider { Date(timeIntervalSince1970: 1_800_000_000) },
            clauses
        )
        _ = await failure { try await client.get("a", as: Int.self) }
        _ = try await client.get("a", as: Int.self)
    }

    static func read(_ response: StubResponse, _ id: Int = 7) -> @Sendable () async throws(APIError) -> Void {
        { () async throws(APIError) in _ = try await shop(response).products.read(id) }
    }

    static let rows = [
        Row(
            "request",
            """
            GET users/{} could not be built; nothing was sent
              Header("X Y"): the name of a field is a token: letters, digits and marks such as -, without spaces
              GET("users/{}"): a value in the path is empty; a request without it would go to another resource
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(200)).client.get("users/\("")", as: Int.self) { Header("X Y", "1") }
        },
        Row(
            "authorization",
            """
            GET a was not sent: no credential was available
              https://shop.example/v1/a
              the token store is locked
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(200)).client.get("a", as: Int.self) {
                Authorization(.bearer { throw NoToken() })
            }
        },
        Row(
            "authorization whose call is rejected",
            """
            GET a was not sent: the call for its credential failed
              https://shop.example/v1/a
              POST token failed: 401 Unauthorized
                https://shop.example/v1/token
            """
        ) { () async throws(APIError) in
            let server = shop(.status(401)).client
            _ = try await shop(.status(200)).client.get("a", as: Int.self) {
                Authorization(
                    .bearer {
                        try await server.post("token", as: String.self) {
                            Authorization(.basic(user: "admin", password: "wrong"))
                        }
                    }
                )
            }
        },
        Row(
            "authorization with a line break, which is not shown",
            """
            GET a was not sent: its credential cannot be sent
              https://shop.example/v1/a
              the credential contains a line break or another control character
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(200)).client.get("a", as: Int.self) { Authorization(.bearer { "a\r\nX: 1" }) }
        },
        Row(
            "rejected: the server wants no request",
            """
            GET a was not sent: the server accepts no request before 2027-01-15T09:00:00Z
              https://shop.example/v1/a
              the wait would be 1 h; Limit(…, maximumWait:) allows at most 1 min
            """
        ) { () async throws(APIError) in
            try await callTwice(.status(429).header("Retry-After", "3600")) { Limit(concurrent: 1) }
        },
        Row(
            "rejected: its turn would come too late",
            """
            GET a was not sent: a limit allows it at 2027-01-15T08:00:10Z, after its deadline
              https://shop.example/v1/a
              it would wait for 10 s, but has only 5 s left
            """
        ) { () async throws(APIError) in
            try await callTwice(.json("1")) {
                Limit(1, per: .seconds(10))
                Timeout(.seconds(5))
            }
        },
        Row(
            "rejected: the line is full",
            """
            GET a was not sent: its Limit already has 0 calls waiting
              https://shop.example/v1/a
              make fewer calls at once, or allow more to wait: Limit(…, waiting:)
            """
        ) { () async throws(APIError) in
            try await callTwice(.json("1")) { Limit(1, per: .seconds(10), waiting: 0) }
        },
        Row(
            "rejected: an open circuit",
            """
            GET a was not sent: the circuit to https://shop.example is open
              https://shop.example/v1/a
              1 failure, the last at 2027-01-15T08:00:00Z; the next call is let through at 2027-01-15T08:00:30Z
              the last: GET a failed: 503 Service Unavailable
            """
        ) { () async throws(APIError) in
            try await callTwice(.status(503)) { CircuitBreaker(failures: 1, for: .seconds(30)) }
        },
        Row(
            "transport",
            """
            GET products/{} got no response: no connection could be made: shop.example rejects it
              https://shop.example/v1/products/7
            """,
            read(.failure(TransportError(.cannotConnect, "shop.example rejects it")))
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
            "status with a reason phrase of the server's own, without the secrets that were sent",
            """
            GET a failed: 404 Not Found
              https://shop.example/v1/a
              the server's reason phrase: No such bucket ‹redacted›
            """
        ) { () async throws(APIError) in
            let status = HTTPResponse.Status(code: 404, reasonPhrase: "No such bucket t0k3n-head")
            _ = try await shop(StubResponse(status: status)).client.get("a", as: Int.self) {
                Authorization(.bearer("t0k3n-head"))
            }
        },
        Row(
            "status with an earlier reason phrase of its code",
            """
            GET products/{} failed: 422 Unprocessable Content
              https://shop.example/v1/products/7
            """,
            read(StubResponse(status: .init(code: 422, reasonPhrase: "Unprocessable Entity")))
        ),
        Row(
            "status with a body that is not declared",
            """
            GET products/{} failed: 503 Service Unavailable
              https://shop.example/v1/products/7
              the body has 4 bytes of text/html:
                down
            """,
            read(.text("down", status: 503, headers: html))
        ),
        Row(
            "status with a text of no known type: its first line",
            """
            GET products/{} failed: 502 Bad Gateway
              https://shop.example/v1/products/7
              the body has 22 bytes of application/octet-stream:
                upstream is down
            """,
            read(.bytes(Data("\n upstream is down\nbye".utf8), status: 502))
        ),
        Row(
            "status with XML: its beginning behind the declaration",
            """
            GET products/{} failed: 403 Forbidden
              https://shop.example/v1/products/7
              the body has 158 bytes of application/xml:
                <Error> <Code>AccessDenied</Code> <Message>no &amp; never</Message> </Error>
            """,
            read(
                .bytes(
                    Data(error.utf8),
                    status: 403,
                    headers: xml
                )
            )
        ),
        Row(
            "status with XML: nothing from the first tag with a secret name on",
            """
            GET products/{} failed: 500 Internal Server Error
              https://shop.example/v1/products/7
              the body has 29 bytes of application/xml:
                <e>
            """,
            read(.bytes(Data("<e><token>t0k3n</token></e>\n\n".utf8), status: 500, headers: xml))
        ),
        Row(
            "status with bytes that are no text",
            """
            GET products/{} failed: 500 Internal Server Error
              https://shop.example/v1/products/7
              the body has 4 bytes of text/html
            """,
            read(.bytes(Data([0x61, 0x00, 0xFF, 0x62]), status: 500, headers: html))
        ),
        Row(
            "status with a text that is not declared, without the secrets that were sent",
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
            "status with JSON that is not declared",
            """
            GET products/{} failed: 400 Bad Request
              https://shop.example/v1/products/7
              the body has 33 bytes of application/json:
                {"error":"no","password":"‹redacted›"}
            """,
            read(.json(#"{"error": "no", "password": "x"} "#, status: 400))
        ),
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
            "status with problems in an array, each as it describes itself",
            """
            GET products/{} failed: 422 Unprocessable Content
              https://shop.example/v1/products/7
              problem: complaint no_stock; complaint no_price
            """
        ) { () async throws(APIError) in
            _ = try await shop(.json(#"{"errors":[{"code":"no_stock"},{"code":"no_price"}]}"#, status: 422)) {
                Problem([Complaint].self, at: "errors")
            }.products.read(7)
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
            "a created entity that cannot be fetched",
            """
            POST products returned 201 Created, and the entity was created, but not fetched
              https://shop.example/v1/products
              WriteResult(.reread) fetches it from the Location of the response, which has none; declare \
            WriteResult(.reread, idAt:) or WriteResult(.merged) if the response has the id
            """
        ) { () async throws(APIError) in
            enum Writable: Creatable {}
            let products: Resource<Product, Writable> = shop(.status(201)).resource("products") {
                WriteResult(.reread)
            }
            _ = try await products.create(.init(name: "L"))
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
            ).resource("products") { WriteResult.ItemProblem(Complaint.self, at: "error") }
            _ = try await products.create([.init(name: "L"), .init(name: "")])
        },
        Row(
            "middleware",
            """
            GET a was stopped by a middleware: the token store is locked
              https://shop.example/v1/a
            """
        ) { () async throws(APIError) in
            _ = try await shop(.status(200)).client.get("a", as: Int.self) { Use(GivesUp()) }
        },
    ]

    @Test("A timeout is measured on the client's clock")
    func timeout() async throws {
        let clock = ManualClock()
        let stub = StubTransport { _ in .never }
        let client = Client(Shop.url, transport: stub, clock: clock) { Timeout(.seconds(5)) }
        async let error = failure { try await client.get("a", as: Int.self) }
        await clock.waitForSleepers(count: 1)
        _ = await stub.waitForRequests(count: 1)
        clock.advance(by: .seconds(5))
        #expect(
            await error?.description == """
                GET a timed out after 5 s
                  https://shop.example/v1/a
                """
        )
    }

    @Test("A call that finishes before its timeout leaves no timer behind")
    func timerIsCancelled() async throws {
        let clock = ManualClock()
        let client = Client(Shop.url, transport: StubTransport { _ in .json("1") }, clock: clock) {
            Timeout(.seconds(5))
        }
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(clock.deadlines.isEmpty)
    }

    @Test("Cancelling a task before sending or while waiting cancels its call", arguments: [false, true])
    func cancelled(hasTimer: Bool) async throws {
        let stub = StubTransport { _ in .never }
        let client = Client(Shop.url, transport: stub, clock: ManualClock()) {
            if hasTimer { Timeout(.seconds(5)) }
        }
        let call = { @Sendable () async -> APIError? in
            await failure { try await client.get("a", as: Int.self) }
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

    @Test("A failure has its status, header fields, body, category and position")
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

        let categories: [(HTTPResponse.Status, APIError.StatusFailure.Category)] = [
            (400, .clientError), (401, .unauthorized), (403, .clientError), (404, .notFound), (410, .notFound),
            (412, .lostUpdate), (428, .lostUpdate), (422, .clientError), (500, .serverError), (503, .serverError),
            (302, .other), (999, .other),
        ]
        for (status, category) in categories {
            let call = APIError.FailedCall(method: .get, template: "a")
            #expect(APIError.StatusFailure(call: call, status: status).category == category)
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

    @Test("The body of a failed response is kept up to a size limit")
    func boundedBody() async throws {
        let long = StubResponse.bytes(Data(repeating: 0x61, count: 300 * 1024), status: 500)
        guard case .status(let failure) = await failure(Self.read(long)) else {
            Issue.record("expected a status failure")
            return
        }
        #expect(failure.body.count == 256 * 1024)
        #expect(failure.isBodyTruncated)
    }
}
