/// A line in which elements wait: the first one in is the first one out, and any can leave it from the middle.
package struct WaitingLine<Element> {
    /// A place in the line.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    private var waiting: [Int: Element] = [:]
    private var nextNumber: Int
    // The number of the one in front; that of the next one to come where nobody waits.
    private var firstNumber: Int

    /// Creates a line without anybody in it.
    ///
    /// - Parameter number: the number of the first place. Where a line follows another one under the same name, one that
    ///   no place of that one has, so that a ticket for it is none here.
    package init(startingAt number: Int = 0) {
        nextNumber = number
        firstNumber = number
    }

    package var count: Int { waiting.count }

    package var isEmpty: Bool { waiting.isEmpty }

    /// The one that has waited longest.
    package var first: Element? { waiting[firstNumber] }

    /// Lets an element wait behind the others.
    package mutating func append(_ element: Element) -> Ticket {
        defer { nextNumber += 1 }
        waiting[nextNumber] = element
        return Ticket(number: nextNumber)
    }

    /// Takes out the one that has waited longest.
    package mutating func popFirst() -> Element? { remove(Ticket(number: firstNumber)) }

    /// Takes out the one at a place; nil where nobody waits there any more.
    @discardableResult
    package mutating func remove(_ ticket: Ticket) -> Element? {
        defer { skipThoseThatLeft() }
        return waiting.removeValue(forKey: ticket.number)
    }

    /// Takes out those of which a condition holds, which is asked from the front on, with the number of those that stay
    /// before.
    package mutating func removeAll(where isToLeave: (Element, _ ahead: Int) -> Bool) -> [Element] {
        var ahead = 0
        var removed: [Element] = []
        for (number, element) in waiting.sorted(by: { $0.key < $1.key }) {
            if isToLeave(element, ahead) {
                waiting[number] = nil
                removed.append(element)
            } else {
                ahead += 1
            }
        }
        skipThoseThatLeft()
        return removed
    }

    private mutating func skipThoseThatLeft() {
        while firstNumber < nextNumber, waiting[firstNumber] == nil { firstNumber += 1 }
    }
}
