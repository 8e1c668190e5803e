import Waybill
import WaybillSystem

/// The result of storing a page.
struct PageResult: Sendable {
    var checkpoint = Checkpoint()
    var mustWalkAgain = false

    /// Whether the rest of the walk is left to the next synchronization.
    var isLeft = false

    /// Whether an item was also on an earlier page of the walk.
    var isShifted = false

    /// Whether an item was deleted.
    var hasDeletion = false

    /// Whether the page contained an item without a readable id.
    var hasUnidentified = false
    var changed = 0
    var removed = 0
    var unreadable: [StoreError.ItemFailure] = []
    var conflicts: [StoreConflict] = []

    /// The rows whose versions on the page may be older than the stored ones; a removed row has no number.
    var uncertain: [StoredRow] = []

    /// The reason why rows missing from the list were kept.
    var incomplete: SynchronizationReport.Incompleteness?
}

/// A page being merged into the rows, in one transaction.
struct StoredPage {
    let write: StoreWrite
    let number: Int64
    let collection: any RegisteredCollection
    let core: StoreCore
    let now: Date
    var checkpoint: Checkpoint
    private(set) var result = PageResult()
    private var creations: OpenCreations?

    init(
        write: StoreWrite,
        number: Int64,
        collection: any RegisteredCollection,
        core: StoreCore,
        now: Date,
        checkpoint: Checkpoint
    ) {
        (self.write, self.number, self.collection, self.core) = (write, number, collection, core)
        (self.now, self.checkpoint) = (now, checkpoint)
    }

    /// Stores the items and, at the end of a walk over the whole list, removes the rows that the list does not contain.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - list: the walk.
    ///   - moment: the logical time before the page was requested.
    ///   - start: the logical time before the walk began.
    /// - Throws: the error of the database.
    mutating func store(
        _ page: FetchedPage,
        _ list: ListWalk,
        since moment: UInt64,
        start: UInt64
    ) throws(StoreError) {
        if let document = page.document { try take(document, since: moment) }
        for (index, item) in page.items.enumerated() {
            switch item.result {
            case .success(let document): try take(document.source, since: moment)
            case .failure(let unreadable): try keep(unreadable, at: index)
            }
        }
        checkpoint.walk.note(result, count: page.items.count)
        if result.hasUnidentified {
            checkpoint.validator = nil
            if list.isFeed { checkpoint.cursor = list.place }
        }
        if page.isLast { try end(page, list, start: start) }
        if list.purpose == .check, !page.isLast, !checkpoint.walk.hasChange, !checkpoint.walk.hasDeletion {
            checkpoint.cursor = nil
            result.isLeft = true
        }
        try write.permit(seenBy: checkpoint.generation, in: number)
        try write.save(checkpoint, of: number)
        result.checkpoint = checkpoint
    }

    // MARK: Items

    /// Stores an item of a list.
    private mutating func take(_ source: JSONDocument, since moment: UInt64) throws(StoreError) {
        let item = source.value
        guard let id = collection.id(of: item) else {
            return reject(nil, "an item of the list has no id; declare its member: Identifier(\"…\")")
        }
        // Truncated ids could collide.
        guard !id.text.contains("\u{FFFD}") || source.text.contains("\u{FFFD}") else {
            return reject(nil, "the id of an item of the list is cut within a character")
        }
        let isDeleted = collection.delta?.isDeleted(item) ?? false
        guard var row = try write.connection.row(id.text, in: number) else {
            guard !isDeleted else { return }
            var row = StoredRow(collection: number, id: id.text, document: item)
            row.source = source
            row.generation = checkpoint.generation
            row.fetched = now
            guard !core.wasRemoved(id.text, from: number, since: moment) else {
                // The item was deleted while the page was in flight.
                result.uncertain.append(row)
                return
            }
            try saveNew(&row)
            result.changed += 1
            return
        }
        if row.generation == checkpoint.generation { result.isShifted = true }
        if isDeleted { result.hasDeletion = true }
        if core.wasUpdated(row.number, since: moment) {
            result.uncertain.append(row)
            return try write.touch(row, generation: checkpoint.generation, fetched: row.fetched ?? now)
        }
        row.generation = checkpoint.generation
        row.fetched = now
        if isDeleted {
            result.removed += row.pending == 0 ? 1 : 0
        } else if row.serverVersion.map({ !$0.isIdentical(to: item) }) ?? true {
            result.changed += 1
        } else if !(try isInConflict(row)) {
            // The entity tag is kept too, because lists do not contain entity tags.
            guard row.source?.text != source.text else {
                return try write.touch(row, generation: checkpoint.generation, fetched: now)
            }
            // The value is equal, but its text differs, perhaps in members that no type decodes.
            row.source = source
            return try write.write(&row)
        }
        row.source = source
        let conflict = try write.mergeServerVersion(
            isDeleted ? .none : item,
            entityTag: nil,
            into: &row,
            of: collection
        )
        if let conflict { result.conflicts.append(conflict) }
    }

    private mutating func saveNew(_ row: inout StoredRow) throws(StoreError) {
        if creations == nil { creations = try OpenCreations(write.connection, in: number) }
        try creations?.save(&row, in: write)
    }

    /// Keeps the row of an item that cannot be read, if the item's id can be read.
    private mutating func keep(_ item: DocumentResource.ListedDocument.Unreadable, at index: Int) throws(StoreError) {
        let id = collection.id(of: item.members)
        reject(id?.text, "element \(index) of page \(checkpoint.walk.pages + 1) cannot be read: \(item.reason)")
        guard let id, let row = try write.connection.row(id.text, in: number) else { return }
        try write.touch(row, generation: checkpoint.generation, fetched: row.fetched ?? now)
    }

    private mutating func reject(_ id: String?, _ reason: String) {
        if id == nil { result.hasUnidentified = true }
        result.unreadable.append(StoreError.ItemFailure(template: collection.template, id: id, reason: reason))
    }

    /// Whether a pending write of a row is in conflict with the server's version or a deletion on the server.
    private func isInConflict(_ row: StoredRow) throws(StoreError) -> Bool {
        guard row.pending > 0 else { return false }
        return try write.connection.outboxWrites(ofRow: row.number).first?.phase == .conflict
    }

    // MARK: The end of a walk

    private mutating func end(_ page: FetchedPage, _ list: ListWalk, start: UInt64) throws(StoreError) {
        let isWhole = list.purpose == .whole
        let isPositional = collection.resource.pagesByPosition
        let doubt = doubt(of: page, list, isPositional: isPositional)
        checkpoint.walk.isPartial = doubt != nil && doubt != .changing
        result.incomplete = doubt
        if isWhole, doubt == nil, !checkpoint.walk.isResumed { try sweep(page, start: start) }
        let wasWhole = isWhole || checkpoint.whole == nil
        result.mustWalkAgain = !list.isFeed && checkpoint.confirm(isPositional: isPositional)
        switch result.incomplete {
        case .becameEmpty, .unreadableItems, .changing: break
        case nil, .furtherItems, .otherTotal, .missingList:
            if wasWhole, !checkpoint.walk.isResumed {
                checkpoint.whole = now
                checkpoint.needsWhole = false
            }
        }
        if result.incomplete != nil { checkpoint.validator = nil }
        checkpoint.completed = now
        // Rows may have become too old even without a change.
        try write.removeBeyondBound(of: number, at: now)
    }

    /// Returns the reason why the walk may lack items; nil if it is complete.
    private func doubt(
        of page: FetchedPage,
        _ list: ListWalk,
        isPositional: Bool
    ) -> SynchronizationReport.Incompleteness? {
        let (walk, isWhole) = (checkpoint.walk, list.purpose == .whole)
        // A feed ends where there are no further changes.
        if let response = page.response, !list.isFeed {
            let signs = collection.resource.remainderSigns(of: response)
            if page.items.isEmpty, !signs.hasList { return .missingList }
            let progress = RemainderSigns.Progress(
                items: walk.items,
                pages: walk.pages,
                isPaginated: collection.resource.isPaginated,
                comparesTotals: isWhole && collection.resource.hasExactTotals
            )
            if let sign = signs.first(after: progress, pageIsEmpty: page.items.isEmpty) {
                return .furtherItems(sign: sign)
            }
        }
        guard isWhole else { return nil }
        if let failure = page.failure { return .otherTotal(failure.summary) }
        if walk.hasUnidentified { return .unreadableItems }
        return walk.mayMissItems(isPositional: isPositional) ? .changing : nil
    }

    /// Removes the rows that a complete list does not contain; the pending writes of such rows are treated as
    /// conflicts.
    private mutating func sweep(_ page: FetchedPage, start: UInt64) throws(StoreError) {
        let missing = try write.connection.rows(
            // A row without a server version is a pending creation.
            where: "collection = ? AND generation < ? AND (pending = 0 OR base IS NOT NULL)",
            [.integer(number), .integer(checkpoint.generation)]
        )
        // A row that a write has changed during the walk may be newer than the pages.
        .filter { !core.wasUpdated($0.number, since: start) }
        let isEmpty = checkpoint.walk.items == 0 && page.response != nil && !missing.isEmpty
        if isEmpty, !checkpoint.wasEmpty {
            checkpoint.wasEmpty = true
            result.incomplete = .becameEmpty
            return
        }
        checkpoint.wasEmpty = false
        for var row in missing {
            if row.pending == 0 { result.removed += 1 }
            let conflict = try write.mergeServerVersion(nil, entityTag: nil, into: &row, of: collection)
            if let conflict { result.conflicts.append(conflict) }
        }
    }
}
