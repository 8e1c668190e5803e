import Waybill
import WaybillSystem

/// The elements of a stream that have been decoded but not yet returned, used by one task at a time.
///
/// `@unchecked Sendable`: `elements` and `index` are accessed only while `mutex` is held. Inlinable, because calling
/// generic asynchronous functions across modules makes reading a list of short numbers four times slower.
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

    /// Returns the next element; nil if more must be decoded first.
    @inlinable
    func next() -> Element? {
        lock()
        defer { unlock() }
        guard index < elements.count else { return nil }
        defer { index += 1 }
        return elements[index]
    }

    /// Replaces the elements after all of them have been returned.
    ///
    /// - Parameter decode: a closure that appends the next elements to an empty array.
    /// - Returns: the closure's result.
    /// - Throws: the closure's error.
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
        // Decoding calls code of the element type, so it must run outside the lock.
        return try decode(&elements)
    }
}
