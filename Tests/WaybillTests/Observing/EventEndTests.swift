import Foundation
import Testing
import WaybillTesting

@testable import Waybill

@Suite("The last event of a call, while another task is telling one", .timeLimit(.minutes(5)))
struct EventEndTests {
    /// Does not come back from an event `refreshed` until it is let go; notes each event when it is through with it.
    ///
    /// `@unchecked Sendable`: what changes is touched under the condition's lock alone.
    private final class Slow: CallObserver, @unchecked Sendable {
        let lines = Lines()
        private let condition = NSCondition()
        private var mayGo = false

        let began = Gate()

        func observe(_ event: CallEvent) {
            if case .refreshed = event.kind {
                began.open()
                condition.withLock { while !mayGo { condition.wait() } }
            }
            lines.add("\(event.kind)")
        }

        func letGo() {
            condition.withLock {
                mayGo = true
                condition.broadcast()
            }
        }
    }

    private final class Keeper: Middleware, @unchecked Sendable {  // the call is kept before it is read
        private(set) var call: Call?
        let slow: Slow

        init(_ slow: Slow) { self.slow = slow }

        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            self.call = call
            // A thread of its own: it is held up.
            Thread.detachNewThread { call.report(.refreshed) }
            await slow.began.waitUntilOpen()
            return try await next(request)
        }
    }

    @Test("It waits for what is being told, and nothing comes after it", arguments: [true, false])
    func waits(isSuccess: Bool) async throws {
        let slow = Slow()
        let keeper = Keeper(slow)
        let shop = Shop(answering: ["GET one": .json("1", status: isSuccess ? 200 : 500)]) {
            Observe(slow)
            Use(keeper)
        }
        let call = Task { try? await shop.client.get("one", as: Int.self) }
        await slow.began.waitUntilOpen()
        let deliveries = try #require(keeper.call?.context.reporting?.deliveries)
        let isEnd = { (line: String) in line.hasPrefix("finished") || line.hasPrefix("failed") }
        await waitUntil { deliveries.isEnding || slow.lines.all.contains(where: isEnd) }
        // What another task reports now is too late.
        keeper.call?.report(.queued)
        slow.letGo()
        #expect(await call.value == (isSuccess ? 1 : nil))
        #expect(
            slow.lines.all == [
                "began", "sent", isSuccess ? "head, 200 OK" : "head, 500 Internal Server Error", "body, 1 byte",
                "credential refreshed", isSuccess ? "finished, 200 OK" : "failed, 500 Internal Server Error",
            ]
        )
    }

    @Test("It comes once, and nothing is dropped before it")
    func once() async {
        let deliveries = EventDeliveries()
        let lines = Lines()
        // An observer may have something to report itself.
        deliveries.deliver {
            deliveries.deliver { lines.add("inner") }
            lines.add("outer")
        }
        await deliveries.deliverLast { lines.add("last") }
        await deliveries.deliverLast { lines.add("last again") }
        deliveries.deliver { lines.add("late") }
        #expect(lines.all == ["inner", "outer", "last"])
    }
}
