import Foundation
import Testing
import WaybillTesting

@testable import Waybill

@Suite("Caches and shared transfers over sockets", .timeLimit(.minutes(5)))
struct CacheSocketTests {
    static let fresh = HTTPFields(lines: ["Cache-Control: max-age=1000", "ETag: \"a\""])

    @Test("What breaks off is not kept; what comes whole is, in pieces or at once", arguments: [false, true])
    func whole(isChunked: Bool) async throws {
        let whole = Answer.json(#"{"a":[1,2,3]}"#, headers: Self.fresh)
        let answers: Answers = [
            "GET a": .sequence([whole.closed(.insideBody), isChunked ? whole.chunked(size: 3) : whole, .status(500)])
        ]
        let server = try LoopbackServer(answers)
        defer { server.stop() }
        let cache = HTTPCache()
        let client = Client(server.url) { Cached(in: cache) }
        let error = await failure { () async throws(APIError) in try await client.get("a", as: JSONValue.self) }
        guard case .transport = error else {
            Issue.record("expected a transport failure")
            return
        }
        #expect(await cache.byteCount == 0)
        for _ in 1...3 { #expect(try await client.get("a", as: JSONValue.self) == ["a": [1, 2, 3]]) }
        #expect(server.requestCount == 2)
    }

    @Test("Shared calls are one request, which ends when all have gone")
    func shared() async throws {
        let gate = Gate()
        let server = try LoopbackServer(["GET a": .json("1").held(by: gate), "GET b": .json("2").held(by: Gate())])
        defer { server.stop() }
        let client = Client(server.url) { Coalesced() }
        let flights = client.context.shared.state(for: "coalescing") { Flights() }
        let calls = (1...10).map { _ in Task { try await client.get("a", as: Int.self) } }
        await waitUntil { flights.memberCounts == [10] }
        gate.open()
        for call in calls { #expect(try await call.value == 1) }
        #expect(server.requestCount == 1)

        let given = (1...10).map { _ in
            Task { await failure { () async throws(APIError) in try await client.get("b", as: Int.self) } }
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
