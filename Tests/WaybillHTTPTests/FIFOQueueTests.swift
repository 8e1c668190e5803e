import Testing

@testable import Waybill

@Suite("FIFOQueue")
struct FIFOQueueTests {
    @Test("A FIFO queue is first in, first out, and skips removed entries")
    func order() {
        var line = FIFOQueue<Int>()
        let tickets = (1...5).map { line.append($0) }
        #expect(line.remove(tickets[0]) == 1)
        #expect(line.remove(tickets[2]) == 3)
        #expect(line.remove(tickets[2]) == nil)
        #expect(line.first == 2)
        #expect(line.count == 3)
        #expect([line.popFirst(), line.popFirst(), line.popFirst(), line.popFirst()] == [2, 4, 5, nil])
        #expect(line.isEmpty)
        _ = line.append(6)
        #expect(line.first == 6)
    }

    @Test("Conditional removal visits entries in order, with the number of kept entries ahead")
    func removeAll() {
        var line = FIFOQueue<Int>()
        for number in 1...6 { _ = line.append(number) }
        var asked: [String] = []
        let removed = line.removeAll { number, ahead in
            asked.append("\(number) behind \(ahead)")
            return number % 3 == 1
        }
        #expect(asked == ["1 behind 0", "2 behind 0", "3 behind 1", "4 behind 2", "5 behind 2", "6 behind 3"])
        #expect(removed == [1, 4])
        #expect([line.popFirst(), line.popFirst(), line.popFirst(), line.popFirst()] == [2, 3, 5, 6])
    }

    @Test("A ticket matches no entry after its queue is replaced")
    func followingLine() {
        var line = FIFOQueue<Int>()
        let ticket = line.append(1)
        line = FIFOQueue(startingAt: 1)
        _ = line.append(2)
        #expect(line.remove(ticket) == nil)
        #expect(line.first == 2)
    }
}
