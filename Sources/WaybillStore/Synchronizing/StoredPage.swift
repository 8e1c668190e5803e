import Waybill
import WaybillSystem

/// The result of storing a page.
struct PageResult: Sendable {
    var checkpoint = Checkpoint()
    var mustWalkAgain = false

    /// Whether the rest of the walk is deferred to the next synchronization.
    var isDeferred = false

    /// Whether an item was also on an earlier page of the walk.
    var isShifted = false

    /// Whether an item was deleted.
    var hasDeletion = false

    /// Whether the page contained an item without a readable id.
    var hasUnidentifiedItems = false
    var changed = 0
    var removed = 0
    var unreadable: [StoreError.ItemFailure] = []
    var conflicts: [StoreConflict] = []

    /// The rows to read again, because the page may be older than the store; a removed row has no number.
    var uncertain: [StoredRow] = []

    /// The reason why rows missing from the list were kept; nil if the list was complete or contained only changes.
    var incomplete: SynchronizationReport.Incompleteness?
}

/// A page being stored, in one transaction.
struct StoredPage {
    let write: StoreWrite
    let number: Int64
    let collection: any RegisteredCollection
    let core: StoreCore
    let now: Date
    var checkpoint: Checkpoint
    private(set) var result = PageResult()
    private var creations: UnresolvedCreations?

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

    /// Stores the items; at the end of a walk over the whole list, also removes rows missing from the list.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - list: the walk.
    ///   - moment: the logical time before the page was requested.
    ///   - start: the logical time before the walk began.
    /// - Throws: a database error.
    mutating func store(
        _ page: FetchedPage,
        _ list: ListWalk,
        since moment: UInt64,
        start: UInt64
    ) throws(StoreError) {
        if let document = page.document { try merge(document, since: moment) }
        for (index, item) in page.items.enumerated() {
            switch item.result {
            case .success(let document): try merge(document.source, since: moment)
            case .failure(let unreadable): try keepRow(of: unreadable, at: index)
            }
        }
        checkpoint.walk.record(result, count: page.items.count)
        if result.hasUnidentifiedItems {
            checkpoint.validator = nil
            if list.isFeed { checkpoint.cursor = list.retryCursor }
        }
        if page.isLast { try end(page, list, start: start) }
        if list.purpose == .check, !page.isLast, !checkpoint.walk.hasChange, !checkpoint.walk.hasDeletion {
            checkpoint.cursor = nil
            result.isDeferred = true
        }
        try write.permitRows(ofGeneration: checkpoint.generation, in: number)
        try write.save(checkpoint, of: number)
        result.checkpoint = checkpoint
    }

    // MARK: Items

    /// Merges an item into its row.
    private mutating func merge(_ source: JSONDocument, since moment: UInt64) throws(StoreError) {
        let item = source.value
        guard let id = collection.id(of: item) else {
            return reportUnreadable(nil, "an item has no id; declare the member with the id: Store.Identifier(\"…\")")
        }
        // Truncated ids could collide.
        guard !id.text.contains("\u{FFFD}") || source.text.contains("\u{FFFD}") else {
            return reportUnreadable(
                nil,
                "the id of an item contains a lone surrogate, perhaps because the server truncates ids in the middle of"
                    + " a character; correct the server"
            )
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
            // Keep the entity tag, too: lists do not contain entity tags.
            guard row.source?.text != source.text else {
                return try write.touch(row, generation: checkpoint.generation, fetched: now)
            }
            // The value is equal but its text differs, for example in whitespace or the spelling of numbers.
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
        if creations == nil { creations = try UnresolvedCreations(write.connection, in: number) }
        try creations?.save(&row, in: write)
    }

    /// Reports an unreadable item, and keeps its row if its id is readable.
    private mutating func keepRow(
        of item: DocumentResource.ListedDocument.Unreadable,
        at index: Int
    ) throws(StoreError) {
        let id = collection.id(of: item.members)
        reportUnreadable(
            id?.text,
            "element \(index) of page \(checkpoint.walk.pages + 1) cannot be read: \(item.reason)"
        )
        guard let id, let row = try write.connection.row(id.text, in: number) else { return }
        try write.touch(row, generation: checkpoint.generation, fetched: row.fetched ?? now)
    }

    private mutating func reportUnreadable(_ id: String?, _ reason: String) {
        if id == nil { result.hasUnidentifiedItems = true }
        result.unreadable.append(StoreError.ItemFailure(template: collection.template, id: id, reason: reason))
    }

    /// Whether the first pending write to a row is in conflict.
    private func isInConflict(_ row: StoredRow) throws(StoreError) -> Bool {
        guard row.pending > 0 else { return false }
        return try write.connection.outboxWrites(ofRow: row.number).first?.phase == .conflict
    }

    // MARK: The end of a walk

    private mutating func end(_ page: FetchedPage, _ list: ListWalk, start: UInt64) throws(StoreError) {
        let isWhole = list.purpose == .whole
        let isPositional = collection.resource.pagesByPosition
        let incompleteness = incompleteness(of: page, list, isPositional: isPositional)
        checkpoint.walk.isPartial = incompleteness != nil && incompleteness != .changing
        result.incomplete = incompleteness
        if isWhole, incompleteness == nil, !checkpoint.walk.isResumed { try removeMissingRows(page, start: start) }
        let wasWhole = isWhole || checkpoint.lastWholeFetch == nil
        result.mustWalkAgain = !list.isFeed && checkpoint.endWalk(isPositional: isPositional)
        switch result.incomplete {
        case .becameEmpty, .unreadableItems, .changing: break
        case nil, .furtherItems, .otherTotal, .missingList:
            if wasWhole, !checkpoint.walk.isResumed {
                checkpoint.lastWholeFetch = now
                checkpoint.needsWholeList = false
            }
        }
        if result.incomplete != nil { checkpoint.validator = nil }
        checkpoint.completed = now
        // Rows may have exceeded the maximum age without any change.
        try write.removeBeyondBound(of: number, at: now)
    }

    /// Returns the reason why items may be missing from the pages; nil if the list is complete.
    private func incompleteness(
        of page: FetchedPage,
        _ list: ListWalk,
        isPositional: Bool
    ) -> SynchronizationReport.Incompleteness? {
        let (walk, isWhole) = (checkpoint.walk, list.purpose == .whole)
        // The last page of a feed is the one without further changes, regardless of signs of further pages.
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
        if walk.hasUnidentifiedItems { return .unreadableItems }
        return walk.mayMissItems(isPositional: isPositional) ? .changing : nil
    }

    /// Removes rows missing from a complete list; if such a row has pending writes, the conflict rule applies.
    private mutating func removeMissingRows(_ page: FetchedPage, start: UInt64) throws(StoreError) {
        let missing = try write.connection.rows(
            // A row without a server version is a pending creation.
            where: "collection = ? AND generation < ? AND (pending = 0 OR base IS NOT NULL)",
            [.integer(number), .integer(checkpoint.generation)]
        )
        // Rows updated by responses during the walk may be newer than the pages.
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
