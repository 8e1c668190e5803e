import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Many clients after days of server downtime")
struct DaysOfflineTests {
    private static let clientCount = Thoroughness.repetitions(80, otherwise: 4)
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    /// A server that accepts a limited number of requests per second, and counts the requests of each second after
    /// its return.
    private final class CrowdedServer: Sendable {
        struct State {
            var now = DaysOfflineTests.start
            var isBack = false
            /// The number of requests by the second of their arrival.
            var arrivals: [Int: Int] = [:]
            var created: [String: Int] = [:]
            var keys: [String: JSONValue] = [:]
        }

        let state = Locked(State())

        func change<Value>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

        @Sendable func respond(_ request: ReceivedRequest) -> StubResponse {
            change { state in
                guard state.isBack else { return .failure(TransportError(.cannotConnect)) }
                let second = Int(state.now.timeIntervalSince1970)
                state.arrivals[second, default: 0] += 1
                if state.arrivals[second, default: 0] > 20 {
                    return StubResponse(status: 503, headerFields: [HTTPField(name: .retryAfter, value: "60")])
                }
                let key = request.headerFields["Idempotency-Key"] ?? ""
                if let known = state.keys[key] { return .json(known.description, status: 201) }
                let draft = (try? request.decode(JSONValue.self)) ?? [:]
                let item = draft.applying(mergePatch: ["id": .integer(state.keys.count + 1)])
                state.created[draft["name"]?.stringValue ?? "", default: 0] += 1
                state.keys[key] = item
                return .json(item.description, status: 201)
            }
        }
    }

    /// A client with one write, and a clock controlled by the test.
    private struct Client {
        let store: Store
        let clock: ManualClock
        let product: String

        init(_ number: Int, _ server: CrowdedServer) async throws {
            clock = ManualClock()
            product = "Product \(number)"
            store = try await Store.inMemory(
                settings: StoreSettings(backoff: .exponential(from: .seconds(2), to: .seconds(21_600))),
                clock: clock,
                dates: Waybill.Client.DateProvider { server.change { $0.now } },
                randomNumberGenerator: StoreGenerator(seed: UInt64(number) &* 7_919 &+ 1)
            )
            let products = store.collection(Shop(StubTransport(server.respond)) { IdempotencyKey() }.products)
            try await products.create(.init(name: product))
        }

        /// Waits until the write has taken effect or sleeps.
        ///
        /// Returns the sleep's deadline, or `nil` once the write is done.
        func next(_ server: CrowdedServer) async -> ManualClock.Instant? {
            while true {
                if let deadline = clock.deadlines.first { return deadline }
                if server.change({ $0.created[product] != nil }) {
                    await store.sender.waitForRequestsInFlight()
                    return nil
                }
                await Task.yield()
            }
        }
    }

    @Test("No write is lost, and the returning server is not flooded", .inTurn, .safetyNet)
    func days() async throws {
        let server = CrowdedServer()
        var clients: [Client] = []
        var deadlines: [(at: ManualClock.Instant, client: Int)] = []
        for number in 0..<Self.clientCount {
            clients.append(try await Client(number, server))
            deadlines.append((try #require(await clients[number].next(server)), number))
        }
        let back = ManualClock.Instant(offset: .seconds(3 * 86_400))
        // The client with the next deadline, until none waits.
        while let index = deadlines.indices.min(by: { deadlines[$0].at < deadlines[$1].at }) {
            let (moment, number) = deadlines.remove(at: index)
            server.change { state in
                state.now = Self.start + moment.offset.timeInterval
                state.isBack = moment >= back
            }
            clients[number].clock.advance(to: moment)
            if let next = await clients[number].next(server) { deadlines.append((next, number)) }
        }
        let (created, arrivals) = server.change { ($0.created, $0.arrivals) }
        #expect(created.count == Self.clientCount)
        #expect(created.values.allSatisfy { $0 == 1 })
        // Without spreading, all clients would arrive in one second.
        #expect(arrivals.values.max() ?? 0 <= max(10, Self.clientCount / 50))
        #expect(arrivals.values.reduce(0, +) < 2 * Self.clientCount)
        for client in clients {
            #expect(try await client.store.outbox.entries().isEmpty)
            await client.store.close()
        }
    }
}
