#if os(Linux)
    import Testing

    @testable import Waybill

    @Suite("DeadlineLine")
    struct DeadlineLineTests {
        private static func time(_ milliseconds: Int) -> ContinuousTime {
            ContinuousTime(nanoseconds: UInt64(milliseconds) * 1_000_000)
        }

        @Test(
            "says whose time is over, and when the next one's is",
            arguments: [
                (now: 109, overdue: [], next: 110), (110, ["a"], 115), (114, ["a"], 115), (115, ["a", "b", "c"], 120),
                (1000, ["a", "b", "c", "d"], nil),
            ] as [(now: Int, overdue: [String], next: Int?)]
        )
        func overdue(now: Int, overdue: [String], next: Int?) {
            var line = DeadlineLine<String>(.milliseconds(10))
            for (name, start) in [("a", 100), ("b", 105), ("c", 105), ("d", 110)] {
                #expect(line.append(name, at: Self.time(start)) != nil)
            }
            var popped: [String] = []
            while let name = line.popOverdue(at: Self.time(now)) { popped.append(name) }
            #expect(popped == overdue)
            #expect(line.next == next.map(Self.time) ?? .never)
        }

        @Test("keeps nobody whose time is never over", arguments: [nil, .seconds(Int64.max)] as [Duration?])
        func endless(_ time: Duration?) {
            var line = DeadlineLine<Int>(time)
            #expect(line.append(1, at: Self.time(1)) == nil)
            #expect(line.next == .never)
            #expect(line.popOverdue(at: Self.time(.max / 1_000_000_000)) == nil)
        }

        @Test("does what looking at everybody would do, whoever comes and leaves", arguments: [1, 2, 3] as [UInt64])
        func simulation(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            var line = DeadlineLine<Int>(.milliseconds(50))
            var model: [(number: Int, end: Int, ticket: DeadlineLine<Int>.Ticket)] = []
            var now = 0
            for number in 0..<5000 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<6:
                    if let ticket = line.append(number, at: Self.time(now)) {
                        model.append((number, now + 50, ticket))
                    }
                case 6..<8:
                    guard let index = model.indices.randomElement(using: &random) else { continue }
                    let ticket = model.remove(at: index).ticket
                    line.remove(ticket)
                    // A second time it counts for nothing.
                    line.remove(ticket)
                default: now += Int.random(in: 0..<20, using: &random)
                }
                #expect(line.next == model.map { Self.time($0.end) }.min() ?? .never)
                guard number % 3 == 0 else { continue }
                var popped: [Int] = []
                while let number = line.popOverdue(at: Self.time(now)) { popped.append(number) }
                #expect(popped == model.filter { $0.end <= now }.map(\.number))
                model.removeAll { $0.end <= now }
            }
            #expect(now > 5000)
        }
    }
#endif
