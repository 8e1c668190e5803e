import Waybill
import WaybillSystem

/// The stored value of a singleton resource, and operations to read and write it.
///
/// ```swift
/// let profile = store.singleton(shop.profile)
/// try await store.synchronize()
/// try await profile.patch { $0.name = "Ada" }
/// for await value in profile.values { … }
/// ```
///
/// The operations are those of a ``StoredCollection``, without ids and without `create`.
public struct StoredSingleton<Element: Representation, Access: Capabilities>: Sendable {
    let collection: StoredCollection<SingleItem<Element>, Access>

    /// Returns the stored value, with its pending writes applied.
    ///
    /// - Returns: the value; nil if it has not been fetched yet or does not exist on the server.
    /// - Throws: ``StoreError/item(_:)`` if the value does not decode.
    public func read() async throws(StoreError) -> Element? {
        try await collection.read(SingleItem<Element>.onlyID)?.value
    }

    /// Whether the value has pending writes.
    public var isPending: Bool {
        get async throws(StoreError) { try await collection.isPending(SingleItem<Element>.onlyID) }
    }

    /// The stored value, followed by each new value; nil while the store has none.
    public var values: Values { Values(changes: collection.changes) }

    /// Operations that call the server first, and then store the result.
    public var inStep: InStep { InStep(collection: collection) }

    /// Operations that call the server first, and then store the result.
    ///
    /// If an operation fails, its changes are discarded.
    public struct InStep: Sendable {
        fileprivate let collection: StoredCollection<SingleItem<Element>, Access>
    }

    /// The values of a singleton; a slow reader receives only the latest.
    public struct Values: AsyncSequence, Sendable {
        fileprivate let changes: StoredChanges<SingleItem<Element>>

        /// Creates an iterator that starts with the value at the first call to `next()`.
        public func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator()) }

        /// An iterator over the values.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var changes: StoredChanges<SingleItem<Element>>.Iterator
            private var rows: [StoredChange<SingleItem<Element>>.Row] = []

            fileprivate init(changes: StoredChanges<SingleItem<Element>>.Iterator) { self.changes = changes }

            /// Returns the next value, `.some(nil)` if the store has none, or nil at the end of the sequence.
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
    /// Returns the stored value of a singleton resource, for the store's ``user``.
    ///
    /// - Parameters:
    ///   - singleton: the resource.
    ///   - name: the name of the singleton in the file, to keep if the URL changes; nil to use the URL.
    ///   - urls: the URLs of the singleton in earlier versions of the app; see
    ///     ``collection(_:named:movedFrom:_:)``.
    ///   - conflicts: the rule for writes to a value that has changed on the server.
    ///   - conversion: the conversion of pending writes from an earlier version of the app.
    /// - Returns: the stored singleton.
    public func singleton<Element, Access>(
        _ singleton: Singleton<Element, Access>,
        named name: String? = nil,
        movedFrom urls: [String] = [],
        conflicts: Store.Conflicts<Element> = Store.Conflicts(.merge(clash: .mine)),
        conversion: OutboxEntry.Conversion? = nil
    ) -> StoredSingleton<Element, Access> {
        let clauses = CollectionClauses(conflicts: conflicts.ofSingleItem, conversion: conversion).movedFrom(urls)
        return StoredSingleton(collection: collection(DocumentResource(singleton), named: name, clauses))
    }
}

extension StoredSingleton where Access: Patchable {
    /// Changes the value, and sends the changed members as a PATCH request.
    ///
    /// - Parameter change: modifies the value. It is called on one of the store's threads, inside the transaction.
    /// - Returns: the changed value, already durable.
    /// - Throws: ``StoreError/missingRow(id:)`` if the store has no value.
    @discardableResult
    public func patch(_ change: @escaping @Sendable (inout Element) -> Void) async throws(StoreError) -> Element {
        try await collection.patch(SingleItem<Element>.onlyID) { change(&$0.value) }.value
    }
}

extension StoredSingleton where Access: Updatable, Element.Replacement == Element {
    /// Replaces the value.
    ///
    /// The whole value is sent, including members of the server's version that `Element` does not declare.
    ///
    /// - Parameter value: the new value.
    /// - Returns: the value, already durable.
    /// - Throws: ``StoreError/missingRow(id:)`` if the store has no value.
    @discardableResult
    public func update(_ value: Element) async throws(StoreError) -> Element {
        try await collection.update(SingleItem(value: value)).value
    }
}

extension StoredSingleton where Access: Deletable {
    /// Deletes the value.
    ///
    /// - Throws: ``StoreError/missingRow(id:)`` if the store has no value.
    public func delete() async throws(StoreError) { try await collection.delete(SingleItem<Element>.onlyID) }
}

extension StoredSingleton.InStep where Access: Readable {
    /// Returns the stored value if it is fresh or has pending writes; otherwise reads the server's version and stores
    /// it.
    ///
    /// - Parameter age: how long a value stays fresh after it is received from the server.
    /// - Returns: the value; nil if the server has no value, or if its deletion is pending.
    /// - Throws: ``StoreError/call(_:)`` if the call fails. The stored value is left unchanged.
    public func read(maximumAge age: Duration = .zero) async throws(StoreError) -> Element? {
        try await collection.inStep.read(SingleItem<Element>.onlyID, maximumAge: age)?.value
    }
}

extension StoredSingleton.InStep where Access: Patchable {
    /// Changes the value on the server, and stores the result.
    ///
    /// - Parameter change: modifies the server's version of the value. If the stored value has no entity tag, that
    ///   version is read first.
    /// - Returns: the server's version after the change.
    /// - Throws: ``StoreError/missingRow(id:)``; ``StoreError/pendingWrites(id:)``; ``StoreError/call(_:)`` if the
    ///   call fails, for example because the server has a newer version. The change is not stored.
    @discardableResult
    public func patch(_ change: (inout Element) -> Void) async throws(StoreError) -> Element {
        try await collection.inStep.patch(SingleItem<Element>.onlyID) { change(&$0.value) }.value
    }
}

extension StoredSingleton.InStep where Access: Updatable, Element.Replacement == Element {
    /// Replaces the value on the server, and stores the result.
    ///
    /// If the stored value has no entity tag, the server's version is read first, and members changed only on the
    /// server are kept.
    ///
    /// - Parameter value: the new value.
    /// - Returns: the server's version after the replacement.
    /// - Throws: ``StoreError/changedOnServer(id:)`` if the same member changed here and on the server;
    ///   ``StoreError/missingRow(id:)``; ``StoreError/pendingWrites(id:)``; ``StoreError/call(_:)`` if the call fails,
    ///   for example because the server has a newer version. The replacement is not stored.
    @discardableResult
    public func update(_ value: Element) async throws(StoreError) -> Element {
        try await collection.inStep.update(SingleItem(value: value)).value
    }
}

extension Store.Conflicts where Element: Representation {
    /// The same rule, applied to the single item of a singleton.
    fileprivate var ofSingleItem: Store.Conflicts<SingleItem<Element>> {
        switch form {
        case .mine: Store.Conflicts<SingleItem<Element>>(.mine, readsBeforeWriting: readsBeforeWriting)
        case .theirs: Store.Conflicts<SingleItem<Element>>(.theirs, readsBeforeWriting: readsBeforeWriting)
        case .ask: Store.Conflicts<SingleItem<Element>>(.ask, readsBeforeWriting: readsBeforeWriting)
        case .merge(.mine):
            Store.Conflicts<SingleItem<Element>>(.merge(clash: .mine), readsBeforeWriting: readsBeforeWriting)
        case .merge(.theirs):
            Store.Conflicts<SingleItem<Element>>(.merge(clash: .theirs), readsBeforeWriting: readsBeforeWriting)
        case .merge(.ask):
            Store.Conflicts<SingleItem<Element>>(.merge(clash: .ask), readsBeforeWriting: readsBeforeWriting)
        case .function(let merge):
            Store.Conflicts<SingleItem<Element>>(readsBeforeWriting: readsBeforeWriting) { (base, mine, theirs) in
                SingleItem(value: try merge(base.value, mine.value, theirs.value))
            }
        }
    }
}
