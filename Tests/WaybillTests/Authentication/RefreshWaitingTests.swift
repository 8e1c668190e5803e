import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Calls waiting for a token", .inTurn, .safetyNet)
struct RefreshWaitingTests {
    @Test("Cancelling a call cancels neither the refresh nor the other waiting calls")
    func cancellation() async throws {
        let (issuer, gate) = (Issuer(), Gate())
        await issuer.expire()
        let stub = StubTransport { await issuer.response(to: $0) }
        let tokens = RefreshingToken("t1", of: issuer, gate: gate)
        let client = Client(sending: tokens, to: stub)
        // The first call starts the refresh.
        let first = Task { await failure { try await client.get("a", as: Int.self) } }
        await tokens.waitForWaiters(1)
        let second = Task { try await client.get("a", as: Int.self) }
        await tokens.waitForWaiters(2)
        first.cancel()
        guard case .cancelled? = await first.value else {
            Issue.record("expected a cancellation")
            return
        }
        gate.open()
        #expect(try await second.value == 2)
        #expect(await issuer.refreshCount == 1)
    }

    @Test("A call that times out stops waiting for the refresh, and the refresh inherits no deadline")
    func deadline() async throws {
        let (issuer, gate, clock, deadlines) = (Issuer(), Gate(), ManualClock(), Notes<Bool>())
        await issuer.expire()
        let stub = StubTransport { await issuer.response(to: $0) }
        let tokens = RefreshingToken(.init("t1")) { context in
            deadlines.add(TaskContext.current.deadline != nil)
            await gate.waitUntilOpen()
            return try await issuer.token(for: context)
        }
        let client = Client(sending: tokens, to: stub, clock: clock)
        let hurried = Task {
            await failure {
                try await client.get("a", as: Int.self) { Timeout(.seconds(5)) }
            }
        }
        await tokens.waitForWaiters(1)
        let patient = Task { try await client.get("a", as: Int.self) }
        await tokens.waitForWaiters(2)
        clock.advance(by: .seconds(5))
        guard case .timeout? = await hurried.value else {
            Issue.record("expected a timeout")
            return
        }
        gate.open()
        #expect(try await patient.value == 2)
        #expect(deadlines.all == [false])
    }

    @Test("A refresh can use the same client with Authorization.none and fails without it")
    func nested() async throws {
        let issuer = Issuer()
        await issuer.expire()
        let stub = StubTransport { request in
            request.path == "/v1/token" && request.headerFields[.authorization] == nil
                ? .json(#""t2""#) : await issuer.response(to: request)
        }
        for isOpen in [true, false] {
            let box = Notes<Client>()
            let tokens = RefreshingToken(.init("t1")) { _ in
                let client = try #require(box.all.first)
                return .init(try await client.get("token", as: String.self) { if isOpen { Authorization.none } })
            }
            let client = Client(sending: tokens, to: stub)
            box.add(client)
            if isOpen {
                #expect(try await client.get("a", as: Int.self) == 2)
            } else {
                let error = await failure { try await client.get("a", as: Int.self) }
                #expect(error.map { "\($0)" }?.contains("declare Authorization.none on that call") == true)
            }
        }
    }

    @Test(
        "Setting a token resumes the calls waiting for a refresh, and removing it fails them",
        arguments: ["t2", nil]
    )
    func replaced(token: String?) async throws {
        let (issuer, gate) = (Issuer(), Gate())
        await issuer.expire()
        let stub = StubTransport { await issuer.response(to: $0) }
        let tokens = RefreshingToken("t1", of: issuer, gate: gate)
        let client = Client(sending: tokens, to: stub)
        let call = Task { await failure { try await client.get("a", as: Int.self) } }
        await tokens.waitForWaiters(1)
        tokens.replace(with: token.map { .init($0) })
        let error = await call.value
        gate.open()
        if token == nil {
            guard case .authorization? = error else {
                Issue.record("expected an authorization failure")
                return
            }
        } else {
            #expect(error == nil)
        }
        #expect(tokens.current?.value == token)
    }

    @Test("A call that exceeds the maximum number of waiting calls fails immediately, and the others continue")
    func bound() async throws {
        let (issuer, gate) = (Issuer(), Gate())
        await issuer.expire()
        let stub = StubTransport { await issuer.response(to: $0) }
        let tokens = RefreshingToken(.init("t1"), waiting: 2) { context in
            await gate.waitUntilOpen()
            return try await issuer.token(for: context)
        }
        let client = Client(sending: tokens, to: stub)
        let errors = Notes<APIError>()
        let calls = (1...3).map { _ in
            Task {
                let error = await failure { try await client.get("a", as: Int.self) }
                if let error { errors.add(error) }
            }
        }
        await waitUntil { tokens.waiterCount + errors.all.count >= 3 }
        guard case .authorization(let failure)? = errors.all.first else {
            gate.open()
            Issue.record("expected an authorization failure, not \(errors.all)")
            return
        }
        #expect(failure.underlying as? RefreshingToken.TooManyWaiting == .init(limit: 2))
        #expect(failure.wasRejected)
        #expect("\(failure)".contains("already has 2 calls waiting"))
        gate.open()
        for call in calls { await call.value }
        #expect(errors.all.count == 1)
        #expect(try await client.get("a", as: Int.self) == 2)
        #expect(await issuer.refreshCount == 1)
    }
}
