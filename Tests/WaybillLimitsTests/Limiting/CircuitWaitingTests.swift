import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillLimits
import WaybillTesting

@testable import Waybill

@Suite("CircuitBreaker: timeouts before and after sending", .inTurn, .safetyNet)
struct CircuitWaitingTests {
    /// The local step during which a call times out.
    enum Hanging: CaseIterable {
        case source
        /// A credential source that returns a credential although its call has ended.
        case obstinateSource
        case refresh
        /// The refresh after the server rejected a token.
        case renewal
        case signature
        /// A signer that signs although its call has ended.
        case obstinateSignature
    }

    /// A step that blocks until it is released.
    private struct Wait: Sendable {
        let begun = Gate()
        let end = Gate()

        func callAsFunction() async {
            begun.open()
            await end.waitUntilOpen()
        }
    }

    private struct Signer: Signed.Signer {
        let wait: Wait
        let isObstinate: Bool

        func sign(_ request: inout HTTPRequest, body: Data?) async throws {
            await wait()
            if !isObstinate { try Task.checkCancellation() }
        }
    }

    @Scope.Builder private func clauses(_ hanging: Hanging, _ wait: Wait) -> Scope {
        switch hanging {
        case .source:
            Authorization(
                .bearer {
                    await wait()
                    try Task.checkCancellation()
                    return "t"
                }
            )
        case .obstinateSource:
            Authorization(
                .bearer {
                    await wait()
                    return "t"
                }
            )
        case .refresh, .renewal:
            Authorization(
                .bearer(
                    refreshing: RefreshingToken(hanging == .refresh ? nil : .init("t1")) { _ in
                        await wait()
                        return .init("t2")
                    }
                )
            )
        case .signature: Signed(by: Signer(wait: wait, isObstinate: false))
        case .obstinateSignature: Signed(by: Signer(wait: wait, isObstinate: true))
        }
    }

    @Test(
        "A timeout while waiting for a credential or signature does not count as a circuit failure",
        arguments: Hanging.allCases
    )
    func credential(_ hanging: Hanging) async {
        let (clock, wait) = (ManualClock(), Wait())
        defer { wait.end.open() }
        let stub = StubTransport(["GET a": .status(401), "GET b": .json("1")], clock: clock)
        let client = Client(Shop.url, transport: stub, clock: clock) { CircuitBreaker(failures: 1, for: .seconds(60)) }
        let call = client.start("a") {
            Timeout(.seconds(5))
            clauses(hanging, wait)
        }
        await wait.begun.waitUntilOpen()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        guard case .timeout = await call.value else {
            Issue.record("expected a timeout")
            return
        }
        #expect(await client.start("b").value == nil)
        #expect(stub.requests.count == (hanging == .renewal ? 2 : 1))
    }

    @Test("After a half-open call times out waiting for a credential, the next call is tried")
    func trial() async {
        let (clock, wait) = (ManualClock(), Wait())
        defer { wait.end.open() }
        let stub = StubTransport(["GET a": .sequence([.status(500), .json("1")])], clock: clock)
        let client = Client(Shop.url, transport: stub, clock: clock) { CircuitBreaker(failures: 1, for: .seconds(60)) }
        _ = await client.start("a").value
        clock.advance(by: .seconds(60))
        let trial = client.start("a") {
            Timeout(.seconds(5))
            clauses(.source, wait)
        }
        await wait.begun.waitUntilOpen()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        _ = await trial.value
        #expect(await client.start("a").value == nil)
    }

    @Test(
        "A timeout at the server counts as a circuit failure, unless a redirect led to another origin",
        arguments: [true, false]
    )
    func sent(isRedirected: Bool) async {
        let clock = ManualClock()
        let responses = StubResponses().otherwise(
            .response { request in
                switch request.path {
                case "/v1/a": isRedirected ? .redirect(to: "https://other.example/v1/c") : .never
                case "/v1/b": .json("1")
                default: .never
                }
            }
        )
        let stub = StubTransport(responses, clock: clock)
        let client = Client(Shop.url, transport: stub, clock: clock) {
            CircuitBreaker(failures: 1, for: .seconds(60))
            Authorization(.bearer { "t" })
        }
        let call = client.start("a") { Timeout(.seconds(5)) }
        await stub.waitForRequests(count: isRedirected ? 2 : 1)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        _ = await call.value
        let next = await client.start("b").value
        #expect((next == nil) == isRedirected)
    }
}
