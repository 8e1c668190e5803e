import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Transports: lifetime", .inTurn, .safetyNet)
struct TransportLifetimeTests {
    @Test(
        "A transport completes the calls in flight when its client is dropped, then closes connections",
        arguments: Carrier.allCases
    )
    func droppedInFlight(_ carrier: Carrier) async throws {
        let gate = Gate()
        try await LoopbackServer.run(["GET it": .json("[1]").held(by: gate)]) { server async throws in
            let calls = try startCalls(20, over: carrier, to: server.url)
            await server.waitForRequests(count: 20)
            gate.open()
            for call in calls { #expect(try await call.value == [1]) }
            await server.waitForOpenConnections(atMost: 0)
        }
    }

    @Test("Calls can be cancelled after their client is dropped", arguments: Carrier.allCases)
    func cancelledAfterDrop(_ carrier: Carrier) async throws {
        try await LoopbackServer.run(["GET it": .never]) { server async throws in
            let calls = try startCalls(20, over: carrier, to: server.url)
            await server.waitForRequests(count: 20)
            for call in calls { call.cancel() }
            for call in calls {
                let error = await #expect(throws: APIError.self) { try await call.value }
                guard case .cancelled = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
            await server.waitForOpenConnections(atMost: 0)
        }
    }

    @Test("A transport closes its connections when it is dropped", arguments: Carrier.allCases)
    func dropped(_ carrier: Carrier) async throws {
        try await LoopbackServer.run(["GET it": .text("fine")]) { server async throws in
            for _ in 1...50 {
                #expect(try await carrier.transport().text(.get, server.url.appending(path: "it")) == "fine")
            }
            await server.waitForOpenConnections(atMost: 0)
        }
    }

    /// Starts calls of a client that only the calls keep alive.
    private func startCalls(_ count: Int, over carrier: Carrier, to url: URL) throws -> [Task<[Int], any Error>] {
        let client = Client(url, transport: try carrier.transport())
        return (0..<count).map { _ in Task { try await client.get("it", as: [Int].self) } }
    }
}
