/// A value in separate storage that its copies share until one of them changes.
///
/// For large values passed from function to function: a copy costs one reference, and a suspended asynchronous function
/// needs 8 bytes for it.
///
/// Inlinable because a generic type from another module is slow otherwise.
@usableFromInline
package struct CopyOnWrite<Value: Sendable>: Sendable {
    // `@unchecked Sendable`: a box is only changed while it has a single reference.
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
