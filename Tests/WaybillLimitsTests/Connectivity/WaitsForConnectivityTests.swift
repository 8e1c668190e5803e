import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillLimits
import WaybillTesting

@testable import Waybill

@Suite("Waiting for the network", .inTurn, .safetyNet)
struct WaitsForConnectivityTests {
    private let url: URL
    private let network = NetworkMonitor(isConnected: false)
    private let clock = ManualClock()

    init() throws { url = try #require(URL(string: "https://shop.example")) }

    private func client(
        _ stub: StubTransport,
        upTo limit: Duration = .seconds(60),
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Client {
        let (network, scope) = (network, clauses())
        return Client(url, transport: stub, clock: clock) {
            WaitsForConnectivity(maximumWait: limit, by: network)
            scope
        }
    }

    /// Returns a stub whose network is lost during the first request.
    private func goingAway(with first: StubResponse, then second: StubResponse) -> StubTransport {
        let (network, count) = (network, Locked(0))
        return StubTransport { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return second }
            network.update(isConnected: false)
            return first
        }
    }

    private func events(_ log: EventLog) -> [String] {
        log.all.map { event in
            switch event.kind {
            case .connected(let wait): "connected after \(wait)"
            case .failed: "failed"
            case .sent: "sent, attempt \(event.attempt)"
            default: "\(event.kind)"
            }
        }
    }

    @Test("A call waits for a network, and observers see the wait")
    func waits() async throws {
        let stub = StubTransport { _ in .json("1") }
        let log = EventLog()
        let client = client(stub) { Observe(log) }
        let call = Task { try await client.get("a", as: Int.self) }
        await waitUntil { network.waitingCount == 1 }
        #expect(stub.requests.isEmpty)
        clock.advance(by: .seconds(40))
        network.update(isConnected: true)
        #expect(try await call.value == 1)
        #expect(
            events(log).prefix(4)
                == ["began", "waits for a network", "connected after 40.0 seconds", "sent, attempt 1"]
        )
    }

    @Test("A call whose wait times out fails, names the clause, and is not retried")
    func limit() async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = client(stub) { Retry(attempts: 5) }
        let call = Task { try await client.get("a", as: Int.self) }
        await waitUntil { network.waitingCount == 1 && !clock.deadlines.isEmpty }
        clock.advance(by: .seconds(60))
        let error = await #expect(throws: APIError.self) { try await call.value }
        guard case .transport(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.error.kind == .notConnected)
        #expect(failure.error.message.contains("WaitsForConnectivity(maximumWait:)"))
        #expect(failure.call.attempt == 1)
        #expect(error?.mayHaveTakenEffect == false)
        #expect(stub.requests.isEmpty)
        #expect(network.waitingCount == 0)
    }

    @Test("A call cancelled while it waits sends nothing")
    func cancelled() async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = client(stub)
        let call = Task { try await client.get("a", as: Int.self) }
        await waitUntil { network.waitingCount == 1 }
        call.cancel()
        let error = await #expect(throws: APIError.self) { try await call.value }
        if case .cancelled = error {} else { Issue.record("\(String(describing: error))") }
        #expect(network.waitingCount == 0)
        #expect(stub.requests.isEmpty)
    }

    @Test(
        "After a network loss, a request that is safe to repeat is sent again without counting an attempt",
        arguments: [
            ("GET", TransportError.Kind.connectionLost, true), ("PUT", .connectionLost, true),
            ("POST", .connectionLost, false), ("POST", .cannotConnect, true), ("POST", .cannotResolveHost, true),
            ("GET", .timedOut, true), ("GET", .secureConnectionFailed, false),
        ]
    )
    func goes(method: String, kind: TransportError.Kind, isRepeated: Bool) async throws {
        network.update(isConnected: true)
        let stub = goingAway(with: .failure(TransportError(kind)), then: .json("1"))
        let log = EventLog()
        let client = client(stub) { Observe(log) }
        let endpoint: Endpoint<Int> = client.endpoint { Route(method, "a") }
        let call = Task { try await endpoint.send() }
        guard isRepeated else {
            let error = await #expect(throws: APIError.self) { try await call.value }
            guard case .transport(let failure)? = error else { return unexpected(error) }
            #expect(failure.error.kind == kind)
            return
        }
        await waitUntil { network.waitingCount == 1 }
        network.update(isConnected: true)
        #expect(try await call.value == 1)
        #expect(stub.requests.count == 2)
        #expect(events(log).filter { $0.hasPrefix("sent") } == ["sent, attempt 1", "sent, attempt 1"])
    }

    @Test("A body interrupted by a network loss is requested again")
    func bodyBreaksOff() async throws {
        network.update(isConnected: true)
        let stub = goingAway(with: .json("[1, 2, 3]").truncated(afterBytes: 4), then: .json("[1, 2, 3]"))
        let client = client(stub)
        let call = Task { try await client.get("a", as: [Int].self) }
        await waitUntil { network.waitingCount == 1 }
        network.update(isConnected: true)
        #expect(try await call.value == [1, 2, 3])
        #expect(stub.requests.count == 2)
    }

    @Test("If the network does not come back, the last attempt's failure is thrown")
    func staysAway() async throws {
        network.update(isConnected: true)
        let network = network
        let stub = StubTransport { _ in
            network.update(isConnected: false)
            return .failure(TransportError(.connectionLost, "by the test"))
        }
        let client = client(stub, upTo: .seconds(5))
        let call = Task { try await client.get("a", as: Int.self) }
        await waitUntil { network.waitingCount == 1 && !clock.deadlines.isEmpty }
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: APIError.self) { try await call.value }
        guard case .transport(let failure)? = error else { return unexpected(error) }
        #expect(failure.error.message == "by the test")
        #expect(stub.requests.count == 1)
    }

    @Test("Calls to localhost and calls with WaitsForConnectivity.none do not wait")
    func own() async throws {
        let stub = StubTransport { _ in .json("1") }
        for text in ["http://localhost:8080", "http://127.0.0.1", "http://[::1]", "http://api.localhost"] {
            let network = network
            let client = Client(try #require(URL(string: text)), transport: stub) {
                WaitsForConnectivity(maximumWait: .seconds(60), by: network)
            }
            #expect(try await client.get("a", as: Int.self) == 1)
        }
        let endpoint: Endpoint<Int> = client(stub).endpoint {
            GET("a")
            WaitsForConnectivity.none
        }
        #expect(try await endpoint.send() == 1)
    }

    @Test("A maximum wait that is not positive is a declaration error", arguments: [Duration.zero, .seconds(-1)])
    func invalid(limit: Duration) async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = client(stub, upTo: limit)
        let error = await #expect(throws: APIError.self) { try await client.get("a", as: Int.self) }
        #expect("\(try #require(error))".contains("WaitsForConnectivity(maximumWait: "))
        #expect(stub.requests.isEmpty)
    }

    @Test("A waiting call does not hold a limit's permit")
    func permits() async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = client(stub) { Limit(concurrent: 1) }
        let waiting = Task { try await client.get("a", as: Int.self) }
        await waitUntil { network.waitingCount == 1 }
        let other: Endpoint<Int> = client.endpoint {
            GET("b")
            WaitsForConnectivity.none
        }
        #expect(try await other.send() == 1)
        network.update(isConnected: true)
        #expect(try await waiting.value == 1)
    }
}

/// Records the events of calls.
private final class EventLog: CallObserver {
    private let events = Locked<[CallEvent]>([])

    var all: [CallEvent] { events.withLock { $0 } }

    func observe(_ event: CallEvent) { events.withLock { $0.append(event) } }
}
