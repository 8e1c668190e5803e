import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
import WaybillTesting

@testable import Waybill

@Suite("Caches and shared transfers over sockets", .inTurn, .safetyNet)
struct CacheSocketTests {
    static let fresh = HTTPFields(lines: ["Cache-Control: max-age=1000", "ETag: \"a\""])

    @Test(
        "A response over a socket is cached if it is complete, chunked or not, but not if it is interrupted",
        arguments: [false, true]
    )
    func whole(isChunked: Bool) async throws {
        let whole = StubResponse.json(#"{"a":[1,2,3]}"#, headers: Self.fresh)
        let responses: StubResponses = [
            "GET a": .sequence([whole.closed(.insideBody), isChunked ? whole.chunked(bytes: 3) : whole, .status(500)])
        ]
        let server = try LoopbackServer(responses)
        defer { server.stop() }
        let cache = HTTPCache()
        let client = Client(server.url) { Cached(in: cache) }
        let error = await failure { try await client.get("a", as: JSONValue.self) }
        guard case .transport = error else {
            Issue.record("expected a transport failure")
            return
        }
        #expect(await cache.byteCount == 0)
        for _ in 1...3 { #expect(try await client.get("a", as: JSONValue.self) == ["a": [1, 2, 3]]) }
        #expect(server.requestCount == 2)
    }

    @Test("Coalesced calls over a socket share one request, which is cancelled with the last call")
    func shared() async throws {
        let gate = Gate()
        let server = try LoopbackServer(["GET a": .json("1").held(by: gate), "GET b": .json("2").held(by: Gate())])
        defer { server.stop() }
        let client = Client(server.url) { Coalesced() }
        let flights = client.context.storage.state(for: "coalescing") { InFlightRequests() }
        let calls = (1...10).map { _ in Task { try await client.get("a", as: Int.self) } }
        await waitUntil { flights.memberCounts == [10] }
        gate.open()
        for call in calls { #expect(try await call.value == 1) }
        #expect(server.requestCount == 1)

        let given = (1...10).map { _ in
            Task { await failure { try await client.get("b", as: Int.self) } }
        }
        await server.waitForRequests(count: 2)
        await waitUntil { flights.memberCounts == [10] }
        for call in given { call.cancel() }
        for call in given {
            guard case .cancelled = await call.value else {
                Issue.record("expected a cancelled call")
                return
            }
        }
        await server.waitForOpenConnections(atMost: 0)
        #expect(flights.memberCounts.isEmpty)
    }
}
