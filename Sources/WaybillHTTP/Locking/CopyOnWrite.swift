/// A value in memory of its own, which its copies share until one of them changes.
///
/// For large values that are handed from function to function: a copy costs one reference, and an asynchronous function
/// that waits keeps 8 bytes of room for it.
///
/// Inlinable, because a generic type of another module is slow otherwise.
@usableFromInline
package struct CopyOnWrite<Value: Sendable>: Sendable {
    // `@unchecked Sendable`: only a box that nothing else refers to is changed.
    @usableFromInline
    final class Box: @unchecked Sendable {
        @usableFromInline var value: Value

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var box: Box

    @inlinable
    package init(_ value: Value) { box = Box(value) }

    /// The value.
    @inlinable package var value: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
