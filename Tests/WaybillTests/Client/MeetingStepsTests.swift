import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillCaching
import WaybillLimits

@testable import WaybillTesting

@Suite("Interactions between call steps", .inTurn, .safetyNet)
struct MeetingStepsTests {
    /// A reference to a client that is created after its observers.
    private final class Later: Sendable {
        private let client = Monitor<Client?>(nil)

        func set(_ client: Client) { self.client.update { $0 = client } }

        func token() async throws -> String {
            let client = try #require(client.current)
            return try await client.get("token", as: String.self) { Authorization.none }
        }
    }

    @Test("A token refresh bypasses a concurrency limit whose permits are held by calls waiting for the token")
    func refreshBehindLimit() async throws {
        let (later, gate) = (Later(), Gate())
        let stub = StubTransport(["GET token": .json(#""t""#), "GET a": .json("1"), "POST b": .json("2")])
        let tokens = RefreshingToken { _ in
            await gate.waitUntilOpen()
            return .init(try await later.token())
        }
        let client = Client(Shop.url, transport: stub) {
            Limit(concurrent: 1)
            Cached(in: HTTPCache())
            Authorization(.bearer(refreshing: tokens))
        }
        later.set(client)
        // The cache needs the token before the first call takes a permit; the second call holds the permit.
        async let first = client.get("a", as: Int.self)
        async let second = client.post("b", body: 1, as: Int.self)
        await tokens.waitForWaiters(2)
        gate.open()
        #expect(try await [first, second] == [1, 2])
    }

    @Test("Fetching a token through the client does not deadlock")
    func sourceBehindLimitAndSharing() async throws {
        let later = Later()
        let stub = StubTransport(["GET token": .json(#""t""#), "GET a/{}": .json("1")])
        let client = Client(Shop.url, transport: stub) {
            Limit(concurrent: 1)
            Coalesced()
            Authorization(.bearer { try await later.token() })
        }
        later.set(client)
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<50 { group.addTask { try await client.get("a/\(number)", as: Int.self) } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 50)
    }

    @Test("A POST redirected to another origin loses its idempotency key and is not retried")
    func keyLeftBehind() async throws {
        for response: Result<StubResponse, TransportError> in [
            .failure(TransportError(.connectionLost)), .success(.status(503)),
        ] {
            let stub = StubTransport { request in
                request.url.host == "shop.example"
                    ? .redirect(to: "https://other.example/there", status: 308) : try response.get()
            }
            let client = Client(Shop.url, transport: stub, clock: SkippingClock()) {
                IdempotencyKey()
                Retry()
            }
            let error = await failure { try await client.post("orders") }
            #expect(stub.requests.map(\.url.host) == ["shop.example", "other.example"])
            #expect(error?.call.retryRejection == .notIdempotent)
        }
    }

    @Test("A middleware that sends a request twice sends the same idempotency key")
    func oneKey() async throws {
        struct Twice: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                _ = try await next(request)
                return try await next(request)
            }
        }
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) {
            IdempotencyKey()
            Use(Twice())
        }
        try await client.post("orders")
        let keys = stub.requests.map { $0.headerFields["Idempotency-Key"] }
        #expect(keys.count == 2)
        #expect(keys[0] != nil && keys[0] == keys[1])
    }

    @Test("Calls with different BodyLimits do not share a transfer")
    func sharedLimits() async throws {
        let gate = Gate()
        let stub = StubTransport(["GET a": .json("12345").held(by: gate)])
        let client = Client(Shop.url, transport: stub) { Coalesced() }
        async let short = failure {
            try await client.get("a", as: Int.self) { BodyLimits(successBytes: 2) }
        }
        async let long = client.get("a", as: Int.self)
        _ = await stub.waitForRequests(count: 2)
        gate.open()
        #expect(try await long == 12345)
        guard case .transport(let failure)? = await short else {
            Issue.record("expected a body that is too large")
            return
        }
        #expect(failure.error.kind == .bodyTooLarge)
    }

    @Test("A failure after a redirect to another origin does not open the first origin's circuit")
    func circuitOfAnother() async throws {
        for response: Result<StubResponse, TransportError> in [
            .failure(TransportError(.connectionLost)), .success(.status(503)),
        ] {
            let stub = StubTransport { request in
                switch (request.url.host, request.template) {
                case ("shop.example", "file"): .redirect(to: "https://other.example/there")
                case ("shop.example", _): .json("1")
                default: try response.get()
                }
            }
            let client = Client(Shop.url, transport: stub) { CircuitBreaker(failures: 2) }
            for _ in 0..<3 {
                _ = await failure { try await client.get("file", as: Int.self) }
            }
            #expect(try await client.get("a", as: Int.self) == 1)
        }
    }

    @Test("A cache-only call does not start a token refresh")
    func offline() async throws {
        let date = Monitor(Date(timeIntervalSince1970: 1_800_000_000))
        let refreshes = Monitor(0)
        let tokens = RefreshingToken(
            .init("t1", expires: date.current.addingTimeInterval(100)),
            refreshBefore: .zero
        ) { _ in
            refreshes.update { $0 += 1 }
            return .init("t2")
        }
        let stub = StubTransport(["GET a": .json("1").header("Cache-Control", "max-age=1000")])
        let client = Client(Shop.url, transport: stub, dates: Client.DateProvider { date.current }) {
            Cached(in: HTTPCache())
            Authorization(.bearer(refreshing: tokens))
        }
        #expect(try await client.get("a", as: Int.self) == 1)
        date.update { $0 += 500 }
        #expect(try await client.get("a", as: Int.self) { Cached.Policy(.onlyIfCached) } == 1)
        #expect(stub.requests.count == 1)
        #expect(refreshes.current == 0)
    }

    @Test("Cancelling a call while it waits to retry leaves the retry budget untouched")
    func cancelledWaits() async throws {
        let clock = ManualClock()
        let stub = StubTransport { _ in .status(503) }
        let client = Client(Shop.url, transport: stub, clock: clock) {
            Retry(attempts: 2, backoff: .constant(.seconds(1)))
            Retry.Budget(capacity: 20)
        }
        for _ in 0..<8 {
            let call = Task { await failure { try await client.get("a", as: Int.self) } }
            await clock.waitForSleepers(count: 1)
            call.cancel()
            guard case .cancelled? = await call.value else {
                Issue.record("expected a cancelled call")
                return
            }
        }
        #expect(stub.requests.count == 8)
    }

    /// A signer that writes the user's name to a field that no rule redacts.
    private struct Signer: Signed.Signer {
        let name: String

        func sign(_ request: inout HTTPRequest, body: Data?) async throws {
            guard let field = HTTPField.Name("X-Signature") else { return }
            request.headerFields[field] = name
        }
    }

    @Test("A response to a signed request is not served from the cache")
    func signatures() async throws {
        let (cache, gate) = (HTTPCache(), Gate())
        let stub = StubTransport { request in
            await gate.waitUntilOpen()
            return .json("\"\(request.headerFields["X-Signature"] ?? "")\"").header("Cache-Control", "max-age=100")
        }
        func client(_ name: String) -> Client {
            Client(Shop.url, transport: stub) {
                Cached(in: cache)
                Coalesced()
                Signed(by: Signer(name: name))
            }
        }
        let (ann, bob) = (client("ann"), client("bob"))
        gate.open()
        for _ in 0..<2 {
            #expect(try await ann.get("me", as: String.self) == "ann")
            #expect(try await bob.get("me", as: String.self) == "bob")
        }
        #expect(stub.requests.count == 4)
    }

    @Test("A call does not share a response that an inner middleware requested for another user")
    func changedBelow() async throws {
        struct Session: Middleware {
            let user: Monitor<String>

            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var request = request
                request.headerFields[.authorization] = user.current
                return try await next(request)
            }
        }
        let (user, gate) = (Monitor("ann"), Gate())
        let stub = StubTransport { request in
            await gate.waitUntilOpen()
            return .json("\"\(request.headerFields[.authorization] ?? "")\"")
        }
        let client = Client(Shop.url, transport: stub) {
            Coalesced()
            Use(Session(user: user), around: .eachAttempt)
        }
        async let first = client.get("me", as: String.self)
        _ = await stub.waitForRequests(count: 1)
        user.update { $0 = "bob" }
        async let second = client.get("me", as: String.self)
        // Whether or not the second call has joined by now, it must not receive the first call's response.
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        #expect(try await [first, second] == ["ann", "bob"])
    }

    @Test("A credential echoed in a body or a Location field does not appear in errors or events")
    func repeatedCredential() async throws {
        for credential in [Authorization.Credential.bearer("s3cr3t-token"), .apiKey("s3cr3t-token", query: "key")] {
            let texts = Monitor("")
            let stub = StubTransport { request in
                switch request.template {
                case "body": .json(#"{"given":"s3cr3t-token","id":"none"}"#)
                default: .redirect(to: "http://shop.example/?t=s3cr3t-token")
                }
            }
            let client = Client(Shop.url, transport: stub) {
                Authorization(credential)
                Observe { event in texts.update { $0 += "\(event) \(event.headerFields)" } }
            }
            for path in ["body", "elsewhere"] {
                let error = await failure {
                    try await client.get(Route.Path(stringLiteral: path), as: [Int].self)
                }
                texts.update { $0 += "\(String(describing: error))" }
            }
            #expect(texts.current.contains("redacted"))
            #expect(!texts.current.contains("s3cr3t-token"), "\(texts.current)")
        }
    }
}
