import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Rejected tokens", .inTurn, .safetyNet)
struct RefreshTests {
    @Test("Calls with a rejected token share one refresh, and each is resent once with its body")
    func one() async throws {
        let (issuer, gate, refreshed) = (Issuer(), Gate(), Notes<Int>())
        await issuer.expire()
        let stub = StubTransport { await issuer.response(to: $0) }
        let tokens = RefreshingToken("t1", of: issuer, gate: gate)
        let client = Client(sending: tokens, to: stub) {
            Observe { if case .refreshed = $0.kind { refreshed.add($0.number) } }
        }
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                group.addTask {
                    number % 2 == 0
                        ? try await client.get("a", as: Int.self)
                        : try await client.post("a", body: ["n": number], as: Int.self)
                }
            }
            await tokens.waitForWaiters(20)
            #expect(stub.requests.count == 20)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == Array(repeating: 2, count: 20))
        #expect(await issuer.refreshCount == 1)
        #expect(stub.requests.count == 40)
        #expect(Set(refreshed.all).count == 20)
        let bodies = stub.requests.filter { $0.method == .post }.map(\.text).sorted()
        #expect(bodies == (0..<20).filter { $0 % 2 == 1 }.flatMap { [#"{"n":\#($0)}"#, #"{"n":\#($0)}"#] }.sorted())
        #expect(tokens.current?.value == "t2")
        let context = try #require(await issuer.contexts.first)
        #expect(context.token?.value == "t1")
        #expect(context.challenges == [HTTPField.Challenge(scheme: "Bearer", parameters: ["realm": "shop"])])
    }

    @Test("A failed refresh fails all waiting calls with its error, and the next call tries again")
    func failing() async throws {
        let (issuer, gate) = (Issuer(), Gate())
        await issuer.expire()
        await issuer.fail(1)
        let stub = StubTransport { await issuer.response(to: $0) }
        let tokens = RefreshingToken("t1", of: issuer, gate: gate)
        let client = Client(sending: tokens, to: stub)
        await withTaskGroup(of: APIError?.self) { group in
            for _ in 0..<5 {
                group.addTask { await failure { try await client.get("a", as: Int.self) } }
            }
            await tokens.waitForWaiters(5)
            gate.open()
            for await error in group {
                guard case .authorization(let failure)? = error else {
                    Issue.record("expected an authorization failure, not \(String(describing: error))")
                    continue
                }
                #expect(failure.wasRejected)
                #expect(failure.underlying as? Issuer.SignedOut == Issuer.SignedOut())
                #expect("\(failure)".hasPrefix("GET a was rejected, and its credential could not be renewed\n"))
            }
        }
        #expect(await issuer.refreshCount == 1)
        #expect(stub.requests.count == 5)
        #expect(try await client.get("a", as: Int.self) == 2)
        #expect(await issuer.refreshCount == 2)
    }

    @Test(
        "A token rejected after a refresh is not refreshed again, and the 401 is the response",
        arguments: [true, false]
    )
    func useless(givesAnother: Bool) async throws {
        let refreshes = Notes<Int>()
        let tokens = RefreshingToken(.init("t1")) { _ in
            refreshes.add(1)
            return .init(givesAnother ? "t\(refreshes.all.count + 1)" : "t1")
        }
        let stub = StubTransport { _ in .json(#"{"detail":"no"}"#, status: 401) }
        let client = Client(sending: tokens, to: stub)
        let error = await failure { try await client.get("a", as: Int.self) }
        guard case .status(let failure)? = error else {
            Issue.record("expected a failed status, not \(String(describing: error))")
            return
        }
        #expect(failure.category == .unauthorized)
        #expect(failure.body == Data(#"{"detail":"no"}"#.utf8))
        #expect(refreshes.all.count == 1)
        // The same token is not sent twice.
        #expect(
            stub.requests.map { $0.headerFields[.authorization] }
                == (givesAnother ? ["Bearer t1", "Bearer t2"] : ["Bearer t1"])
        )
    }

    @Test("A call rejected with an older token is resent with the current one, without a refresh")
    func older() async throws {
        let (issuer, gate) = (Issuer(), Gate())
        await issuer.expire()
        let stub = StubTransport { request in
            let response = await issuer.response(to: request)
            return request.path == "/v1/slow" ? response.held(by: gate) : response
        }
        let client = Client(sending: RefreshingToken("t1", of: issuer), to: stub)
        async let slow = client.get("slow", as: Int.self)
        await stub.waitForRequests(count: 1)
        #expect(try await client.get("a", as: Int.self) == 2)
        gate.open()
        let late = try await slow
        #expect(late == 2)
        #expect(await issuer.refreshCount == 1)
        #expect(stub.requests.count == 4)
    }

    @Test("A streamed body is not resent after a token rejection, and the next call starts with a refresh")
    func stream() async throws {
        let issuer = Issuer()
        await issuer.expire()
        let stub = StubTransport { await issuer.response(to: $0) }
        let client = Client(sending: RefreshingToken("t1", of: issuer), to: stub)
        let upload: Endpoint<Int> = client.endpoint {
            POST("a")
            Body(HTTPBody(AsyncStream { $0.finish() }), contentType: "text/plain")
        }
        let error = await failure { try await upload.send() }
        #expect(error?.status == 401)
        #expect(await issuer.refreshCount == 0)
        #expect(try await client.get("a", as: Int.self) == 2)
        #expect(stub.requests.map { $0.headerFields[.authorization] } == ["Bearer t1", "Bearer t2"])
        #expect(await issuer.contexts.first?.challenges.map(\.scheme) == ["Bearer"])
    }

    @Test("A 401 after a redirect to another origin does not trigger a refresh")
    func elsewhere() async {
        let issuer = Issuer()
        let stub = StubTransport { request in
            request.url.host == "shop.example" ? .redirect(to: "https://other.example/x") : .status(401)
        }
        let client = Client(sending: RefreshingToken("t1", of: issuer), to: stub)
        let error = await failure { try await client.get("a", as: Int.self) }
        #expect(error?.status == 401)
        #expect(await issuer.refreshCount == 0)
        #expect(stub.requests.map { $0.headerFields[.authorization] } == ["Bearer t1", nil])
    }

    @Test("A 401 declared as success does not trigger a refresh")
    func success() async throws {
        let issuer = Issuer()
        let client = Client(
            sending: RefreshingToken("t0", of: issuer),
            to: StubTransport { await issuer.response(to: $0) }
        )
        let endpoint: Endpoint<Data> = client.endpoint {
            GET("a")
            Success(.success, 401)
        }
        #expect(try await endpoint.response().status == 401)
        #expect(await issuer.refreshCount == 0)
    }

    @Test("A request with a refreshed token reuses the rejected request's connection")
    func sockets() async throws {
        let issuer = Issuer()
        await issuer.expire()
        try await LoopbackServer.run(["POST a": .response { await issuer.response(to: $0) }]) { server in
            let client = Client(server.url) { Authorization(.bearer(refreshing: RefreshingToken("t1", of: issuer))) }
            let value = try await client.post("a", body: ["n": 1], as: Int.self)
            #expect(value == 2)
            #expect(server.requests.map { $0.headerFields[.authorization] } == ["Bearer t1", "Bearer t2"])
            #expect(server.requests.map(\.text) == [#"{"n":1}"#, #"{"n":1}"#])
            #expect(server.acceptedConnections == 1)
        }
    }
}
