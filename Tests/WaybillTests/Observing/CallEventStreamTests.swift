import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Event streams", .inTurn, .safetyNet)
struct CallEventStreamTests {
    private func event(_ number: Int) -> CallEvent { CallEvent(number: number, kind: .began) }

    @Test("An event stream delivers buffered and later events in order until it finishes")
    func order() async {
        let events = CallEvent.Stream(bufferingNewest: 10)
        for number in 1...3 { events.observe(event(number)) }
        events.finish()
        events.observe(event(4))
        var numbers: [Int] = []
        for await event in events { numbers.append(event.number) }
        #expect(numbers == [1, 2, 3])
        #expect(events.droppedCount == 0)
    }

    @Test(
        "An event stream drops and counts the oldest events beyond its limit of at least 1",
        arguments: [(2, [4, 5]), (1, [5]), (0, [5]), (-7, [5]), (Int.max, [1, 2, 3, 4, 5])]
    )
    func bound(limit: Int, kept: [Int]) async {
        let events = CallEvent.Stream(bufferingNewest: limit)
        for number in 1...5 { events.observe(event(number)) }
        events.finish()
        var numbers: [Int] = []
        for await event in events { numbers.append(event.number) }
        #expect(numbers == kept)
        #expect(events.droppedCount == 5 - kept.count)
    }

    @Test("An event stream delivers the events of running calls")
    func calls() async throws {
        let events = CallEvent.Stream(bufferingNewest: 100)
        let shop = Shop(responses: ["GET one": .json("1")]) { Observe(events) }
        let reader = Task {
            var kinds: [String] = []
            for await event in events {
                kinds.append("\(event.kind)")
                if case .finished = event.kind { break }
            }
            return kinds
        }
        #expect(try await shop.client.get("one", as: Int.self) == 1)
        #expect(await reader.value == ["began", "sent", "head, 200 OK", "body, 1 byte", "finished, 200 OK"])
    }

    @Test("Releasing an event stream ends iteration")
    func end() async {
        var events: CallEvent.Stream? = CallEvent.Stream(bufferingNewest: 1)
        var iterator = events?.makeAsyncIterator()
        events = nil
        let next = await iterator?.next()
        #expect(next == nil)
    }
}
