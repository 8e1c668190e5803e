/// A copy-on-write value: its copies share one heap allocation until one of them is changed.
///
/// Use it for large values that are passed from function to function: a copy is one reference, and takes 8 bytes in the
/// frame of a suspended asynchronous function.
///
/// Inlinable, because otherwise other modules cannot specialize the generic code.
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
