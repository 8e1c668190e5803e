import CallSupport
import Foundation
import TestSupport
import Testing
import WaybillTesting

@testable import Waybill

@Suite("Final events", .inTurn, .safetyNet)
struct EventEndTests {
    /// An observer that blocks on a `refreshed` event until released and records each event when delivery ends.
    ///
    /// `@unchecked Sendable`: mutable state is accessed only under the condition's lock.
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
            // Use a separate thread, because the observer blocks it.
            Thread.detachNewThread { call.report(.refreshed) }
            await slow.began.waitUntilOpen()
            return try await next(request)
        }
    }

    @Test("A call's final event waits for an event being delivered, and no event follows it", arguments: [true, false])
    func waits(isSuccess: Bool) async throws {
        let slow = Slow()
        let keeper = Keeper(slow)
        let shop = Shop(responses: ["GET one": .json("1", status: isSuccess ? 200 : 500)]) {
            Observe(slow)
            Use(keeper)
        }
        let call = Task { try? await shop.client.get("one", as: Int.self) }
        await slow.began.waitUntilOpen()
        let deliveries = try #require(keeper.call?.context.reporting?.deliveries)
        let isEnd = { (line: String) in line.hasPrefix("finished") || line.hasPrefix("failed") }
        await waitUntil { deliveries.isEnding || slow.lines.all.contains(where: isEnd) }
        // A report from another task is now too late.
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

    @Test("A call's final event is delivered once, and no earlier event is dropped")
    func once() async {
        let deliveries = EventDispatcher()
        let lines = Lines()
        // An observer can report an event itself.
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
