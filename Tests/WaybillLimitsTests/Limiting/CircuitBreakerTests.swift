import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillLimits
import WaybillTesting

@testable import Waybill

@Suite("CircuitBreaker: calls", .inTurn, .safetyNet)
struct CircuitBreakerTests {
    let clock = ManualClock()

    private func client(_ responses: StubResponses, @Scope.Builder _ clauses: () -> Scope) -> (Client, StubTransport) {
        let stub = StubTransport(responses, clock: clock)
        let dates = Client.DateProvider { [clock] in
            Date(timeIntervalSince1970: 1_800_000_000 + clock.now.offset / .seconds(1))
        }
        return (Client(Shop.url, transport: stub, clock: clock, dates: dates, clauses), stub)
    }

    private func openCircuit(_ error: APIError?) -> APIError.OpenCircuit? {
        guard case .rejected(let failure) = error, case .circuitOpen(let circuit) = failure.reason else { return nil }
        return circuit
    }

    @Test("A circuit opens after failures, rejects calls, then tries one and closes if it succeeds")
    func course() async throws {
        let gate = Gate()
        let (client, stub) = client([
            "GET a": .sequence([
                .status(500), .status(503), .failure(TransportError(.connectionLost)),
                .status(502), StubResponse.json("1").held(by: gate), .json("1"),
            ])
        ]) { CircuitBreaker(failures: 3, for: .seconds(30)) }
        for _ in 0..<3 {
            #expect(openCircuit(await client.start("a").value) == nil)
            clock.advance(by: .seconds(1))
        }
        #expect(
            await client.start("a").value?.description == """
                GET a was not sent: the circuit to https://shop.example is open
                  https://shop.example/v1/a
                  3 failures in a row, the last at 2027-01-15T08:00:02Z; the next call is let through at 2027-01-15T08:00:32Z
                  the last: GET a got no response: the connection was lost
                """
        )
        clock.advance(by: .seconds(28))
        #expect(openCircuit(await client.start("a").value) != nil)
        #expect(stub.requests.count == 3)
        clock.advance(by: .seconds(1))
        #expect(await client.start("a").value?.status == 502)
        let again = try #require(openCircuit(await client.start("a").value))
        #expect(again.failures == 4)
        #expect(again.cause.status == 502)
        #expect(again.until == Date(timeIntervalSince1970: 1_800_000_062))
        clock.advance(by: .seconds(30))
        let trial = client.start("a")
        await stub.waitForRequests(count: 5)
        #expect(
            await client.start("a").value?.description == """
                GET a was not sent: the circuit to https://shop.example is open
                  https://shop.example/v1/a
                  4 failures in a row, the last at 2027-01-15T08:00:32Z; a trial call is in progress
                  the last: GET a failed: 502 Bad Gateway
                """
        )
        gate.open()
        #expect(await trial.value == nil)
        #expect(await client.start("a").value == nil)
        #expect(stub.requests.count == 6)
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let response: StubResponse
        let counts: Bool

        init(_ name: String, _ response: StubResponse, counts: Bool) {
            testDescription = name
            self.response = response
            self.counts = counts
        }

        init(_ kind: TransportError.Kind, counts: Bool) {
            self.init(kind.rawValue, .failure(TransportError(kind)), counts: counts)
        }
    }

    @Test(
        "Server errors and transport errors count as circuit failures, and others do not",
        arguments: [
            Row("500", .status(500), counts: true), Row("503", .status(503), counts: true),
            Row("599", .status(599), counts: true), Row("200", .json("1"), counts: false),
            Row("a body that does not decode", .json("x"), counts: false), Row("302", .status(302), counts: false),
            Row("400", .status(400), counts: false), Row("404", .status(404), counts: false),
            Row("429", .status(429), counts: false),
            Row("a body that breaks off", .json("123").truncated(afterBytes: 1), counts: true),
            Row("a failed body that breaks off", .json("123", status: 404).truncated(afterBytes: 1), counts: true),
            Row(.cannotResolveHost, counts: true), Row(.cannotConnect, counts: true),
            Row(.secureConnectionFailed, counts: true), Row(.connectionLost, counts: true),
            Row(.timedOut, counts: true), Row(.invalidResponse, counts: true), Row(.headTooLarge, counts: true),
            Row(.other, counts: true), Row(.cancelled, counts: false), Row(.unsupportedRequest, counts: false),
            Row(.bodyTooLarge, counts: false), Row(.unavailable, counts: false),
            Row(.redirectRejected, counts: false), Row(.tooManyRedirects, counts: false),
            Row(.redirectLoop, counts: false),
        ]
    )
    func failures(_ row: Row) async {
        let (client, _) = client(["GET a": .response(row.response)]) {
            CircuitBreaker(failures: 1, for: .seconds(1))
            Redirects(.follow)
        }
        _ = await client.start("a").value
        #expect((openCircuit(await client.start("a").value) != nil) == row.counts)
    }

    @Test("A status declared as success does not count as a circuit failure")
    func declaredSuccess() async {
        let (client, _) = client(["GET a": .json("1", status: 503)]) {
            CircuitBreaker(failures: 1, for: .seconds(1))
            Success(503)
        }
        for _ in 0..<3 { #expect(await client.start("a").value == nil) }
    }

    @Test("A timeout counts as a circuit failure, and a cancellation does not", arguments: [true, false])
    func waiting(isTimeUp: Bool) async throws {
        let (client, stub) = client(["GET a": .never, "GET b": .json("1")]) {
            CircuitBreaker(failures: 1, for: .seconds(60))
        }
        let call = client.start("a") { Timeout(.seconds(5)) }
        await stub.waitForRequests(count: 1)
        await clock.waitForSleepers(count: 1)
        if isTimeUp { clock.advance(by: .seconds(5)) } else { call.cancel() }
        _ = await call.value
        let circuit = openCircuit(await client.start("b").value)
        #expect((circuit != nil) == isTimeUp)
        if isTimeUp {
            guard case .timeout = circuit?.cause else {
                Issue.record("expected a timeout as the cause")
                return
            }
        }
    }

    @Test("After a cancelled half-open call, the next call is tried")
    func cancelledTrial() async {
        let (client, stub) = client(["GET a": .sequence([.status(500), .never, .json("1")])]) {
            CircuitBreaker(failures: 1, for: .seconds(1))
        }
        _ = await client.start("a").value
        clock.advance(by: .seconds(1))
        let trial = client.start("a")
        await stub.waitForRequests(count: 2)
        #expect(openCircuit(await client.start("a").value)?.isHalfOpen == true)
        trial.cancel()
        _ = await trial.value
        #expect(await client.start("a").value == nil)
    }

    @Test("A credential's call is admitted with its half-open call, and can fail it", arguments: [200, 503])
    func credential(status: Int) async {
        let (client, stub) = client([
            "GET a": .sequence([.status(500), .json("1")]), "GET token": .json("7", status: .init(code: status)),
        ]) { CircuitBreaker(failures: 1, for: .seconds(1)) }
        _ = await client.start("a").value
        clock.advance(by: .seconds(1))
        let trial = await client.start("a") {
            Authorization(.bearer { "\(try await client.get("token", as: Int.self))" })
        }.value
        if status == 200 {
            #expect(trial == nil)
            #expect(stub.requests.count == 3)
            #expect(await client.start("a").value == nil)
        } else {
            guard case .authorization = trial else {
                Issue.record("expected a call without a credential")
                return
            }
            let circuit = openCircuit(await client.start("a").value)
            #expect(circuit?.isHalfOpen == false)
            #expect(circuit?.failures == 2)
            #expect(circuit?.cause.status == 503)
        }
    }

    @Test("Circuits are per origin and client, CircuitBreaker.none disables them, and healthy ones are not kept")
    func origins() async {
        let breaker = CircuitBreaker(failures: 1, for: .seconds(30))
        let (client, stub) = client(["GET a": .status(500), "GET b": .json("1")]) { breaker }
        let circuits = client.context.storage.state(for: breaker) { Circuits(breaker) }
        _ = await client.start("b").value
        #expect(circuits.count == 0)
        _ = await client.start("a").value
        #expect(circuits.count == 1)
        #expect(openCircuit(await client.start("b").value)?.origin.description == "https://shop.example")
        let other = LimitSharingTests.ToHost(host: "other.example")
        #expect(await client.start("b") { Use(other) }.value == nil)
        #expect(await client.start("b") { CircuitBreaker.none }.value == nil)
        let sibling = Client(Shop.url, transport: stub) { breaker }
        #expect(await sibling.start("b").value == nil)
    }

    @Test(
        "Invalid values for CircuitBreaker are declaration errors",
        arguments: [
            (CircuitBreaker(failures: 0), "failures: 0, for: 30 s"),
            (CircuitBreaker(failures: -2), "failures: -2, for: 30 s"),
            (CircuitBreaker(for: .zero), "failures: 5, for: 0 ms"),
            (CircuitBreaker(for: .seconds(-1)), "failures: 5, for: -1 s"),
        ]
    )
    func declarationErrors(breaker: CircuitBreaker, value: String) async {
        let (client, stub) = client(["GET a": .json("1")]) { breaker }
        guard case .request(let failure) = await client.start("a").value else {
            Issue.record("expected a declaration error")
            return
        }
        #expect(
            failure.declarationErrors.map(\.description) == [
                "CircuitBreaker(\(value)): give 1 failure or more and a positive time, or CircuitBreaker.none"
            ]
        )
        #expect(stub.requests.isEmpty)
    }
}
