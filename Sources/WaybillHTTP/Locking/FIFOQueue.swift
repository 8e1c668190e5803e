/// A first-in, first-out queue that also supports removal from the middle.
@usableFromInline
package struct FIFOQueue<Element> {
    /// The position of an element in the queue.
    @usableFromInline
    package struct Ticket: Hashable, Sendable {
        @usableFromInline let number: Int

        @inlinable
        init(number: Int) { self.number = number }
    }

    @usableFromInline var waiting: [Int: Element] = [:]
    @usableFromInline var nextNumber: Int
    // The number of the first element, or of the next one if the queue is empty.
    @usableFromInline var firstNumber: Int

    /// Creates an empty queue.
    ///
    /// - Parameter number: the number of the first ticket. A queue that replaces an older one must start at a number
    ///   that the older one has not used, so that old tickets match no element of the new queue.
    @inlinable
    package init(startingAt number: Int = 0) {
        nextNumber = number
        firstNumber = number
    }

    @inlinable package var count: Int { waiting.count }

    @inlinable package var isEmpty: Bool { waiting.isEmpty }

    /// The element that has been waiting the longest.
    @inlinable package var first: Element? { waiting[firstNumber] }

    /// Appends an element.
    @inlinable
    package mutating func append(_ element: Element) -> Ticket {
        defer { nextNumber += 1 }
        waiting[nextNumber] = element
        return Ticket(number: nextNumber)
    }

    /// Removes and returns the element that has been waiting the longest.
    @inlinable
    package mutating func popFirst() -> Element? { remove(Ticket(number: firstNumber)) }

    /// Removes and returns the element with the given ticket; returns nil if it has already been removed.
    @inlinable
    @discardableResult
    package mutating func remove(_ ticket: Ticket) -> Element? {
        defer { skipRemoved() }
        return waiting.removeValue(forKey: ticket.number)
    }

    /// Removes the elements that satisfy a condition.
    ///
    /// - Parameter shouldRemove: the condition, called for each element in order with the number of preceding elements
    ///   that are kept.
    /// - Returns: the removed elements, in order.
    @inlinable
    package mutating func removeAll(where shouldRemove: (Element, _ ahead: Int) -> Bool) -> [Element] {
        var ahead = 0
        var removed: [Element] = []
        for (number, element) in waiting.sorted(by: { $0.key < $1.key }) {
            if shouldRemove(element, ahead) {
                waiting[number] = nil
                removed.append(element)
            } else {
                ahead += 1
            }
        }
        skipRemoved()
        return removed
    }

    @inlinable
    mutating func skipRemoved() {
        while firstNumber < nextNumber, waiting[firstNumber] == nil { firstNumber += 1 }
    }
}
