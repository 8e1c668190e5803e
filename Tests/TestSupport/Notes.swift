import Foundation

/// A list that concurrent tasks can append to.
///
/// `@unchecked Sendable`: the elements are accessed only under the lock.
package final class Notes<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var elements: [Element] = []

    package init(_ elements: [Element] = []) { self.elements = elements }

    package var all: [Element] { lock.withLock { elements } }

    /// Adds an element, and returns the new count.
    @discardableResult
    package func add(_ element: Element) -> Int {
        lock.withLock {
            elements.append(element)
            return elements.count
        }
    }
}

/// A list of lines that concurrent tasks can append to.
package typealias Lines = Notes<String>
