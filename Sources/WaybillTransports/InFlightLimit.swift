import WaybillHTTP

/// A limit on the number of elements in flight for each key, with a queue of waiting elements.
@usableFromInline
package struct InFlightLimit<Key: Hashable, Element> {
    /// The position of an element in a key's queue.
    @usableFromInline
    package typealias Ticket = FIFOQueue<Element>.Ticket

    @usableFromInline
    struct State {
        @usableFromInline var inFlight = 0
        @usableFromInline var queue = FIFOQueue<Element>()

        @inlinable
        init() {}
    }

    @usableFromInline let limit: Int
    @usableFromInline var states: [Key: State] = [:]

    /// Creates a limit of at least one.
    @inlinable
    package init(_ limit: Int) { self.limit = max(1, limit) }

    /// Admits an element, or adds it to the queue.
    ///
    /// - Parameters:
    ///   - element: the element.
    ///   - key: the key of the element, such as an origin.
    /// - Returns: nil if the element is admitted, otherwise its position in the queue.
    @inlinable
    package mutating func enter(_ element: Element, at key: Key) -> Ticket? {
        // Changed in place, because the cost of a copy grows with the queue.
        if states[key, default: State()].inFlight >= limit { return states[key]?.queue.append(element) }
        states[key, default: State()].inFlight += 1
        return nil
    }

    /// Removes an admitted element.
    ///
    /// - Parameter key: the key of the element.
    /// - Returns: the queued element admitted in its place; nil if the queue is empty.
    @inlinable
    package mutating func leave(_ key: Key) -> Element? {
        if let next = states[key]?.queue.popFirst() { return next }
        states[key]?.inFlight -= 1
        if states[key]?.inFlight == 0 { states[key] = nil }
        return nil
    }

    /// Removes an element from a key's queue.
    @inlinable
    package mutating func abandon(_ ticket: Ticket, at key: Key) {
        states[key]?.queue.remove(ticket)
    }
}
