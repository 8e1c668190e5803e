import Testing

@testable import Waybill
@testable import WaybillTransports

@Suite("InFlightLimit")
struct InFlightLimitTests {
    @Test("An in-flight limit admits its number of waiters per key, and queues the others in order")
    func order() {
        var limit = InFlightLimit<String, Int>(2)
        #expect(limit.enter(1, at: "a") == nil)
        #expect(limit.enter(2, at: "a") == nil)
        #expect(limit.enter(3, at: "a") != nil)
        #expect(limit.enter(4, at: "a") != nil)
        #expect(limit.enter(5, at: "b") == nil)
        #expect(limit.leave("a") == 3)
        #expect(limit.leave("a") == 4)
        #expect(limit.leave("a") == nil)
        #expect(limit.leave("a") == nil)
        #expect(limit.enter(6, at: "a") == nil)
    }

    @Test("An in-flight limit skips waiters that have left the queue")
    func abandoned() {
        var limit = InFlightLimit<String, Int>(1)
        #expect(limit.enter(1, at: "a") == nil)
        let tickets = (2...4).map { limit.enter($0, at: "a") }
        for ticket in [tickets[0], tickets[2]].compactMap({ $0 }) { limit.abandon(ticket, at: "a") }
        #expect(limit.leave("a") == 3)
        #expect(limit.leave("a") == nil)
        #expect(limit.enter(5, at: "a") == nil)
    }

    @Test("An in-flight limit admits at least one waiter")
    func atLeastOne() {
        var limit = InFlightLimit<String, Int>(0)
        #expect(limit.enter(1, at: "a") == nil)
        #expect(limit.enter(2, at: "a") != nil)
        #expect(limit.leave("a") == 2)
    }
}
