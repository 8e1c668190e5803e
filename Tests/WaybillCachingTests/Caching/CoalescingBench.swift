import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
import WaybillTesting

@testable import Waybill

/// A server that numbers its responses and holds them until a gate opens.
struct CoalescingBench {
    let stub: StubTransport
    let gate = Gate()
    let clock = ManualClock()
    let events = Lines()
    /// The ways in which the requests ended at the server.
    let ends = Lines()
    /// The safe requests numbered by the server.
    let numbered = Lines()
    let client: Client

    init(status: HTTPResponse.Status = 200, @Scope.Builder _ clauses: () -> Scope = { Scope() }) {
        let (gate, count, ends) = (gate, numbered, ends)
        stub = StubTransport { request in
            guard request.method.isSafe else { return .status(204) }
            let number = count.add("")
            await gate.waitUntilOpen()
            ends.add(Task.isCancelled ? "cancelled" : "completed")
            return .json("\(number)", status: status)
        }
        client = Client(Shop.url, transport: stub, clock: clock) { [events] in
            Coalesced()
            Observe { event in
                if case .cached(let use) = event.kind { events.add(use.name) }
            }
            clauses()
        }
    }

    var flights: InFlightRequests { client.context.storage.state(for: "coalescing") { InFlightRequests() } }

    func call(_ path: String = "a", @Scope.Builder _ clauses: () -> Scope = { Scope() }) -> Task<
        Result<Int, APIError>, Never
    > {
        let endpoint: Endpoint<Int> = client.endpoint { GET("\(path)") }
        let call = endpoint.with(clauses)
        return Task {
            do throws(APIError) {
                return .success(try await call.send())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Waits until `count` transfers have been numbered by the server.
    func waitForTransfers(_ count: Int) async { await waitUntil { numbered.all.count == count } }

    /// Waits until the transfers in flight have these numbers of calls.
    func waitForMembers(_ counts: [Int]) async {
        await waitUntil { flights.memberCounts.sorted() == counts.sorted() }
    }
}
