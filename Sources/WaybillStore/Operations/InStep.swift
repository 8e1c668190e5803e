import Waybill
import WaybillSystem

extension StoredCollection {
    /// Operations that call the server first, and then store the result.
    ///
    /// ```swift
    /// let lamp = try await products.inStep.create(.init(name: "Lamp", price: 30))    // the server's version
    /// let same = try await products.inStep.read(lamp.id, maximumAge: .seconds(60))   // the row, if fresh enough
    /// ```
    ///
    /// If an operation fails, its changes are discarded. Changing an item with pending writes throws
    /// ``StoreError/pendingWrites(id:)``, because those writes must be sent first.
    public struct InStep: Sendable {
        fileprivate let collection: StoredCollection<Element, Access>

        private var context: CollectionContext<Element> { collection.context }
        private var core: StoreCore { collection.core }
    }
}

extension StoredCollection {
    /// Operations that call the server first, and then store the result.
    public var inStep: InStep { InStep(collection: self) }
}

extension StoredCollection.InStep where Access: Readable {
    /// Returns the stored item if it is fresh or has pending writes; otherwise reads the server's version and stores
    /// it.
    ///
    /// - Parameters:
    ///   - id: the id of the item, which can be temporary.
    ///   - age: how long an item stays fresh after it is received from the server.
    /// - Returns: the item; nil if the server has no such item, or if its deletion is pending.
    /// - Throws: ``StoreError/call(_:)`` if the call fails. The row is left unchanged; after status 403,
    ///   ``StoredCollection/isForbidden(_:)`` returns true for it.
    public func read(_ id: Element.ID, maximumAge age: Duration = .zero) async throws(StoreError) -> Element? {
        let (known, now) = (try await row(id), core.now)
        if let known {
            if known.isDeleted { return nil }
            // If the clock was set back, the age is unknown.
            let isFresh = known.fetched.map { (0..<age.timeInterval).contains(now.timeIntervalSince($0)) } ?? false
            if known.pending > 0 || isFresh { return try collection.item(of: known) }
        }
        let target: StoredRow
        if let known { target = known } else { target = try await newRow(id) }
        let sent: SentWrite?
        do throws(StoreError) {
            sent = try await StoreError.call { () async throws(APIError) -> SentWrite? in
                do throws(APIError) {
                    return SentWrite(try await context.resource.read(context.operationID(of: target)).response())
                } catch {
                    guard error.isNotFound else { throw error }
                    return nil
                }
            }
        } catch {
            if case .call(let failure) = error, failure.status?.code == 403 { try await core.forbid(target) }
            throw error
        }
        return try await store(sent, over: target)
    }
}

extension StoredCollection.InStep where Access: Creatable {
    /// Creates an item on the server, and stores the result.
    ///
    /// - Parameter draft: the content of the new item.
    /// - Returns: the server's version.
    /// - Throws: ``StoreError/call(_:)`` if the call fails; ``StoreError/item(_:)`` if the response contains no id.
    ///   Nothing is stored in either case.
    @discardableResult
    public func create(_ draft: Element.Draft) async throws(StoreError) -> Element {
        let number = try await context.number(in: core)
        let content = try context.document(of: draft, for: .create)
        let resource = context.resource.conditioned(for: .create, key: core.newKey(), entityTag: nil)
        let sent = try await StoreError.call { () async throws(APIError) in
            SentWrite(try await resource.create(JSONDocument(content)).response())
        }
        guard let document = sent.document, let id = context.id(of: document) else {
            throw .item(
                .init(
                    template: context.template,
                    id: nil,
                    reason: "the server's response has no id, but the item may exist: synchronize, and declare the"
                        + " member with the id: Store.Identifier(\"…\")"
                )
            )
        }
        return try await stored(sent, over: StoredRow(collection: number, id: id.text, document: document))
    }
}

extension StoredCollection.InStep where Access: Patchable {
    /// Changes an item on the server, and stores the result.
    ///
    /// - Parameters:
    ///   - id: the id of the item.
    ///   - change: modifies the server's version of the item. If the row has no entity tag, that version is read first.
    /// - Returns: the server's version after the change.
    /// - Throws: ``StoreError/missingRow(id:)``; ``StoreError/pendingWrites(id:)``; ``StoreError/call(_:)`` if the
    ///   call fails, for example because the server has a newer version. The change is not stored.
    @discardableResult
    public func patch(_ id: Element.ID, _ change: (inout Element) -> Void) async throws(StoreError) -> Element {
        let row = try await currentRow(id).current
        var item = try collection.item(of: row)
        change(&item)
        let after = try context.changed(row, to: item)
        let resource = context.resource.conditioned(for: .patch, key: core.newKey(), entityTag: row.entityTag)
        let sent = try await StoreError.call { () async throws(APIError) -> SentWrite? in
            try await resource.patch(context.operationID(of: row), from: row.document, to: after)
                .asyncMap { (endpoint) async throws(APIError) in SentWrite(try await endpoint.response()) }
        }
        guard let sent else { return item }
        return try await stored(sent, over: row)
    }
}

extension StoredCollection.InStep where Access: Updatable, Element.Replacement == Element {
    /// Replaces an item on the server, and stores the result.
    ///
    /// If the row has no entity tag, the server's version is read first, and members changed only on the server are
    /// kept.
    ///
    /// - Parameter element: the new item, with the same id.
    /// - Returns: the server's version after the replacement.
    /// - Throws: ``StoreError/changedOnServer(id:)`` if the same member changed here and on the server;
    ///   ``StoreError/missingRow(id:)``; ``StoreError/pendingWrites(id:)``; ``StoreError/call(_:)`` if the call fails,
    ///   for example because the server has a newer version. The replacement is not stored.
    @discardableResult
    public func update(_ element: Element) async throws(StoreError) -> Element {
        let (known, row) = try await currentRow(element.id)
        let mine = try context.changed(known, to: element)
        let changes = JSONValue.mergePatch(from: known.document, to: mine) ?? .object([:])
        guard Clashes(of: changes, base: known.document, theirs: row.document).isEmpty else {
            throw .changedOnServer(id: row.id)
        }
        let after = row.document.applying(mergePatch: changes)
        let resource = context.resource.conditioned(for: .update, key: core.newKey(), entityTag: row.entityTag)
        let document = row.withOriginalText(after)
        let sent = try await StoreError.call { () async throws(APIError) in
            SentWrite(try await resource.update(context.operationID(of: row), document).response())
        }
        return try await stored(sent, over: row)
    }
}

extension StoredCollection.InStep where Access: Deletable {
    /// Deletes an item on the server, and then removes its row.
    ///
    /// If the row has no entity tag, the server's version is read and compared first. An item missing from the server
    /// counts as deleted.
    ///
    /// - Parameter id: the id of the item.
    /// - Throws: ``StoreError/changedOnServer(id:)`` if the server has a different version;
    ///   ``StoreError/missingRow(id:)``; ``StoreError/pendingWrites(id:)``; ``StoreError/call(_:)`` if the call
    ///   fails. The row is kept.
    public func delete(_ id: Element.ID) async throws(StoreError) {
        let (known, row) = try await currentRow(id)
        guard row.document.hasMembers(of: known.document) else { throw .changedOnServer(id: row.id) }
        let resource = context.resource.conditioned(for: .delete, key: core.newKey(), entityTag: row.entityTag)
        try await StoreError.call { () async throws(APIError) in
            do throws(APIError) {
                _ = try await resource.delete(context.operationID(of: row)).response()
            } catch {
                guard error.isNotFound else { throw error }
            }
        }
        _ = try await store(nil, over: row)
    }
}

extension StoredCollection.InStep {
    private func row(_ id: Element.ID) async throws(StoreError) -> StoredRow? {
        let (text, number) = (Element.ID.pathSegment(of: id), try await context.number(in: core))
        return try await core.read { (connection) throws(StoreError) in try connection.row(matching: text, in: number) }
    }

    private func newRow(_ id: Element.ID) async throws(StoreError) -> StoredRow {
        StoredRow(
            collection: try await context.number(in: core),
            id: Element.ID.pathSegment(of: id),
            document: [context.idKey: try context.json(of: id)]
        )
    }

    /// Returns the row of an item; throws if it has pending writes.
    private func rowWithoutPendingWrites(_ id: Element.ID) async throws(StoreError) -> StoredRow {
        let text = Element.ID.pathSegment(of: id)
        guard let row = try await row(id), !row.isDeleted else { throw .missingRow(id: text) }
        guard row.pending == 0 else { throw .pendingWrites(id: text) }
        return row
    }

    /// Returns the stored row of an item without pending writes, and its row with the server's current version.
    ///
    /// The server's version is read only if the stored row has no entity tag, and only if the conflict rule reads
    /// before writing. Otherwise, both rows are the same.
    private func currentRow(_ id: Element.ID) async throws(StoreError) -> (known: StoredRow, current: StoredRow) {
        let known = try await rowWithoutPendingWrites(id)
        guard known.entityTag == nil, context.conflictRule.readsBeforeWriting, context.resource.isReadable else {
            return (known, known)
        }
        let sent = try await StoreError.call { () async throws(APIError) -> SentWrite? in
            do throws(APIError) {
                return SentWrite(try await context.resource.read(context.operationID(of: known)).response())
            } catch {
                guard error.isNotFound else { throw error }
                return nil
            }
        }
        _ = try await store(sent, over: known)
        return (known, try await rowWithoutPendingWrites(id))
    }

    private func stored(_ sent: SentWrite, over row: StoredRow) async throws(StoreError) -> Element {
        guard let item = try await store(sent, over: row) else { throw .missingRow(id: row.id) }
        return item
    }

    /// Stores the server's version of a row, or removes the row if the version is nil.
    private func store(_ sent: SentWrite?, over row: StoredRow) async throws(StoreError) -> Element? {
        let (context, now) = (context, core.now)
        let sent = sent?.withReadableID(in: context)
        let (stored, conflict) = try await core.write {
            (store) throws(StoreError) -> (StoredRow?, StoreConflict?) in
            let known = try store.connection.row(row.id, in: row.collection)
            guard sent?.document != nil || known != nil else { return (nil, nil) }
            var current = known ?? row
            current.fetched = now
            current.source = sent?.source ?? current.source
            try store.permit(current)
            current.generation = max(current.generation, try store.connection.generation(of: row.collection))
            let conflict = try store.mergeServerVersion(
                sent?.document,
                entityTag: sent?.entityTag,
                into: &current,
                of: context
            )
            return (try store.connection.row(row.id, in: row.collection), conflict)
        }
        if let stored { core.recordUpdate(of: stored.number) }
        if let conflict { core.events.publish(.conflict(conflict)) }
        return try stored.map { (row) throws(StoreError) in try collection.item(of: row) }
    }
}

extension StoreError {
    /// Makes a call, converting its failure to a `StoreError`.
    fileprivate static func call<Value>(
        _ body: () async throws(APIError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(APIError) {
            return try await body()
        } catch {
            if case .cancelled = error { throw .cancelled }
            throw .call(error)
        }
    }
}

extension Optional {
    fileprivate func asyncMap<Value>(
        _ transform: (Wrapped) async throws(APIError) -> Value
    ) async throws(APIError) -> Value? {
        if let wrapped = self { try await transform(wrapped) } else { nil }
    }
}

extension CollectionContext {
    /// Returns a row's document with the members changed by an item.
    fileprivate func changed(_ row: StoredRow, to item: Element) throws(StoreError) -> JSONValue {
        do {
            return try coding.changed(row.document, to: item)
        } catch {
            throw .item(.init(template: template, id: row.id, reason: "\(error)"))
        }
    }
}
