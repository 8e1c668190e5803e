/// A copy-on-write value: its copies share one heap allocation until one of them is changed.
///
/// Use it for large values that are passed between functions: a copy is a single reference, which takes up 8 bytes in
/// the frame of a suspended asynchronous function.
///
/// Inlinable, so that other modules can specialize the generic code.
@usableFromInline
package struct CopyOnWrite<Value: Sendable>: Sendable {
    // `@unchecked Sendable`: a box is only mutated while it is uniquely referenced.
    @usableFromInline
    final class Box: @unchecked Sendable {
        @usableFromInline var value: Value

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var box: Box

    @inlinable
    package init(_ value: Value) { box = Box(value) }

    @inlinable package var value: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
