#if os(Linux)
    import TestSupport
    import Testing

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("Deadline queue")
    struct DeadlineQueueTests {
        private static func time(_ milliseconds: Int) -> ContinuousTime {
            ContinuousTime(nanoseconds: UInt64(milliseconds) * 1_000_000)
        }

        @Test(
            "A deadline queue returns the expired entries and the time of the next deadline",
            arguments: [
                (now: 109, overdue: [], next: 110), (110, ["a"], 115), (114, ["a"], 115), (115, ["a", "b", "c"], 120),
                (1000, ["a", "b", "c", "d"], nil),
            ] as [(now: Int, overdue: [String], next: Int?)]
        )
        func overdue(now: Int, overdue: [String], next: Int?) {
            var queue = DeadlineQueue<String>(.milliseconds(10))
            for (name, start) in [("a", 100), ("b", 105), ("c", 105), ("d", 110)] {
                #expect(queue.append(name, at: Self.time(start)) != nil)
            }
            var popped: [String] = []
            while let name = queue.popExpired(at: Self.time(now)) { popped.append(name) }
            #expect(popped == overdue)
            #expect(queue.next == next.map(Self.time) ?? .never)
        }

        @Test(
            "A deadline queue stores no entry without a deadline",
            arguments: [nil, .seconds(Int64.max)] as [Duration?]
        )
        func endless(_ time: Duration?) {
            var queue = DeadlineQueue<Int>(time)
            #expect(queue.append(1, at: Self.time(1)) == nil)
            #expect(queue.next == .never)
            #expect(queue.popExpired(at: Self.time(.max / 1_000_000_000)) == nil)
        }

        @Test(
            "A deadline queue matches a linear search under random operations",
            arguments: [1, 2, 3] as [UInt64]
        )
        func simulation(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            var queue = DeadlineQueue<Int>(.milliseconds(50))
            var model: [(number: Int, end: Int, ticket: DeadlineQueue<Int>.Ticket)] = []
            var now = 0
            for number in 0..<5000 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<6:
                    if let ticket = queue.append(number, at: Self.time(now)) {
                        model.append((number, now + 50, ticket))
                    }
                case 6..<8:
                    guard let index = model.indices.randomElement(using: &random) else { continue }
                    let ticket = model.remove(at: index).ticket
                    queue.remove(ticket)
                    // A second removal has no effect.
                    queue.remove(ticket)
                default: now += Int.random(in: 0..<20, using: &random)
                }
                #expect(queue.next == model.map { Self.time($0.end) }.min() ?? .never)
                guard number % 3 == 0 else { continue }
                var popped: [Int] = []
                while let number = queue.popExpired(at: Self.time(now)) { popped.append(number) }
                #expect(popped == model.filter { $0.end <= now }.map(\.number))
                model.removeAll { $0.end <= now }
            }
            #expect(now > 5000)
        }
    }
#endif
