import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Rejected signatures", .inTurn, .safetyNet)
struct SigningAgainTests {
    /// A signer that uses the server's latest nonce as its signature.
    private actor NonceSigner: Signed.Signer {
        private var nonce = "none"
        nonisolated let seen = Notes<String>()

        func sign(_ request: inout HTTPRequest, body: Data?) async throws {
            request.headerFields["X-Signature"] = nonce
        }

        func shouldSignAgain(after response: HTTPResponse, to request: HTTPRequest) async -> Bool {
            let text = String(decoding: response.body.bytes ?? Data(), as: UTF8.self)
            seen.add("\(request.headerFields["X-Signature"] ?? "") \(response.status.code) \(text)")
            nonce = response.headerFields["Nonce"] ?? nonce
            return response.headerFields["Rejected"] != nil
        }
    }

    private static func demand(_ nonce: String, status: Int = 401, body: String = #"{"error":"nonce"}"#) -> StubResponse
    {
        .text(body, status: .init(code: status)).header("Nonce", nonce).header("Rejected", "1")
    }

    private static func signatures(_ stub: StubTransport) -> [String?] {
        stub.requests.map { $0.headerFields["X-Signature"] }
    }

    @Test("A rejected POST is re-signed with the server's nonce and resent, and later calls use the latest nonce")
    func nonce() async throws {
        let signer = NonceSigner()
        let stub = StubTransport([
            "POST a": .sequence([
                .response(Self.demand("n1", status: 400)), .response(.json("1").header("Nonce", "n2")), .json("2"),
            ])
        ])
        let client = Client(Shop.url, transport: stub) { Signed(by: signer) }
        #expect(try await client.post("a", body: ["n": 1], as: Int.self) == 1)
        #expect(try await client.post("a", body: ["n": 2], as: Int.self) == 2)
        #expect(Self.signatures(stub) == ["none", "n1", "n2"])
        #expect(stub.requests.map(\.text) == [#"{"n":1}"#, #"{"n":1}"#, #"{"n":2}"#])
        #expect(signer.seen.all == [#"none 400 {"error":"nonce"}"#, "n1 200 ", "n2 200 "])
    }

    @Test(
        "Only a 4xx status that is not declared as success counts as a signature rejection",
        arguments: [(200, 1), (202, 1), (304, 1), (400, 2), (401, 2), (404, 1), (429, 2), (499, 2), (500, 1), (503, 1)]
    )
    func statuses(status: Int, count: Int) async {
        let signer = NonceSigner()
        let stub = StubTransport { _ in Self.demand("n", status: status) }
        let client = Client(Shop.url, transport: stub) {
            Signed(by: signer)
            Success(404)
        }
        _ = await failure { try await client.post("a") }
        #expect(stub.requests.count == count)
        #expect(signer.seen.all.count == count)
    }

    @Test("A call whose signatures are all rejected sends two requests, and each retry attempt re-signs once")
    func loop() async {
        let stub = StubTransport { _ in Self.demand("n", status: 429) }
        let client = Client(Shop.url, transport: stub, clock: SkippingClock()) { Signed(by: NonceSigner()) }
        #expect(await failure { try await client.get("a", as: Int.self) }?.status == 429)
        #expect(stub.requests.count == 2)
        let retried = await failure { try await client.get("a", as: Int.self) { Retry(attempts: 3) } }
        #expect(retried?.call.attempt == 3)
        #expect(stub.requests.count == 8)
    }

    @Test("A body that cannot be replayed is not resent, and the next call is signed with the nonce")
    func stream() async throws {
        let stub = StubTransport(["PUT a": .sequence([.response(Self.demand("n1")), .json("1")])])
        let client = Client(Shop.url, transport: stub) { Signed(by: NonceSigner()) }
        func upload() async throws(APIError) -> Int {
            let endpoint: Endpoint<Int> = client.endpoint {
                PUT("a")
                Body(HTTPBody(AsyncStream { $0.finish() }), contentType: "text/plain")
            }
            return try await endpoint.send()
        }
        #expect(await failure { try await upload() }?.status == 401)
        #expect(try await upload() == 1)
        #expect(Self.signatures(stub) == ["none", "n1"])
    }

    @Test("A 401 for a rejected signature does not trigger a token refresh")
    func token() async throws {
        let refreshes = Notes<Int>()
        let tokens = RefreshingToken(.init("t")) { _ in
            refreshes.add(1)
            return .init("u")
        }
        let stub = StubTransport(["GET a": .sequence([.response(Self.demand("n1")), .json("1")])])
        let client = Client(sending: tokens, to: stub) { Signed(by: NonceSigner()) }
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(refreshes.all.isEmpty)
        #expect(stub.requests.map { $0.headerFields[.authorization] } == ["Bearer t", "Bearer t"])
    }

    @Test("A redirect target that rejects the signature receives a re-signed request")
    func redirect() async throws {
        let stub = StubTransport { request in
            guard request.url.path != "/v1/a" else { return .redirect(to: "b") }
            return request.headerFields["X-Signature"] == "none" ? Self.demand("n1") : .json("1")
        }
        let client = Client(Shop.url, transport: stub) { Signed(by: NonceSigner()) }
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(stub.requests.map { $0.url.lastPathComponent } == ["a", "b", "b"])
    }

    @Test("A 401 with a truncated body is a rejection; any other truncated failure is a transport error")
    func truncated() async throws {
        for status in [401, 400] {
            let rejection = Self.demand("n1", status: status).truncated(afterBytes: 3)
            let stub = StubTransport(["GET a": .sequence([.response(rejection), .json("1")])])
            let client = Client(Shop.url, transport: stub) { Signed(by: NonceSigner()) }
            let error = await failure { try await client.get("a", as: Int.self) }
            if case .transport = error {
                #expect(status == 400)
            } else {
                #expect(error == nil && status == 401)
            }
        }
    }

    @Test("A signer does not consume the body of a successful response")
    func success() async throws {
        let signer = NonceSigner()
        let stub = StubTransport { _ in .json("[1,2]").chunked() }
        let client = Client(Shop.url, transport: stub) { Signed(by: signer) }
        #expect(try await client.get("a", as: [Int].self) == [1, 2])
        #expect(signer.seen.all == ["none 200 "])
    }

    /// A signer that has no key for the second signature.
    private actor Exhausted: Signed.Signer {
        struct NoKey: Error {}

        private var isUsed = false

        func sign(_ request: inout HTTPRequest, body: Data?) async throws {
            guard !isUsed else { throw NoKey() }
            isUsed = true
        }

        func shouldSignAgain(after response: HTTPResponse, to request: HTTPRequest) async -> Bool { true }
    }

    @Test("A signer that fails on re-signing is an authorization failure, and nothing more is sent")
    func failing() async {
        let stub = StubTransport { _ in .status(401) }
        let client = Client(Shop.url, transport: stub) { Signed(by: Exhausted()) }
        guard case .authorization(let failure)? = await failure({ try await client.get("a", as: Int.self) }) else {
            Issue.record("expected an authorization failure")
            return
        }
        #expect(failure.underlying is Exhausted.NoKey)
        #expect(stub.requests.count == 1)
    }

    @Test("A second signature that the server echoes is redacted from errors and events")
    func redacted() async {
        let stub = StubTransport { request in
            let echo = request.headerFields["X-Signature"] ?? ""
            return Self.demand("s3cret-nonce", body: "bad signature: \(echo)")
        }
        let texts = Notes<String>()
        let client = Client(Shop.url, transport: stub) {
            Signed(by: NonceSigner())
            Observe { texts.add("\($0) \($0.headerFields["X-Signature"] ?? "")") }
        }
        let error = await failure { try await client.get("a", as: Int.self) }
        #expect(error?.status == 401)
        #expect(error.map { "\($0)" }?.contains("bad signature: s3cret") == false)
        #expect(!texts.all.joined().contains("s3cret"))
    }

    @Test("A rejected request over a socket is re-signed and resent with its body")
    func socket() async throws {
        try await LoopbackServer.run([
            "POST a": .sequence([.response(Self.demand("n1")), .json("1")])
        ]) { server async throws in
            let client = Client(server.url) { Signed(by: NonceSigner()) }
            #expect(try await client.post("a", body: ["n": 1], as: Int.self) == 1)
            #expect(server.requests.map { $0.headerFields["X-Signature"] } == ["none", "n1"])
            #expect(server.requests.map(\.text) == [#"{"n":1}"#, #"{"n":1}"#])
        }
    }
}
