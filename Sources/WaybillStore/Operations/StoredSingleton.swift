import Waybill
import WaybillSystem

/// A resource that exists once, on the device, with the writes that go to its server.
///
/// ```swift
/// let profile = store.singleton(shop.profile)
/// try await store.synchronize()
/// try await profile.patch { $0.name = "Ada" }
/// for await value in profile.values { … }
/// ```
///
/// It has the operations of a ``StoredCollection`` without an id, except for `create`.
public struct StoredSingleton<Element: Representation, Access: Capabilities>: Sendable {
    let collection: StoredCollection<SingleItem<Element>, Access>

    /// Returns the value as it is seen; nil if the store has not fetched it, or the server has none.
    ///
    /// - Throws: ``StoreError/item(_:)`` if it does not decode.
    public func read() async throws(StoreError) -> Element? {
        try await collection.read(SingleItem<Element>.only)?.value
    }

    /// Whether there are writes that the server does not have yet.
    public var isPending: Bool {
        get async throws(StoreError) { try await collection.isPending(SingleItem<Element>.only) }
    }

    /// The value as it is seen, and each further one; nil for a singleton that is not there.
    public var values: Values { Values(changes: collection.changes) }

    /// The operations that go to the server first.
    public var inStep: InStep { InStep(collection: collection) }

    /// The operations of a singleton that go to the server first: the store has its response afterwards, and nothing of
    /// an operation that it rejects.
    public struct InStep: Sendable {
        fileprivate let collection: StoredCollection<SingleItem<Element>, Access>
    }

    /// The values of a singleton; a slow reader gets the last one.
    public struct Values: AsyncSequence, Sendable {
        fileprivate let changes: StoredChanges<SingleItem<Element>>

        /// Begins with the value as it is at the first call of `next()`.
        public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator()) }

        /// Iterates values.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var changes: StoredChanges<SingleItem<Element>>.Iterator
            private var rows: [StoredChange<SingleItem<Element>>.Row] = []

            fileprivate init(changes: StoredChanges<SingleItem<Element>>.Iterator) { self.changes = changes }

            /// Returns the next value; nil at the end.
            public mutating func next() async -> Element?? {
                switch await changes.next() {
                case nil: return nil
                case .rows(let first): rows = first
                case .differences(let differences): for difference in differences { rows.apply(difference) }
                }
                return .some(rows.first?.element.value)
            }
        }
    }
}

extension Store {
    /// Returns the row of a resource that exists once, of the store's ``user``.
    ///
    /// - Parameters:
    ///   - singleton: the singleton.
    ///   - name: the name in the file, which stays when the URL changes; nil for the URL.
    ///   - urls: the URLs that it had in earlier versions of the program, as for a collection.
    ///   - conflicts: the rule for writes that meet another version.
    ///   - conversion: the conversion of pending writes that an earlier version of the program has left.
    /// - Returns: the stored singleton.
    public func singleton<Element, Access>(
        _ singleton: Singleton<Element, Access>,
        named name: String? = nil,
        movedFrom urls: [String] = [],
        conflicts: Conflicts<Element> = Conflicts(.merge(clash: .mine)),
        conversion: OutboxEntry.Conversion? = nil
    ) -> StoredSingleton<Element, Access> {
        let clauses = CollectionClauses(conflicts: conflicts.ofSingleItem, conversion: conversion).movedFrom(urls)
        return StoredSingleton(collection: collection(DocumentResource(singleton), named: name, clauses))
    }
}

extension StoredSingleton where Access: Patchable {
    /// Changes the value; what has changed is sent as a PATCH.
    ///
    /// - Parameter change: changes the value as it is seen; it runs on a thread of the store's, within the write.
    /// - Returns: the changed value; durable.
    /// - Throws: ``StoreError/missingRow(id:)`` if the store does not have it.
    @discardableResult
    public func patch(_ change: @escaping @Sendable (inout Element) -> Void) async throws(StoreError) -> Element {
        try await collection.patch(SingleItem<Element>.only) { change(&$0.value) }.value
    }
}

extension StoredSingleton where Access: Updatable, Element.Replacement == Element {
    /// Replaces the value; it is sent as a whole, with the members of the server's that its type lacks.
    ///
    /// - Parameter value: the value.
    /// - Returns: the value; durable.
    /// - Throws: ``StoreError/missingRow(id:)`` if the store does not have it.
    @discardableResult
    public func update(_ value: Element) async throws(StoreError) -> Element {
        try await collection.update(SingleItem(value: value)).value
    }
}

extension StoredSingleton where Access: Deletable {
    /// Deletes the value.
    ///
    /// - Throws: ``StoreError/missingRow(id:)`` if the store does not have it.
    public func delete() async throws(StoreError) { try await collection.delete(SingleItem<Element>.only) }
}

extension StoredSingleton.InStep where Access: Readable {
    /// Returns the value: its row if that is fresh enough or has pending writes, else the server's, which is stored.
    ///
    /// - Parameter age: the time for which a row is fresh after it came from its server.
    /// - Returns: the value; nil if the server has none.
    /// - Throws: ``StoreError/call(_:)`` if the server fails; the row stays as it was.
    public func read(maximumAge age: Duration = .zero) async throws(StoreError) -> Element? {
        try await collection.inStep.read(SingleItem<Element>.only, maximumAge: age)?.value
    }
}

extension StoredSingleton.InStep where Access: Patchable {
    /// Changes the value on the server, and stores the result.
    ///
    /// - Parameter change: changes the value as the store has it.
    /// - Returns: the server's version.
    /// - Throws: ``StoreError/missingRow(id:)``; ``StoreError/pendingWrites(id:)``; ``StoreError/call(_:)`` if the
    ///   server fails: the row stays as it was.
    @discardableResult
    public func patch(_ change: (inout Element) -> Void) async throws(StoreError) -> Element {
        try await collection.inStep.patch(SingleItem<Element>.only) { change(&$0.value) }.value
    }
}

extension StoredSingleton.InStep where Access: Updatable, Element.Replacement == Element {
    /// Replaces the value on the server, and stores the result.
    ///
    /// - Parameter value: the value.
    /// - Returns: the server's version.
    /// - Throws: ``StoreError/missingRow(id:)``; ``StoreError/pendingWrites(id:)``; ``StoreError/call(_:)`` if the
    ///   server fails: the row stays as it was.
    @discardableResult
    public func update(_ value: Element) async throws(StoreError) -> Element {
        try await collection.inStep.update(SingleItem(value: value)).value
    }
}

extension Conflicts where Element: Representation {
    /// The rule for the only item of a singleton.
    fileprivate var ofSingleItem: Conflicts<SingleItem<Element>> {
        switch form {
        case .mine: Conflicts<SingleItem<Element>>(.mine, readsBeforeWriting: readsBeforeWriting)
        case .theirs: Conflicts<SingleItem<Element>>(.theirs, readsBeforeWriting: readsBeforeWriting)
        case .ask: Conflicts<SingleItem<Element>>(.ask, readsBeforeWriting: readsBeforeWriting)
        case .merge(.mine): Conflicts<SingleItem<Element>>(.merge(clash: .mine), readsBeforeWriting: readsBeforeWriting)
        case .merge(.theirs):
            Conflicts<SingleItem<Element>>(.merge(clash: .theirs), readsBeforeWriting: readsBeforeWriting)
        case .merge(.ask): Conflicts<SingleItem<Element>>(.merge(clash: .ask), readsBeforeWriting: readsBeforeWriting)
        case .function(let merge):
            Conflicts<SingleItem<Element>>(readsBeforeWriting: readsBeforeWriting) { (base, mine, theirs) in
                SingleItem(value: try merge(base.value, mine.value, theirs.value))
            }
        }
    }
}
