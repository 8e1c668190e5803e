/// A value behind a reference, copied before it is changed if it has another owner.
///
/// A large value is passed from step to step as one reference, and an asynchronous function keeps room for the
/// reference only. Inlinable, because a generic class of another module is slow otherwise.
@usableFromInline
package struct CopyOnWrite<Content: Sendable>: Sendable {
    /// `@unchecked Sendable`: its only owner changes it.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @usableFromInline var content: Content

        @inlinable
        init(_ content: Content) { self.content = content }
    }

    @usableFromInline var storage: Storage

    /// Creates a value with one owner.
    @inlinable
    package init(_ content: Content) { storage = Storage(content) }

    /// The value.
    @inlinable package var content: Content {
        _read { yield storage.content }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content) }
            yield &storage.content
        }
    }
}
