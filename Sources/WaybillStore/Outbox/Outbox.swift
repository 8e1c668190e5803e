import Waybill
import WaybillSystem

extension Store {
    /// A store's pending writes.
    ///
    /// ```swift
    /// for entry in try await store.outbox.entries() where entry.state.needsAttention {
    ///     print(entry)                                    // patch products, item 7: parked, …
    ///     try await store.outbox.discard(entry.id)        // the row shows the server's version again
    /// }
    /// ```
    public struct Outbox: Sendable {
        let sender: OutboxSender
    }
}

extension Store.Outbox {
    /// Returns all outbox entries, in the order of the writes.
    ///
    /// - Throws: ``StoreError/database(_:)``.
    public func entries() async throws(StoreError) -> [OutboxEntry] { try await sender.entries() }

    /// Sends an entry again, regardless of its backoff or earlier failures.
    ///
    /// A request that may have been applied is repeated unchanged, with its idempotency key. If the server does not
    /// recognize repetitions, the write may take effect twice; see ``confirm(_:as:)``. An entry in conflict overwrites
    /// the server's version. An entry that refers to an item that will never be created stays parked.
    ///
    /// - Parameter id: the entry.
    /// - Throws: ``StoreError/missingEntry(_:)`` if there is no such entry or it is being sent;
    ///   ``StoreError/otherUser(_:)`` if it belongs to another user.
    public func retry(_ id: OutboxEntry.ID) async throws(StoreError) {
        try await sender.checkUser(of: id)
        try await sender.recover()
        let core = sender.core
        let report = try await core.write { (store) throws(StoreError) in try store.retry(id, core) }
        if let report { core.events.publish(.conflict(report)) }
        await sender.wake()
    }

    /// Drops an entry and later writes to its item, so that the row no longer includes them.
    ///
    /// If the entry creates an item, the item's row and the writes that refer to it are dropped too. If the entry has
    /// an unknown outcome, the next synchronization fetches the server's version.
    ///
    /// - Parameter id: the entry.
    /// - Throws: ``StoreError/missingEntry(_:)`` if there is no such entry or it is being sent;
    ///   ``StoreError/otherUser(_:)`` if it belongs to another user.
    public func discard(_ id: OutboxEntry.ID) async throws(StoreError) {
        try await sender.checkUser(of: id)
        try await sender.recover()
        try await sender.core.write { (store) throws(StoreError) in
            guard let write = try store.connection.outboxWrite(id), write.phase != .sending else {
                throw .missingEntry(id)
            }
            try store.discard(write)
        }
        await sender.wake()
    }

    /// Confirms that an entry with an unknown outcome was applied, which allows later writes to its item to be sent.
    ///
    /// The item is read from the server, and the row is updated to the server's version.
    ///
    /// - Parameters:
    ///   - id: the entry.
    ///   - itemID: the id that the server assigned to a created item, as a path segment; nil if the entry is not a
    ///     creation.
    /// - Throws: ``StoreError/missingEntry(_:)`` if there is no such entry, if it cannot have been applied, or if its
    ///   collection is not declared; ``StoreError/missingRow(id:)`` if the server has no such item, or `itemID` is
    ///   missing; ``StoreError/call(_:)`` if the item cannot be read; ``StoreError/otherUser(_:)`` if the entry belongs
    ///   to another user. Nothing changes in any of these cases.
    public func confirm(_ id: OutboxEntry.ID, as itemID: String? = nil) async throws(StoreError) {
        try await sender.checkUser(of: id)
        try await sender.recover()
        let core = sender.core
        let found = try await core.read {
            (connection) throws(StoreError) -> (OutboxWrite, StoredRow, CollectionRecord?)? in
            guard let write = try connection.outboxWrite(id), let row = try connection.row(write.row) else {
                return nil
            }
            return (write, row, try connection.collectionRecord(write.collection))
        }
        guard let (write, row, record) = found, write.deliveryState.endsIfReflected,
            let collection = record.flatMap({ core.registry.sender(of: $0) }), core.registry.isActive(collection)
        else { throw .missingEntry(id) }
        var claimed = ClaimedWrite(write: write, row: row, collection: collection)
        if write.operation == .create {
            claimed.row.id = itemID ?? row.id
            claimed.row.document = .object([:])
        }
        var sent = SentWrite(document: nil, entityTag: nil)
        if write.operation != .delete {
            do throws(APIError) { sent = try await core.read(claimed) } catch { throw .call(error) }
            if sent.document == nil { throw .missingRow(id: claimed.row.id) }
        }
        try await core.finish(claimed, sent)
        await sender.wake()
    }

    /// Resolves a conflict by overwriting the server's version with an item.
    ///
    /// Later writes to the item are still sent, unless the item is deleted.
    ///
    /// - Parameters:
    ///   - id: the entry in conflict.
    ///   - document: the resolved item as JSON, in the server's format, or `null` to delete it. The server's version is
    ///     ``OutboxEntry/serverVersion``, and the local change ``OutboxEntry/content``.
    /// - Throws: ``StoreError/missingEntry(_:)`` if the entry is not in conflict; ``StoreError/item(_:)`` if the
    ///   document is neither an object nor `null`; ``StoreError/otherUser(_:)`` if the entry belongs to another user.
    public func resolve(_ id: OutboxEntry.ID, with document: JSONValue) async throws(StoreError) {
        try await sender.checkUser(of: id)
        try await sender.core.write { (store) throws(StoreError) in try store.resolve(id, with: document) }
        await sender.wake()
    }
}

extension StoreWrite {
    fileprivate func retry(_ id: Int64, _ core: StoreCore) throws(StoreError) -> StoreConflict? {
        guard var write = try connection.outboxWrite(id), var row = try connection.row(write.row) else {
            throw .missingEntry(id)
        }
        let request = try write.request.flatMap { (number) throws(StoreError) in try connection.request(number) }
        let traits = request?.traits(isCreation: write.operation == .create) ?? .new
        guard let state = write.deliveryState.retried(traits) else { throw .missingEntry(id) }
        if state.isPossiblyApplied, var request {
            // Repeat the whole request unchanged, and reset its count of inconclusive responses.
            request.inconclusive = 0
            try save(&request)
            for number in request.writes {
                guard var member = try connection.outboxWrite(number), member.request == request.number else {
                    continue
                }
                member.phase = .waiting
                member.notBefore = nil
                try save(&member)
            }
            return nil
        }
        let (isConflict, theirs, newest) = (write.phase == .conflict, write.theirs, write.newest)
        if let request {
            try detach(&write, from: request.number)
            write.isAlone = request.isBatch
        }
        write.reset()
        try setReferences(of: &write)
        try save(&write)
        if isConflict, let theirs {
            return try rebase(&row, try connection.outboxWrites(ofRow: row.number), on: theirs)
        }
        write.newest = newest
        guard let collection = core.registry.collections(row.collection).first else {
            try save(&write)
            try applyPendingWrites(to: &row)
            return nil
        }
        return try mergeNewestVersion(&write, &row, of: collection)
    }

    /// Resolves a conflict by overwriting the server's version with a document, or by deleting the item if it is null.
    func resolve(_ id: Int64, with document: JSONValue) throws(StoreError) {
        guard var write = try connection.outboxWrite(id), write.phase == .conflict,
            var row = try connection.row(write.row)
        else { throw .missingEntry(id) }
        let later = try connection.outboxWrites(ofRow: row.number).filter { $0.number > id }
        let theirs = write.theirs ?? row.base ?? .object([:])
        if document.isNull {
            guard write.theirs != nil else { return try drop([write] + later, of: &row, theirs: nil) }
            for other in later { try remove(other) }
            write.reset()
            (write.operation, write.content) = (.delete, .null)
            try setReferences(of: &write)
            _ = try rebase(&row, [write], on: theirs)
            return
        }
        guard document.objectValue != nil else {
            throw .item(
                .init(
                    template: try connection.collectionRecord(row.collection)?.template ?? "",
                    id: row.id,
                    reason: "the document is neither a JSON object nor null; pass an object, or null to delete the item"
                )
            )
        }
        guard let changes = JSONValue.mergePatch(from: theirs, to: document) else {
            guard !later.isEmpty else { return try drop([write], of: &row, theirs: write.theirs) }
            try remove(write)
            _ = try rebase(&row, later, on: theirs)
            return
        }
        write.reset()
        write.operation = write.operation == .patch ? .patch : .update
        write.content = changes
        try setReferences(of: &write)
        _ = try rebase(&row, [write] + later, on: theirs)
    }

    /// Drops a write and later writes to its row; for a creation, also drops the writes that refer to the new item.
    fileprivate func discard(_ write: OutboxWrite) throws(StoreError) {
        guard var row = try connection.row(write.row) else { return try remove(write) }
        let writes = try connection.outboxWrites(ofRow: row.number)
        let kept = writes.prefix { $0.number != write.number }
        for var dropped in writes.dropFirst(kept.count) {
            if let request = dropped.request { try detach(&dropped, from: request) }
            try remove(dropped)
        }
        if write.phase == .conflict { row.base = write.theirs }
        if let newest = write.newest { row.base = newest.isNull ? nil : newest }
        let document = kept.applied(to: row.base)
        row.document = document ?? row.document
        row.isDeleted = document == nil && row.base != nil
        try saveOrRemove(&row, pending: Array(kept))
        guard write.operation == .create else { return }
        for number in try connection.outboxWriteNumbers(referringTo: row.id) {
            if let child = try connection.outboxWrite(number) { try discard(child) }
        }
    }
}
