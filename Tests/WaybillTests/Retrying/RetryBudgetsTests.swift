import Testing

@testable import Waybill

@Suite("Retry budgets of other origins")
struct RetryBudgetsTests {
    private let budgets: RetryBudgets
    private let own: RetryBudgets.Share

    init() throws {
        budgets = RetryBudgets(try #require(Retry.Budget(capacity: 20).terms))
        own = RetryBudgets.Share(budgets: budgets, origin: nil)
    }

    private func share(_ name: String) throws -> RetryBudgets.Share {
        let origin: HTTPRequest.Origin = try #require(HTTPRequest.Origin("https://\(name).example"))
        return RetryBudgets.Share(budgets: budgets, origin: origin)
    }

    @Test("A full budget permits a retry after a timeout, even if the retry costs more than the capacity")
    func timeout() throws {
        let budgets = RetryBudgets(try #require(Retry.Budget(capacity: 8, timeoutCost: 10).terms))
        let share = RetryBudgets.Share(budgets: budgets, origin: nil)
        #expect(share.take(afterTimeout: true) == 8)
        #expect(share.take(afterTimeout: true) == nil)
    }

    @Test("The number of tracked retry budgets is bounded, and an exhausted budget stays exhausted")
    func bound() throws {
        let empty = try share("empty")
        for share in [own, empty] {
            for _ in 1...4 { #expect(share.take(afterTimeout: false) == 5) }
            #expect(share.take(afterTimeout: false) == nil)
        }
        for number in 0..<3000 {
            #expect(try share("o\(number)").take(afterTimeout: false) == 5)
            #expect(budgets.otherCount <= 1000)
        }
        #expect(empty.take(afterTimeout: false) == nil)
        #expect(own.take(afterTimeout: false) == nil)
    }

    @Test("The retry budget of the client's origin is never evicted")
    func ownStays() throws {
        for _ in 1...4 { #expect(own.take(afterTimeout: false) == 5) }
        for number in 0..<3000 {
            let other = try share("o\(number)")
            while other.take(afterTimeout: false) != nil {}
        }
        #expect(budgets.otherCount <= 1000)
        #expect(own.take(afterTimeout: false) == nil)
    }

    @Test("A full retry budget is not tracked")
    func full() throws {
        let share = try share("a")
        let cost = try #require(share.take(afterTimeout: true))
        #expect(budgets.otherCount == 1)
        share.put(cost)
        #expect(budgets.otherCount == 0)
        share.put(1)
        #expect(budgets.otherCount == 0)
    }
}
