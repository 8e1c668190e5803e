import Foundation

/// A list that tasks write to at the same time.
///
/// `@unchecked Sendable`: the elements are only touched while `lock` is held.
final class Notes<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var elements: [Element] = []

    init(_ elements: [Element] = []) { self.elements = elements }

    var all: [Element] { lock.withLock { elements } }

    /// Adds an element, and gives how many there are then.
    @discardableResult
    func add(_ element: Element) -> Int {
        lock.withLock {
            elements.append(element)
            return elements.count
        }
    }
}

/// Lines that something wrote, from any task.
typealias Lines = Notes<String>
