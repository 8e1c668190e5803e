import Waybill
import WaybillSystem

/// The rows of a declared resource on the device, and the writes that go to its server.
///
/// ```swift
/// let products = store.collection(shop.products)
/// let lamp = try await products.create(.init(name: "Lamp", price: 30))
/// try await products.patch(lamp.id) { $0.name = "Desk lamp" }
/// let list = try await products.sorted(by: \.name).elements()
/// ```
///
/// It has the operations of the resource, as far as its capabilities go: one of a `ReadOnly` resource has no
/// `create`. A write is durable when it returns, and is sent when it can be; ``inStep`` has the operations that go to
/// the server first.
public struct StoredCollection<Element: Entity, Access: Capabilities>: Sendable {
    let context: CollectionContext<Element>
    let sender: OutboxSender
    let synchronizer: Synchronizer

    var core: StoreCore { sender.core }

    /// The rows, as a query without a condition.
    public var query: StoredQuery<Element> { StoredQuery(context, core) }
}

extension Store {
    /// Returns the rows of a declared resource, of the store's ``user``.
    ///
    /// Without a name, a collection is known by the URL of its list, with its query and with the header fields that the
    /// resource declares; secrets, paging parameters, and fields about the format or the version of messages do not
    /// count, nor do fields whose values are read anew for each call. With a name, another base URL or path carries
    /// rows and pending writes over: the name replaces the URL, except for the values in its path and its query. The
    /// same collection is returned for each call, and the clauses of the first one count. An error in the declaration
    /// is the error of every operation.
    ///
    /// A resource that declares its user, by `Cached(in:for:)`, has the rows of that user instead of the store's.
    ///
    /// - Parameters:
    ///   - resource: the resource.
    ///   - name: the name in the file, which stays when the URL changes; nil for the URL. Two collections with one name
    ///     differ in the values of their paths or in their queries.
    ///   - urls: the URLs that the list had in earlier versions of the program, as they were sent, percent-encoded,
    ///     with their queries, without paging parameters and secrets. Their rows and pending writes become those of the
    ///     collection; a URL that the store has never had changes nothing.
    ///   - clauses: ``Delta``, ``Conflicts``, ``Index``, ``Keep``, ``Identifier`` and ``OutboxEntry/Conversion``.
    /// - Returns: the collection. When the store becomes another user's, its operations fail with
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

    /// Returns the rows of the documents of a resource.
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
        let place = CollectionPlace(address, name: name, user: user)
        if registry.collection(place.key) == nil,
            registry.collection(at: place.address, of: place.key.user) != nil
        {
            return rejected("the store has a collection of this URL under another name; give both one name")
        }
        var isNew = false
        let known = registry.collection(place.key) {
            isNew = true
            // The credential may be another user's by the time a request has it.
            let guarded = documents.sending { [weak registry] in
                address.user != nil || registry?.user == place.key.user
            }
            return CollectionContext(guarded, address: .success(address), name: name, user: user, clauses)
        }
        // Writes that an earlier run of the program left in the outbox can be sent now.
        if isNew, core.settings.sendsByItself {
            Task { [sender, core] in
                await sender.follow(core.settings.network)
                await sender.wake()
            }
        }
        guard let context = known as? CollectionContext<Element> else {
            return rejected("the store has a collection with items of another type at this URL; give both one type")
        }
        guard context.address == place.address else {
            return rejected("the store has a collection with this name at another URL; give each a name of its own")
        }
        // One client would act for the other.
        guard address.user != nil || !documents.hasOtherCredential(than: context.resource) else {
            return rejected(
                "the store has a collection of this URL with another credential; declare whose each is, with"
                    + " Cached(in:for:), or open a store for each"
            )
        }
        guard context.clientFields == address.clientFields else {
            return rejected(
                "the store has a collection of this URL whose client declares other header fields; declare those that"
                    + " select items in the resource"
            )
        }
        return StoredCollection(context: context, sender: sender, synchronizer: synchronizer)
    }
}

// MARK: Reading

extension StoredCollection {
    /// Returns the row with an id; nil if the store has no such row.
    ///
    /// A temporary id leads to its row, also after the server has given another one.
    ///
    /// - Parameter id: the id.
    /// - Returns: the item.
    /// - Throws: ``StoreError/item(_:)`` if the row does not decode.
    public func read(_ id: Element.ID) async throws(StoreError) -> Element? {
        guard let row = try await row(id), !row.isDeleted else { return nil }
        return try item(of: row)
    }

    /// Returns the rows that do not decode as this type, perhaps since it has changed, as JSON.
    ///
    /// They stay in the file, and come back when they decode again.
    public func unreadable() async throws(StoreError) -> [JSONValue] {
        let (context, number) = (context, try await context.number(in: core))
        return try await core.read { (connection) throws(StoreError) in
            try connection.rows(where: "collection = ? AND is_deleted = 0", [.integer(number)])
                .filter { (try? context.coding.item($0)) == nil }.map(\.document)
        }
    }

    /// Returns the id that a server gave in place of a temporary one; the id itself if it has given none yet.
    public func currentID(of id: Element.ID) async throws(StoreError) -> Element.ID {
        guard let row = try await row(id), let item = try? context.coding.item(row.document) else { return id }
        return item.id
    }

    /// Whether the item has writes that its server does not have yet.
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
        return try await core.read { (connection) throws(StoreError) in try connection.row(known: text, in: number) }
    }
}

extension Connection {
    /// Returns the row with an id, or with the id that a server gave in its place.
    func row(known id: String, in collection: Int64) throws(StoreError) -> StoredRow? {
        if let row = try row(id, in: collection) { return row }
        if let permanent = try permanentID(of: id) { return try row(permanent, in: collection) }
        return try first(
            "SELECT row FROM spellings WHERE collection = ? AND id = ?",
            [.integer(collection), .text(id)]
        ) { $0.integer(0) }
        .flatMap { (number) throws(StoreError) in try row(number) }
    }
}

// The conditions and orders of a query, without its detour.
extension StoredCollection {
    /// Returns the rows for which a condition holds.
    public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> StoredQuery<Element> {
        query.filter(isIncluded)
    }

    /// Returns the rows for which a predicate holds.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    public func filter(_ predicate: Predicate<Element>) -> StoredQuery<Element> { query.filter(predicate) }

    /// Returns the rows with a value of a property, by its index if one is declared.
    public func filter<Value: Indexable & Equatable>(
        _ path: KeyPath<Element, Value> & Sendable,
        equals value: Value
    ) -> StoredQuery<Element> { query.filter(path, equals: value) }

    /// Returns the rows with a value of a property in a range, by its index if one is declared.
    public func filter<Value: Indexable & Comparable>(
        _ path: KeyPath<Element, Value> & Sendable,
        in range: Range<Value>
    ) -> StoredQuery<Element> { query.filter(path, in: range) }

    /// Returns the rows with a value of a property in a range, by its index if one is declared.
    public func filter<Value: Indexable & Comparable>(
        _ path: KeyPath<Element, Value> & Sendable,
        in range: ClosedRange<Value>
    ) -> StoredQuery<Element> { query.filter(path, in: range) }

    /// Returns the rows in the order of a property.
    public func sorted<Value: Comparable & Sendable>(
        by path: KeyPath<Element, Value> & Sendable,
        _ direction: SortOrder = .forward
    ) -> StoredQuery<Element> { query.sorted(by: path, direction) }

    /// Returns all items, in the order in which the store got them.
    public func elements() async throws(StoreError) -> [Element] { try await query.elements() }

    /// Returns the number of rows.
    public func count() async throws(StoreError) -> Int { try await query.count() }
}

extension StoredCollection {
    /// All rows, and then what changes in them.
    public var changes: StoredChanges<Element> { query.changes }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension StoredCollection {
    /// Returns all rows for a view, which follows their changes.
    @MainActor public func observed() -> ObservedRows<Element> { query.observed() }
}
