import Foundation
import TestSupport
import Testing
@testable import WaybillLimits

@testable import Waybill

@Suite("LimitQueues")
struct LimitQueuesTests {
    private typealias Lines = LimitQueues<Int>

    private static func key(_ limit: Limit, _ host: String? = nil) -> LimitKey {
        LimitKey(limit: limit, origin: host.flatMap { HTTPRequest.Origin("https://\($0)") })
    }

    /// Requests a permit, and returns the outcome as text.
    private static func enter(
        _ lines: inout Lines,
        _ waiter: Int,
        _ keys: [LimitKey],
        at now: Int = 0,
        by latest: Int? = nil
    ) -> (word: String, ticket: Lines.Ticket?) {
        let entry = lines.enter(keys, latest: latest.map { .seconds($0) }, now: .seconds(now), waiter: waiter)
        switch entry {
        case .passed: return ("passed", nil)
        case .waits(let ticket): return ("waits", ticket)
        case .rejected(.tooManyWaiting(let limit)): return ("rejected: \(limit) wait", nil)
        case .rejected(.tooLate(let delay, let wait, .deadline(let rest))):
            return ("rejected: \(wait), in \(delay), has \(rest)", nil)
        case .rejected(.tooLate(let delay, let wait, .maximumWait(let rest))):
            return ("rejected: \(wait), in \(delay), waits \(rest)", nil)
        case nil: return ("nothing", nil)
        }
    }

    @Test("A concurrency limit admits waiting calls in order as running ones end")
    func order() {
        var lines = Lines()
        let keys = [Self.key(Limit(concurrent: 2))]
        #expect((1...5).map { Self.enter(&lines, $0, keys).word } == ["passed", "passed", "waits", "waits", "waits"])
        #expect(lines.admit(now: .zero) == [])
        lines.leave(keys)
        #expect(lines.admit(now: .zero) == [3])
        #expect(Self.enter(&lines, 6, keys).word == "waits")
        lines.leave(keys)
        lines.leave(keys)
        #expect(lines.admit(now: .zero) == [4, 5])
        lines.leave(keys)
        lines.leave(keys)
        #expect(lines.admit(now: .zero) == [6])
        lines.leave(keys)
        #expect(lines.isEmpty)
    }

    @Test("Requesting a permit without a waiter only checks for one")
    func asking() {
        var lines = Lines()
        let keys = [Self.key(Limit(concurrent: 1))]
        _ = Self.enter(&lines, 1, keys)
        let entry = lines.enter(keys, latest: nil, now: .zero, waiter: nil)
        #expect(entry == nil)
        #expect(lines.waitingCount == 0)
    }

    @Test("A queue waiting for one limit does not block other queues, and goes first when both can proceed")
    func lines() {
        var lines = Lines()
        let client = Self.key(Limit(concurrent: 3))
        let resource = Self.key(Limit(concurrent: 1))
        #expect(Self.enter(&lines, 1, [client, resource]).word == "passed")
        #expect(Self.enter(&lines, 2, [client, resource]).word == "waits")
        #expect(Self.enter(&lines, 3, [client]).word == "passed")
        #expect(Self.enter(&lines, 4, [client]).word == "passed")
        #expect(Self.enter(&lines, 5, [client]).word == "waits")
        lines.leave([client, resource])
        #expect(lines.admit(now: .zero) == [2])
        #expect(Self.enter(&lines, 6, [client, resource]).word == "waits")
        lines.leave([client])
        #expect(lines.admit(now: .zero) == [5])
    }

    @Test("A rate limit has a next opening, and a concurrency limit has none")
    func nextOpening() {
        var lines = Lines()
        let rate = Self.key(Limit(1, per: .seconds(10)))
        let single = Self.key(Limit(concurrent: 1))
        #expect(Self.enter(&lines, 1, [rate, single], at: 3).word == "passed")
        #expect(lines.nextOpening(now: .seconds(3)) == nil)
        #expect(Self.enter(&lines, 2, [rate, single], at: 4).word == "waits")
        #expect(lines.nextOpening(now: .seconds(4)) == nil)
        lines.leave([rate, single])
        #expect(lines.admit(now: .seconds(5)) == [])
        #expect(lines.nextOpening(now: .seconds(5)) == .seconds(13))
        #expect(lines.admit(now: .seconds(12)) == [])
        #expect(lines.admit(now: .seconds(13)) == [2])
        #expect(lines.nextOpening(now: .seconds(13)) == nil)
    }

    @Test("A waiter that leaves a queue is skipped, and its ticket works only once")
    func abandon() throws {
        var lines = Lines()
        let keys = [Self.key(Limit(concurrent: 1))]
        _ = Self.enter(&lines, 1, keys)
        let tickets = try (2...5).map { try #require(Self.enter(&lines, $0, keys).ticket) }
        #expect(lines.abandon(tickets[1]) == 3)
        #expect(lines.abandon(tickets[1]) == nil)
        #expect(lines.abandon(tickets[3]) == 5)
        var admitted: [Int] = []
        for _ in 1...3 {
            lines.leave(keys)
            admitted += lines.admit(now: .zero)
        }
        #expect(admitted == [2, 4])
        #expect(lines.isEmpty)
        // A new queue for the same key: the old tickets match none of its waiters.
        _ = Self.enter(&lines, 6, keys)
        let last = try #require(Self.enter(&lines, 7, keys).ticket)
        for ticket in tickets { #expect(lines.abandon(ticket) == nil) }
        #expect(lines.abandon(last) == 7)
    }

    @Test("The maximum number of waiting calls applies to each limit, even if a call waits for several")
    func waitingBound() {
        var lines = Lines()
        let client = Self.key(Limit(concurrent: 1, waiting: 2))
        let resource = Self.key(Limit(concurrent: 1, waiting: 1))
        let words = [[client, resource], [client, resource], [client, resource], [client], [client]].map {
            Self.enter(&lines, 0, $0).word
        }
        #expect(words == ["passed", "waits", "rejected: 1 wait", "waits", "rejected: 2 wait"])
        let none = [Self.key(Limit(concurrent: 1, waiting: 0))]
        #expect(Self.enter(&lines, 0, none).word == "passed")
        #expect(Self.enter(&lines, 0, none).word == "rejected: 0 wait")
    }

    @Test("A call is rejected at once if the known wait for a permit exceeds its deadline")
    func deadline() {
        var lines = Lines()
        let rate = [Self.key(Limit(1, per: .seconds(10)))]
        #expect(Self.enter(&lines, 1, rate, by: 0).word == "passed")
        #expect(
            Self.enter(&lines, 2, rate, at: 1, by: 10).word == "rejected: 9.0 seconds, in 9.0 seconds, has 9.0 seconds"
        )
        #expect(Self.enter(&lines, 3, rate, at: 1, by: 11).word == "waits")
        #expect(
            Self.enter(&lines, 4, rate, at: 1, by: 20).word
                == "rejected: 19.0 seconds, in 19.0 seconds, has 19.0 seconds"
        )
        #expect(Self.enter(&lines, 5, rate, at: 1, by: 21).word == "waits")
        let single = [Self.key(Limit(concurrent: 1))]
        #expect(Self.enter(&lines, 6, single, by: 1).word == "passed")
        #expect(Self.enter(&lines, 7, single, by: 1).word == "waits")
    }

    @Test("A server's hold delays calls, and rejects new and waiting calls that would wait too long")
    func hold() {
        var lines = Lines()
        let patient = Limit(concurrent: 1, maximumWait: .seconds(100))
        let hasty = Limit(concurrent: 9, maximumWait: .seconds(20))
        let (one, both) = ([Self.key(patient)], [Self.key(patient), Self.key(hasty)])
        #expect(Self.enter(&lines, 1, both).word == "passed")
        #expect(Self.enter(&lines, 2, one, by: 25).word == "waits")
        #expect(Self.enter(&lines, 3, one, by: 35).word == "waits")
        #expect(Self.enter(&lines, 4, both).word == "waits")
        let rejected = lines.hold(both, as: RateLimitHint(wait: .seconds(29), source: .reset), now: .seconds(1))
        #expect(rejected.map(\.0).sorted() == [2, 4])
        #expect(
            Self.enter(&lines, 5, both, at: 2).word == "rejected: 28.0 seconds, in 28.0 seconds, waits 20.0 seconds"
        )
        #expect(
            Self.enter(&lines, 6, one, at: 2, by: 29).word
                == "rejected: 28.0 seconds, in 28.0 seconds, has 27.0 seconds"
        )
        lines.leave(both)
        #expect(lines.admit(now: .seconds(29)) == [])
        #expect(lines.nextOpening(now: .seconds(29)) == .seconds(30))
        #expect(lines.admit(now: .seconds(30)) == [3])
        lines.leave(one)
        #expect(lines.isEmpty)
    }

    @Test("Successive holds by a server add up against the maximum wait")
    func repeatedHolds() {
        var lines = Lines()
        let keys = [Self.key(Limit(concurrent: 1, maximumWait: .seconds(60)))]
        func hold(for wait: Int, at now: Int) -> [String] {
            let hint = RateLimitHint(wait: .seconds(wait), source: .retryAfter)
            return lines.hold(keys, as: hint, now: .seconds(now)).map { waiter, rejection in
                guard case .tooLate(let delay, let wait, .maximumWait) = rejection else { return "\(waiter)" }
                return "\(waiter): \(wait), in \(delay)"
            }
        }
        #expect(Self.enter(&lines, 1, keys).word == "passed")
        #expect(Self.enter(&lines, 2, keys, at: 1).word == "waits")
        #expect(hold(for: 30, at: 10) == [])
        #expect(Self.enter(&lines, 3, keys, at: 20).word == "waits")
        // From 40 s to 100 s, both wait for the first call to end, which does not count.
        #expect(hold(for: 30, at: 100) == [])
        #expect(hold(for: 35, at: 100) == ["2: 65.0 seconds, in 35.0 seconds"])
        lines.leave(keys)
        #expect(lines.admit(now: .seconds(135)) == [3])
    }

    @Test("Limits of idle hosts are removed")
    func forgetting() {
        var lines = Lines()
        let (first, second) = (Limit(2, per: .seconds(10), to: .eachOrigin), Limit(concurrent: 2, to: .eachOrigin))
        for number in 0..<1000 {
            let keys = [Self.key(first, "host\(number)"), Self.key(second, "host\(number)")]
            #expect(Self.enter(&lines, number, keys, at: number).word == "passed")
            lines.leave(keys)
        }
        #expect(lines.counterCount < 30)
        let keys = [Self.key(first, "new"), Self.key(second, "new")]
        let words = (0..<3).map { Self.enter(&lines, $0, keys, at: 1000).word }
        #expect(words == ["passed", "passed", "waits"])
    }
}
