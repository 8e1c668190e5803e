import Waybill
import WaybillSystem

extension StoredCollection where Access: Creatable, Element.ID: TemporaryIdentifier {
    /// Creates an item with a temporary id, which is replaced once the server assigns a permanent one.
    ///
    /// The row consists of the members of the draft and the temporary id. If these do not suffice to decode an item,
    /// provide one with `create(draft) { id in … }`.
    ///
    /// - Parameter draft: the content of the new item, as sent to the server.
    /// - Returns: the item with its temporary id, already durable.
    /// - Throws: ``StoreError/item(_:)`` if the draft and the id do not decode as an item; nothing is written.
    @discardableResult
    public func create(_ draft: Element.Draft) async throws(StoreError) -> Element {
        try await create(draft, provisional: nil)
    }

    /// Creates an item with a temporary id, and stores a provisional item until the server responds.
    ///
    /// - Parameters:
    ///   - draft: the content of the new item, as sent to the server.
    ///   - provisional: returns the provisional item, which must have the given id.
    /// - Returns: the item with its temporary id, already durable.
    /// - Throws: ``StoreError/item(_:)`` if the provisional item does not decode after encoding, or has a different id;
    ///   nothing is written.
    @discardableResult
    public func create(
        _ draft: Element.Draft,
        provisional: @escaping @Sendable (_ temporaryID: Element.ID) -> Element
    ) async throws(StoreError) -> Element {
        try await create(draft, provisional: .some(provisional))
    }

    private func create(
        _ draft: Element.Draft,
        provisional: (@Sendable (Element.ID) -> Element)?
    ) async throws(StoreError) -> Element {
        let number = try await context.number(in: core)
        let context = context
        let content = try context.document(of: draft, for: .create)
        let element = try await core.write { (store) throws(StoreError) in
            try context.create(content, provisional: provisional, in: number, store)
        }
        await wakeSender()
        return element
    }
}

extension CollectionContext where Element.ID: TemporaryIdentifier {
    /// Adds a row for a new item with a temporary id, and a pending creation.
    func create(
        _ content: JSONValue,
        provisional: (@Sendable (Element.ID) -> Element)? = nil,
        in number: Int64,
        _ store: StoreWrite
    ) throws(StoreError) -> Element {
        let temporary = Element.ID.temporary(try store.nextTemporaryNumber())
        let document: JSONValue
        if let provisional {
            document = try self.document(of: provisional(temporary), for: .update)
        } else {
            var members = content.objectValue ?? [:]
            members[idKey] = try json(of: temporary)
            document = .object(members)
        }
        let element: Element
        do {
            element = try coding.item(document)
        } catch {
            let name = member(for: temporary, try json(of: temporary), missingBy: error, in: document)
            let advice =
                name.map { "the member with the id is \"\($0)\"; declare it: Store.Identifier(\"\($0)\")" }
                ?? "the draft and its temporary id do not decode as an item; provide one: create(draft) { id in … }"
            throw .item(.init(template: template, id: nil, reason: "\(advice). \(error)"))
        }
        let text = Element.ID.pathSegment(of: temporary)
        guard Element.ID.pathSegment(of: element.id) == text else {
            throw .item(
                .init(
                    template: template,
                    id: nil,
                    reason: "the new item does not have its temporary id; if the id has another name in JSON, declare"
                        + " it: Store.Identifier(\"…\")"
                )
            )
        }
        var row = StoredRow(collection: number, id: text, document: document)
        try store.save(&row)
        try store.addTemporaryID(text, json: json(of: temporary), row: row.number)
        try store.add(.create, content, to: &row)
        return element
    }

    /// Returns the key that a decoding error reports as missing, if the item decodes with its id under that key.
    private func member(
        for id: Element.ID,
        _ json: JSONValue,
        missingBy error: any Error,
        in document: JSONValue
    ) -> String? {
        guard case .keyNotFound(let key, let context)? = error as? DecodingError, context.codingPath.isEmpty,
            let item = try? coding.item(document.applying(mergePatch: [idKey: nil, key.stringValue: json])),
            item.id == id
        else { return nil }
        return key.stringValue
    }
}

extension StoredCollection where Access: Creatable, Element.Draft == Element {
    /// Creates an item with an id chosen by the app.
    ///
    /// - Parameter element: the item.
    /// - Returns: the item, already durable.
    /// - Throws: ``StoreError/item(_:)`` if the collection already contains an item with that id.
    @discardableResult
    public func insert(_ element: Element) async throws(StoreError) -> Element {
        let number = try await context.number(in: core)
        let context = context
        let document = try context.document(of: element, for: .create)
        let id = Element.ID.pathSegment(of: element.id)
        try await core.write { (store) throws(StoreError) in
            if let known = try store.connection.row(id, in: number) {
                guard known.isDeleted else {
                    throw .item(
                        .init(
                            template: context.template,
                            id: id,
                            reason: "the collection already contains this id; change that item, or choose another id"
                        )
                    )
                }
                var row = known
                row.document = document
                return try store.add(.create, document, to: &row)
            }
            var row = StoredRow(collection: number, id: id, document: document)
            try store.save(&row)
            try store.add(.create, document, to: &row)
        }
        await wakeSender()
        return element
    }
}

extension StoredCollection where Access: Patchable {
    /// Changes an item, and sends the changed members as a PATCH request.
    ///
    /// - Parameters:
    ///   - id: the id of the item, which can be temporary.
    ///   - change: modifies the item. It is called on one of the store's threads, inside the transaction.
    /// - Returns: the changed item, already durable.
    /// - Throws: ``StoreError/missingRow(id:)`` if the store has no such row; ``StoreError/item(_:)`` if the change
    ///   modifies the id.
    @discardableResult
    public func patch(
        _ id: Element.ID,
        _ change: @escaping @Sendable (inout Element) -> Void
    ) async throws(StoreError) -> Element {
        try await edit(id, .patch) { (item) in
            var item = item
            change(&item)
            return item
        }
    }
}

extension StoredCollection where Access: Updatable, Element.Replacement == Element {
    /// Replaces an item.
    ///
    /// The whole item is sent, including members of the server's version that `Element` does not declare.
    ///
    /// - Parameter element: the new item; its id can be temporary.
    /// - Returns: the item, already durable.
    /// - Throws: ``StoreError/missingRow(id:)`` if the store has no such row.
    @discardableResult
    public func update(_ element: Element) async throws(StoreError) -> Element {
        try await edit(element.id, .update) { _ in element }
    }
}

extension StoredCollection where Access: Updatable {
    /// Replaces an item, using a separate type for the request body.
    ///
    /// Until the server responds, the row is the old item with the members of the replacement.
    ///
    /// - Parameters:
    ///   - id: the id of the item, which can be temporary.
    ///   - replacement: the request body.
    /// - Throws: ``StoreError/missingRow(id:)`` if the store has no such row.
    public func update(_ id: Element.ID, _ replacement: Element.Replacement) async throws(StoreError) {
        let content = try context.document(of: replacement, for: .update)
        try await change(id) { (store, row) throws(StoreError) in
            try store.add(.replace, content, to: &row)
        }
    }
}

extension StoredCollection where Access: Deletable {
    /// Deletes an item, and hides its row immediately.
    ///
    /// - Parameter id: the id of the item, which can be temporary.
    /// - Throws: ``StoreError/missingRow(id:)`` if the store has no such row.
    public func delete(_ id: Element.ID) async throws(StoreError) {
        try await change(id) { (store, row) throws(StoreError) in
            try store.add(.delete, .null, to: &row)
        }
    }
}

extension StoredCollection {
    /// Modifies a row in a transaction, and wakes the sender.
    @discardableResult
    private func change<Value: Sendable>(
        _ id: Element.ID,
        _ body: @escaping @Sendable (StoreWrite, inout StoredRow) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let (number, text) = (try await context.number(in: core), Element.ID.pathSegment(of: id))
        let value = try await core.write { (store) throws(StoreError) -> Value in
            guard var row = try store.connection.row(matching: text, in: number), !row.isDeleted else {
                throw .missingRow(id: text)
            }
            return try body(store, &row)
        }
        await wakeSender()
        return value
    }

    private func edit(
        _ id: Element.ID,
        _ operation: OutboxWrite.Operation,
        _ change: @escaping @Sendable (Element) -> Element
    ) async throws(StoreError) -> Element {
        let context = context
        return try await self.change(id) { (store, row) throws(StoreError) -> Element in
            try context.edit(&row, operation, store, change)
        }
    }

    /// Wakes the sender without waiting for it, unless writes are only sent by synchronizations.
    func wakeSender() async {
        if core.settings.sendsAutomatically { Task { [sender] in await sender.wake() } }
    }
}

extension CollectionContext {
    /// Changes a row's item, and adds a pending write with the changed members.
    func edit(
        _ row: inout StoredRow,
        _ operation: OutboxWrite.Operation,
        _ store: StoreWrite,
        _ change: (Element) -> Element
    ) throws(StoreError) -> Element {
        let old: Element
        do {
            old = try coding.item(row)
        } catch {
            throw .item(.init(template: template, id: row.id, reason: "\(error)"))
        }
        let new = change(old)
        guard let changes = try changes(of: row, from: old, to: new, store) else { return old }
        try store.add(operation, changes, to: &row)
        return (try? coding.item(row.document)) ?? new
    }

    /// Returns the members that differ between two items of a row, as a merge patch; nil if none differ.
    func changes(
        of row: StoredRow,
        from old: Element,
        to new: Element,
        _ store: StoreWrite
    ) throws(StoreError) -> JSONValue? {
        let newID = Element.ID.pathSegment(of: new.id)
        // An item read before the server assigned its id still has the temporary id.
        var currentID = newID
        if newID != row.id, try store.connection.row(matching: newID, in: row.collection)?.number == row.number {
            currentID = row.id
        }
        guard currentID == row.id else {
            throw .item(
                .init(template: template, id: row.id, reason: "the change modifies the id; leave the id unchanged")
            )
        }
        let before = try document(of: old, for: .update)
        var after = try document(of: new, for: .update)
        if newID != row.id, var members = after.objectValue {
            members[idKey] = before[idKey]
            after = .object(members)
        }
        return JSONValue.mergePatch(from: before, to: after)
    }

    /// Encodes a value as JSON for an operation.
    func document(of value: some Encodable, for operation: On.Operation) throws(StoreError) -> JSONValue {
        do throws(APIError) { return try resource.document(of: value, for: operation) } catch {
            throw .declaration(error)
        }
    }
}
