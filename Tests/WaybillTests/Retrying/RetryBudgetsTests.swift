import Testing

@testable import Waybill

@Suite("The budgets of origins to which pages lead")
struct RetryBudgetsTests {
    private let budgets: RetryBudgets
    private let own: RetryBudgets.Share

    init() throws {
        budgets = RetryBudgets(try #require(RetryBudget(capacity: 20).terms))
        own = RetryBudgets.Share(budgets, origin: nil)
    }

    private func share(_ name: String) throws -> RetryBudgets.Share {
        let origin: Origin = try #require(Origin("https://\(name).example"))
        return RetryBudgets.Share(budgets, origin: origin)
    }

    @Test("However many there are, few are kept, and empty ones stay empty, the client's own too")
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

    @Test("The client's own is never forgotten, though all others are empty")
    func ownStays() throws {
        for _ in 1...4 { #expect(own.take(afterTimeout: false) == 5) }
        for number in 0..<3000 {
            let other = try share("o\(number)")
            while other.take(afterTimeout: false) != nil {}
        }
        #expect(budgets.otherCount <= 1000)
        #expect(own.take(afterTimeout: false) == nil)
    }

    @Test("A full one is not kept")
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
