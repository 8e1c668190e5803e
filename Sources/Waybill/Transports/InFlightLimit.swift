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
        var state = states[key] ?? State()
        defer { states[key] = state }
        guard state.inFlight >= limit else {
            state.inFlight += 1
            return nil
        }
        return state.line.append(element)
    }

    /// Says that an element has left which was let through.
    ///
    /// - Returns: the element that is let through in its place.
    mutating func leave(_ key: Key) -> Element? {
        guard var state = states[key] else { return nil }
        defer { states[key] = state.inFlight == 0 ? nil : state }
        if let next = state.line.popFirst() { return next }
        state.inFlight -= 1
        return nil
    }

    /// Those that wait, in no particular order.
    var waiting: [Element] { states.values.flatMap(\.line.elements) }

    /// Takes an element out of the line.
    mutating func abandon(_ ticket: Ticket, at key: Key) {
        states[key]?.line.remove(ticket)
    }
}
