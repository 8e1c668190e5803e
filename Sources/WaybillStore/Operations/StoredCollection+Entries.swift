import Waybill
import WaybillSystem

// Typed outbox entries of a collection, and decisions about them.
extension StoredCollection {
    /// Returns this collection's outbox entries, in the order of the writes.
    ///
    /// ```swift
    /// for entry in try await products.entries() where entry.state.needsAttention {
    ///     print(try entry.item.name, entry.failure?.message ?? "")
    /// }
    /// ```
    ///
    /// - Throws: ``StoreError/database(_:)``. Decoding errors are thrown by the properties of an entry.
    public func entries() async throws(StoreError) -> [OutboxEntry.Typed<Element>] {
        let (context, number) = (context, try await context.number(in: core))
        return try await sender.entries(ofCollection: number) { (connection, write, entry) throws(StoreError) in
            let writes = try connection.outboxWrites(ofRow: write.row)
            let row = try connection.row(write.row)
            return OutboxEntry.Typed(entry, row.map { $0.withOriginalText($0.version(with: write, of: writes)) }) {
                (document) throws(StoreError) in
                try context.item(of: document, id: entry.itemID)
            }
        }
    }

    /// Resolves a conflict by overwriting the server's version with an item.
    ///
    /// Members of the server's version that `Element` does not declare are kept. Later writes to the item are still
    /// sent, unless the item is deleted.
    ///
    /// - Parameters:
    ///   - id: the entry in conflict.
    ///   - item: the resolved item, with an unchanged id; nil to delete the item. ``OutboxEntry/Typed/item`` is the
    ///     local version, and ``OutboxEntry/Typed/serverVersion`` the server's.
    /// - Throws: ``StoreError/missingEntry(_:)`` if the entry is not in conflict or belongs to another collection;
    ///   ``StoreError/item(_:)`` if the item has a different id, or if the server's version does not decode. In that
    ///   case, pass JSON to ``Store/Outbox/resolve(_:with:)`` instead.
    public func resolve(_ id: OutboxEntry.ID, with item: Element?) async throws(StoreError) {
        let (context, number) = (context, try await context.number(in: core))
        try await core.write { (store) throws(StoreError) in
            guard let write = try store.connection.outboxWrite(id), write.collection == number,
                write.phase == .conflict, let row = try store.connection.row(write.row)
            else { throw .missingEntry(id) }
            guard let item else { return try store.resolve(id, with: .null) }
            let theirs = write.theirs ?? row.base ?? .object([:])
            let old: Element
            do { old = try context.coding.item(theirs) } catch {
                let advice = "the server's version does not decode; resolve with JSON: outbox.resolve(\(id), with: …)"
                throw .item(.init(template: context.template, id: row.id, reason: "\(advice). \(error)"))
            }
            let changes = try context.changes(of: row, from: old, to: item, store)
            try store.resolve(id, with: changes.map { theirs.applying(mergePatch: $0) } ?? theirs)
        }
        await sender.wake()
    }

    /// Confirms that a creation with an unknown outcome was applied, and identifies the created item.
    ///
    /// The item is read from the server, and the row is updated to the server's version. To confirm other entries, call
    /// ``Store/Outbox/confirm(_:as:)`` without an id.
    ///
    /// - Parameters:
    ///   - id: the entry.
    ///   - itemID: the id that the server assigned to the item.
    /// - Throws: ``StoreError/missingEntry(_:)`` if the entry cannot have been applied or belongs to another
    ///   collection; ``StoreError/missingRow(id:)`` if the server has no such item; ``StoreError/call(_:)`` if the item
    ///   cannot be read. Nothing changes in any of these cases.
    public func confirm(_ id: OutboxEntry.ID, as itemID: Element.ID) async throws(StoreError) {
        let number = try await context.number(in: core)
        let collection = try await core.read { (connection) throws(StoreError) in
            try connection.outboxWrite(id)?.collection
        }
        guard collection == number else { throw .missingEntry(id) }
        try await Store.Outbox(sender: sender).confirm(id, as: Element.ID.pathSegment(of: itemID))
    }

    /// Returns the versions of a conflict reported by ``Store/events``, decoded as items.
    ///
    /// ```swift
    /// for await case .conflict(let conflict) in store.events {
    ///     guard let versions = try await products.versions(of: conflict) else { continue }
    ///     print(versions.base.name, versions.mine?.name ?? "deleted", versions.theirs?.name ?? "deleted")
    /// }
    /// ```
    ///
    /// - Parameter conflict: the conflict.
    /// - Returns: the versions; nil if the conflict belongs to another collection.
    /// - Throws: ``StoreError/item(_:)``, with the path of the member, if a version does not decode.
    public func versions(of conflict: StoreConflict) async throws(StoreError) -> StoreConflict.Versions<Element>? {
        guard try await context.number(in: core) == conflict.collection else { return nil }
        let context = context
        func item(_ version: JSONValue) throws(StoreError) -> Element {
            try context.item(of: JSONDocument(version), id: conflict.itemID)
        }
        return StoreConflict.Versions(
            base: try item(conflict.base),
            mine: try conflict.mine.map(item),
            theirs: try conflict.theirs.map(item)
        )
    }
}

extension CollectionContext {
    /// Decodes a version of an item.
    func item(of document: JSONDocument, id: String) throws(StoreError) -> Element {
        do { return try coding.item(Data(document.text.utf8)) } catch {
            throw .item(.init(template: template, id: id, reason: "\(error)"))
        }
    }
}

extension StoredRow {
    /// Returns the item after a pending write and all earlier ones; for a deletion, the item to delete.
    fileprivate func version(with write: OutboxWrite, of writes: [OutboxWrite]) -> JSONValue {
        if writes.last?.number == write.number { return document }
        // A new item's row has members missing from its draft, such as the id.
        return writes.filter { $0.number <= write.number && $0.operation != .delete }
            .applied(to: base ?? document) ?? document
    }
}
