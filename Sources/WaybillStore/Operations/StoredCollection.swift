import Waybill
import WaybillSystem

/// The stored items of a declared resource, and operations to read and write them.
///
/// ```swift
/// let products = store.collection(shop.products)
/// let lamp = try await products.create(.init(name: "Lamp", price: 30))
/// try await products.patch(lamp.id) { $0.name = "Desk lamp" }
/// let list = try await products.sorted(by: \.name).elements()
/// ```
///
/// The capabilities of the resource determine the operations of the collection: a `ReadOnly` resource has no `create`.
/// Writes are durable when the call returns, and are sent as soon as possible. For operations that call the server
/// first, use ``inStep``.
public struct StoredCollection<Element: Entity, Access: Capabilities>: Sendable {
    let context: CollectionContext<Element>
    let sender: OutboxSender
    let synchronizer: Synchronizer

    var core: StoreCore { sender.core }

    /// A query for all items.
    public var query: StoredQuery<Element> { StoredQuery(context, core) }
}

extension Store {
    /// Returns the collection of a declared resource, for the store's ``user``.
    ///
    /// Without a name, a collection is identified by the URL of its list, including the query, and by the header fields
    /// that the resource declares. Secrets, paging parameters, header fields for the format or version of messages, and
    /// fields recomputed for each call are ignored. With a name, rows and pending writes are kept if the base URL or
    /// the path changes: the name replaces the URL, except for the values in its path and query. Repeated calls return
    /// the same collection, with the clauses of the first call. If the declaration is invalid, every operation throws
    /// the error.
    ///
    /// If the resource declares a user with `Cached(in:for:)`, that user replaces the store's.
    ///
    /// - Parameters:
    ///   - resource: the resource.
    ///   - name: the name of the collection in the file, to keep if the URL changes; nil to use the URL. Collections
    ///     can share a name if the values in their paths or queries differ.
    ///   - urls: the URLs of the list in earlier versions of the app, exactly as sent: percent-encoded and with
    ///     queries, but without paging parameters and secrets. Their rows and pending writes move to this collection.
    ///     Unknown URLs are ignored.
    ///   - clauses: ``Store/Delta``, ``Store/Conflicts``, ``Store/Index``, ``Store/Keep``, ``Store/Identifier`` and
    ///     ``OutboxEntry/Conversion``.
    /// - Returns: the collection. Once the store is switched to another user, its operations throw
    ///   ``StoreError/otherUser(_:)``, and its sequences end.
    public func collection<Element, Access>(
        _ resource: Resource<Element, Access>,
        named name: String? = nil,
        movedFrom urls: [String] = [],
        @CollectionClauses<Element>.Builder _ clauses: () -> CollectionClauses<Element> = { CollectionClauses() }
    ) -> StoredCollection<Element, Access> {
        collection(
            DocumentResource(resource),
            named: name,
            clauses().movedFrom(urls)
        )
    }

    /// Returns the collection of a resource's documents.
    func collection<Element, Access>(
        _ documents: DocumentResource,
        named name: String?,
        _ clauses: CollectionClauses<Element>
    ) -> StoredCollection<Element, Access> {
        let registry = core.registry
        let user = registry.user
        let address: DocumentResource.Address
        do throws(APIError) { address = try documents.address() } catch {
            let context = CollectionContext(documents, address: .failure(error), user: user, clauses)
            return StoredCollection(context: context, sender: sender, synchronizer: synchronizer)
        }
        func rejected(_ reason: String) -> StoredCollection<Element, Access> {
            let context = CollectionContext<Element>(documents, rejecting: address, user: user, because: reason)
            return StoredCollection(context: context, sender: sender, synchronizer: synchronizer)
        }
        let record = CollectionRecord(address, name: name, user: user)
        if registry.collection(record.key) == nil,
            registry.collection(at: record.address, of: record.key.user) != nil
        {
            return rejected("the store already has a collection for this URL under another name; use one name for both")
        }
        var isNew = false
        let known = registry.collection(record.key) {
            isNew = true
            // By the time a request obtains a credential, the store may have been switched to another user.
            let guarded = documents.sending { [weak registry] in
                address.user != nil || registry?.user == record.key.user
            }
            return CollectionContext(guarded, address: .success(address), name: name, user: user, clauses)
        }
        // Send writes left in the outbox by an earlier run of the app.
        if isNew, core.settings.sendsAutomatically {
            Task { [sender, core] in
                await sender.observe(core.settings.network)
                await sender.wake()
            }
        }
        guard let context = known as? CollectionContext<Element> else {
            return rejected(
                "the store already has a collection for this URL with items of another type; use one type for both"
            )
        }
        guard context.address == record.address else {
            return rejected("the store already has a collection with this name at another URL; use different names")
        }
        // Both collections would share a client, so requests would be sent with the wrong credential.
        guard address.user != nil || !documents.hasOtherCredential(than: context.resource) else {
            return rejected(
                "the store already has a collection for this URL with another credential; declare the user of each with"
                    + " Cached(in:for:), or open a store for each"
            )
        }
        guard context.clientFields == address.clientFields else {
            return rejected(
                "the store already has a collection for this URL whose client declares different header fields; declare"
                    + " fields that select items in the resource instead"
            )
        }
        return StoredCollection(context: context, sender: sender, synchronizer: synchronizer)
    }
}

// MARK: Reading

extension StoredCollection {
    /// Returns the stored item with the given id.
    ///
    /// A temporary id remains valid after the server has assigned a permanent one.
    ///
    /// - Parameter id: the id of the item.
    /// - Returns: the item; nil if the store has no such row.
    /// - Throws: ``StoreError/item(_:)`` if the row does not decode.
    public func read(_ id: Element.ID) async throws(StoreError) -> Element? {
        guard let row = try await row(id), !row.isDeleted else { return nil }
        return try item(of: row)
    }

    /// Returns rows that do not decode, for example after a change to the type, as JSON.
    ///
    /// They stay in the file, and queries include them again once they decode.
    ///
    /// - Throws: ``StoreError/database(_:)``.
    public func unreadable() async throws(StoreError) -> [JSONValue] {
        let (context, number) = (context, try await context.number(in: core))
        return try await core.read { (connection) throws(StoreError) in
            try connection.rows(where: "collection = ? AND is_deleted = 0", [.integer(number)])
                .filter { (try? context.coding.item($0)) == nil }.map(\.document)
        }
    }

    /// Returns the current id of an item, given its temporary id.
    ///
    /// - Parameter id: a temporary or permanent id.
    /// - Returns: the id assigned by the server; `id` itself if the server has not assigned one, or if the row is
    ///   missing or does not decode.
    /// - Throws: ``StoreError/database(_:)``.
    public func currentID(of id: Element.ID) async throws(StoreError) -> Element.ID {
        guard let row = try await row(id), let item = try? context.coding.item(row.document) else { return id }
        return item.id
    }

    /// Whether an item has pending writes.
    ///
    /// - Parameter id: the id of the item, which can be temporary.
    /// - Returns: true if the item has pending writes; false if it has none, or if there is no such row.
    /// - Throws: ``StoreError/database(_:)``.
    public func isPending(_ id: Element.ID) async throws(StoreError) -> Bool { try await row(id)?.pending ?? 0 > 0 }

    func item(of row: StoredRow) throws(StoreError) -> Element {
        do {
            return try context.coding.item(row)
        } catch {
            throw .item(.init(template: context.template, id: row.id, reason: "\(error)"))
        }
    }

    private func row(_ id: Element.ID) async throws(StoreError) -> StoredRow? {
        let (text, number) = (Element.ID.pathSegment(of: id), try await context.number(in: core))
        return try await core.read { (connection) throws(StoreError) in try connection.row(matching: text, in: number) }
    }
}

// Shorthands for filtering, sorting and reading the query for all items.
extension StoredCollection {
    /// Returns a query for the items that satisfy a condition.
    ///
    /// - Parameter isIncluded: the condition, called on one of the store's threads.
    /// - Returns: the query.
    public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> StoredQuery<Element> {
        query.filter(isIncluded)
    }

    /// Returns a query for the items that satisfy a predicate.
    ///
    /// - Parameter predicate: the predicate; items for which it throws are omitted.
    /// - Returns: the query.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    public func filter(_ predicate: Predicate<Element>) -> StoredQuery<Element> { query.filter(predicate) }

    /// Returns a query for the items with a property equal to a value, using an index if one is declared.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - value: the value.
    /// - Returns: the query.
    public func filter<Value: Indexable & Equatable>(
        _ path: KeyPath<Element, Value> & Sendable,
        equals value: Value
    ) -> StoredQuery<Element> { query.filter(path, equals: value) }

    /// Returns a query for the items with a property in a half-open range, using an index if one is declared.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - range: the range.
    /// - Returns: the query.
    public func filter<Value: Indexable & Comparable>(
        _ path: KeyPath<Element, Value> & Sendable,
        in range: Range<Value>
    ) -> StoredQuery<Element> { query.filter(path, in: range) }

    /// Returns a query for the items with a property in a closed range, using an index if one is declared.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - range: the range.
    /// - Returns: the query.
    public func filter<Value: Indexable & Comparable>(
        _ path: KeyPath<Element, Value> & Sendable,
        in range: ClosedRange<Value>
    ) -> StoredQuery<Element> { query.filter(path, in: range) }

    /// Returns a query for all items, sorted by a property.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - direction: the sort direction.
    /// - Returns: the query.
    public func sorted<Value: Comparable & Sendable>(
        by path: KeyPath<Element, Value> & Sendable,
        _ direction: SortOrder = .forward
    ) -> StoredQuery<Element> { query.sorted(by: path, direction) }

    /// Returns all items, in the order in which the store first received them.
    ///
    /// - Throws: ``StoreError/database(_:)``.
    public func elements() async throws(StoreError) -> [Element] { try await query.elements() }

    /// Returns the number of items, without rows that do not decode.
    ///
    /// - Throws: ``StoreError/database(_:)``.
    public func count() async throws(StoreError) -> Int { try await query.count() }
}

extension StoredCollection {
    /// All rows, followed by changes to them.
    public var changes: StoredChanges<Element> { query.changes }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension StoredCollection {
    /// Returns all rows for a view, updated as they change.
    @MainActor public func observed() -> ObservedRows<Element> { query.observed() }
}
