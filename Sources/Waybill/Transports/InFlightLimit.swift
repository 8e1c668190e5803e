/// Lets a number of elements through for each key, and the others in their order as those leave.
struct InFlightLimit<Key: Hashable, Element> {
    /// A place in the line of a key.
    typealias Ticket = WaitingLine<Element>.Ticket

    private struct State {
        var inFlight = 0
        var line = WaitingLine<Element>()
    }

    private let limit: Int
    private var states: [Key: State] = [:]

    /// Creates a limit of at least one.
    init(_ limit: Int) { self.limit = max(1, limit) }

    /// Asks for an element to be let through.
    ///
    /// - Returns: nil where it may go on at once, else its place in the line.
    mutating func enter(_ element: Element, at key: Key) -> Ticket? {
        // In its place: a line that is copied costs the more, the longer it is.
        if states[key, default: State()].inFlight >= limit { return states[key]?.line.append(element) }
        states[key, default: State()].inFlight += 1
        return nil
    }

    /// Says that an element has left which was let through.
    ///
    /// - Returns: the element that is let through in its place.
    mutating func leave(_ key: Key) -> Element? {
        if let next = states[key]?.line.popFirst() { return next }
        states[key]?.inFlight -= 1
        if states[key]?.inFlight == 0 { states[key] = nil }
        return nil
    }

    /// Takes an element out of the line.
    mutating func abandon(_ ticket: Ticket, at key: Key) {
        states[key]?.line.remove(ticket)
    }
}
