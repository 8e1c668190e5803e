#if os(Linux)
    import TestSupport
    import Testing

    @testable import WaybillCurl

    @Suite("Scheduler of libcurl transfers")
    struct TransferSchedulerTests {
        private typealias Scheduler = TransferScheduler<Int>

        /// Admits an element, and returns its slot; returns nil if it is queued.
        private func admit(
            _ element: Int,
            at origin: String,
            isSecure: Bool = false,
            in scheduler: inout Scheduler
        ) -> Scheduler.Slot? {
            guard case .admitted(let slot) = scheduler.enter(element, at: origin, mayShareConnections: isSecure) else {
                return nil
            }
            return slot
        }

        /// Removes an element, and returns the next one to run.
        private func next(after slot: Scheduler.Slot, in scheduler: inout Scheduler) throws -> (Int, Scheduler.Slot) {
            let next = scheduler.leave(slot)
            return try #require(next)
        }

        /// Admits an element that opens a connection.
        private func connect(_ element: Int, at origin: String, in scheduler: inout Scheduler) throws -> Scheduler.Slot
        {
            var slot = try #require(admit(element, at: origin, in: &scheduler))
            scheduler.connect(&slot)
            scheduler.open(slot.origin, loop: slot.loop)
            return slot
        }

        @Test("The limit per origin applies across all loops, and excess elements wait in order", arguments: [1, 2, 3])
        func order(loopCount: Int) throws {
            var scheduler = Scheduler(limit: 2, loopCount: loopCount, busyLoad: 0)
            let first = try #require(admit(1, at: "a", in: &scheduler))
            let second = try #require(admit(2, at: "a", in: &scheduler))
            #expect(admit(3, at: "a", in: &scheduler) == nil)
            #expect(admit(4, at: "a", in: &scheduler) == nil)
            let other = try #require(admit(5, at: "b", in: &scheduler))
            let third = try next(after: first, in: &scheduler)
            #expect(third.0 == 3)
            let fourth = try next(after: third.1, in: &scheduler)
            #expect(fourth.0 == 4)
            for slot in [fourth.1, second, other] { #expect(scheduler.leave(slot) == nil) }
            #expect(scheduler.originCount == 0)
        }

        @Test("An element removed from the queue is not admitted")
        func abandoned() throws {
            var scheduler = Scheduler(limit: 0, loopCount: 2, busyLoad: 0)
            let first = try #require(admit(1, at: "a", in: &scheduler))
            for element in 2...4 {
                guard
                    case .queued(let origin, let ticket) = scheduler.enter(element, at: "a", mayShareConnections: false)
                else {
                    Issue.record("a limit of 0 counts as 1")
                    return
                }
                if element != 3 { scheduler.abandon(ticket, at: origin) }
            }
            let next = try next(after: first, in: &scheduler)
            #expect(next.0 == 3)
            #expect(scheduler.leave(next.1) == nil)
        }

        @Test("Without an idle connection, an element goes to the loop with the fewest elements, then connections")
        func leastBusy() throws {
            var scheduler = Scheduler(limit: 9, loopCount: 3, busyLoad: 0)
            let slots = try (0..<6).map { try connect($0, at: "a", in: &scheduler) }
            #expect(slots.map(\.loop) == [0, 1, 2, 0, 1, 2])
            #expect(scheduler.leave(slots[4]) == nil)
            #expect(scheduler.leave(slots[5]) == nil)
            scheduler.close(slots[5].origin, loop: slots[5].loop)
            #expect(try connect(6, at: "b", in: &scheduler).loop == 2)
        }

        @Test("Elements fill one loop until it is busy, and then spread over the loops")
        func fills() throws {
            var scheduler = Scheduler(limit: 99, loopCount: 2, busyLoad: 3, idleConnections: 5)
            let slots = try (0..<7).map { try connect($0, at: "a", in: &scheduler) }
            #expect(slots.map(\.loop) == [0, 0, 0, 1, 1, 1, 0])
            for slot in slots { #expect(scheduler.leave(slot) == nil) }
            // The first loop has 4 connections and may keep 5 idle.
            let others = try (0..<3).map { try connect($0, at: "\($0)", in: &scheduler) }
            #expect(others.map(\.loop) == [0, 1, 1])
        }

        @Test("An idle connection is reused even if its loop has more elements in flight")
        func idle() throws {
            var scheduler = Scheduler(limit: 9, loopCount: 2, busyLoad: 0)
            let slots = try ["a", "a", "b", "b", "b", "b"].map { try connect(0, at: $0, in: &scheduler) }
            #expect(slots.map(\.loop) == [0, 1, 0, 1, 0, 1])
            for index in [0, 3, 5] { #expect(scheduler.leave(slots[index]) == nil) }
            let reusing = try #require(admit(1, at: "a", in: &scheduler))
            #expect(reusing.loop == 0)
            #expect(!reusing.isUnconnected)
        }

        @Test("Over TLS, elements stay on one loop until a response shows that they do not share connections")
        func multiplexed() throws {
            var scheduler = Scheduler(limit: 99, loopCount: 2, busyLoad: 0)
            let slots = try (0..<4).map { try #require(admit($0, at: "a", isSecure: true, in: &scheduler)) }
            #expect(slots.map(\.loop) == [0, 0, 0, 0])
            #expect(try #require(admit(9, at: "b", isSecure: true, in: &scheduler)).loop == 1)
            scheduler.open(slots[0].origin, loop: 0)
            scheduler.setMultiplexed(true, at: slots[0].origin)
            for slot in slots { #expect(scheduler.leave(slot) == nil) }
            #expect(try #require(admit(1, at: "a", isSecure: true, in: &scheduler)).loop == 0)
            scheduler.setMultiplexed(false, at: slots[0].origin)
            let spread = try (0..<4).map { try #require(admit($0, at: "a", isSecure: true, in: &scheduler)).loop }
            #expect(Set(spread) == [0, 1])
        }

        @Test("Random operations never exceed the limit or open a connection while another is idle", arguments: 1...4)
        func random(loopCount: Int) throws {
            var scheduler = Scheduler(limit: 5, loopCount: loopCount, busyLoad: 0)
            var (running, idle): ([Scheduler.Slot], [(origin: Scheduler.Origin, loop: Int)]) = ([], [])
            var (entered, ended, waiting) = (0, 0, 0)
            func begin(_ slot: Scheduler.Slot) {
                var slot = slot
                let place = idle.firstIndex { $0.origin === slot.origin && $0.loop == slot.loop }
                #expect(slot.isUnconnected == (place == nil))
                if let place {
                    idle.remove(at: place)
                } else {
                    #expect(!idle.contains { $0.origin === slot.origin })
                    scheduler.connect(&slot)
                    scheduler.open(slot.origin, loop: slot.loop)
                }
                running.append(slot)
                #expect(running.count { $0.origin === slot.origin } <= 5)
            }
            func end(at index: Int, keeping: Bool) {
                let slot = running.remove(at: index)
                ended += 1
                // A connection becomes idle before its loop admits the next element.
                if keeping {
                    idle.append((slot.origin, slot.loop))
                } else {
                    scheduler.close(slot.origin, loop: slot.loop)
                }
                guard let (_, next) = scheduler.leave(slot) else { return }
                waiting -= 1
                begin(next)
            }
            var generator = SplitMix64(seed: 5)
            for _ in 0..<3000 {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<5:
                    entered += 1
                    let name = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
                    if let slot = admit(entered, at: name, in: &scheduler) { begin(slot) } else { waiting += 1 }
                case 5..<9 where !running.isEmpty:
                    end(at: Int.random(in: running.indices, using: &generator), keeping: .random(using: &generator))
                default:
                    guard let last = idle.popLast() else { continue }
                    scheduler.close(last.origin, loop: last.loop)
                }
            }
            while !running.isEmpty { end(at: 0, keeping: true) }
            for each in idle { scheduler.close(each.origin, loop: each.loop) }
            #expect(waiting == 0)
            #expect(ended == entered)
            #expect(scheduler.originCount == 0)
        }
    }
#endif
