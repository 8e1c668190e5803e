import WaybillSystem

/// The elements of a stream that have been decoded and not yet returned, for one task at a time.
///
/// `@unchecked Sendable`: `elements` and `index` are only touched while `mutex` is held. Inlinable, because generic
/// asynchronous functions of another module take four times as long for a list of short numbers.
@usableFromInline
final class DecodedElements<Element: Sendable>: @unchecked Sendable {
    private let mutex = Lock()
    /// The elements, and the index of the next one.
    @usableFromInline var elements: [Element] = []
    @usableFromInline var index = 0

    init() {}

    @usableFromInline
    func lock() { mutex.lock() }

    @usableFromInline
    func unlock() { mutex.unlock() }

    /// Returns the next element; nil if another one has to be decoded first.
    @inlinable
    func next() -> Element? {
        lock()
        defer { unlock() }
        guard index < elements.count else { return nil }
        defer { index += 1 }
        return elements[index]
    }

    /// Replaces the elements, all of which have been returned.
    ///
    /// - Parameter decode: appends the next elements to an empty array.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    func refill<Result>(_ decode: (inout [Element]) throws -> Result) rethrows -> Result {
        lock()
        var elements = elements
        (self.elements, index) = ([], 0)
        unlock()
        elements.removeAll(keepingCapacity: true)
        defer {
            lock()
            self.elements = elements
            unlock()
        }
        // The code of an element's type runs outside of the lock.
        return try decode(&elements)
    }
}
