/// Lets a number of elements through for each key, and the others in their order as those leave.
struct InFlightLimit<Key: Hashable, Element> {
    /// A place in the line of a key.
    struct Ticket {
        fileprivate let number: Int
    }

    private struct Line {
        var inFlight = 0
        var waiting: [Int: Element] = [:]
        var nextNumber = 0
        var firstNumber = 0
    }

    private let limit: Int
    private var lines: [Key: Line] = [:]

    /// Creates a limit of at least one.
    init(_ limit: Int) { self.limit = max(1, limit) }

    /// Asks for an element to be let through.
    ///
    /// - Returns: nil where it may go on at once, else its place in the line.
    mutating func enter(_ element: Element, at key: Key) -> Ticket? {
        var line = lines[key] ?? Line()
        defer { lines[key] = line }
        guard line.inFlight >= limit else {
            line.inFlight += 1
            return nil
        }
        defer { line.nextNumber += 1 }
        line.waiting[line.nextNumber] = element
        return Ticket(number: line.nextNumber)
    }

    /// Says that an element has left which was let through.
    ///
    /// - Returns: the element that is let through in its place.
    mutating func leave(_ key: Key) -> Element? {
        guard var line = lines[key] else { return nil }
        defer { lines[key] = line.inFlight == 0 ? nil : line }
        while line.firstNumber < line.nextNumber {
            defer { line.firstNumber += 1 }
            if let next = line.waiting.removeValue(forKey: line.firstNumber) { return next }
        }
        line.inFlight -= 1
        return nil
    }

    /// Those that wait, in no particular order.
    var waiting: [Element] { lines.values.flatMap { $0.waiting.values } }

    /// Takes an element out of the line.
    mutating func abandon(_ ticket: Ticket, at key: Key) {
        lines[key]?.waiting[ticket.number] = nil
    }
}
