import Waybill
import WaybillSystem

// Merging the server's version of a row with its pending writes.
extension StoreWrite {
    /// Stores the server's version of a row, and rebases the pending writes on it.
    ///
    /// - Parameters:
    ///   - theirs: the server's version; nil if the server has deleted the item.
    ///   - entityTag: the strong entity tag of that version; nil if it has no strong tag.
    ///   - row: the row.
    ///   - collection: the collection, whose rule resolves conflicts.
    ///   - failure: the failed write that revealed the different version; nil if the version was merely fetched.
    /// - Returns: the conflict to report; nil if there is no conflict or if it was already reported.
    /// - Throws: a database error.
    func mergeServerVersion(
        _ theirs: JSONValue?,
        entityTag: String?,
        into row: inout StoredRow,
        of collection: any RegisteredCollection,
        after failure: OutboxEntry.Failure? = nil
    ) throws(StoreError) -> StoreConflict? {
        var writes = try connection.outboxWrites(ofRow: row.number)
        guard let first = writes.first else {
            row.entityTag = entityTag
            guard let theirs else {
                try remove(row)
                try removeDescendants(of: row)
                return nil
            }
            row.document = theirs
            try save(&row)
            return nil
        }
        if first.deliveryState.endsIfReflected, let theirs, isApplied(first, in: theirs) {
            if let request = first.request { try detach(&writes[0], from: request) }
            try remove(writes.removeFirst())
            row.base = theirs
            row.entityTag = entityTag
            if writes.isEmpty {
                try saveOrRemove(&row, pending: [])
                return nil
            }
            return try rebase(&row, writes, on: theirs)
        }
        guard first.deliveryState.comparesServerVersions else {
            // Compare this version once the outcome of the write, or a decision about it, is known.
            writes[0].newest = theirs ?? .null
            try save(&writes[0])
            try save(&row)
            return nil
        }
        row.entityTag = entityTag
        guard let base = row.base else {
            if let theirs {
                row.base = theirs
                row.document = writes.applied(to: theirs) ?? row.document
                try save(&row)
            }
            return nil
        }
        if base == theirs, first.phase != .conflict { return try rebase(&row, writes, on: theirs ?? base) }
        let mine: JSONValue? = row.isDeleted ? .none : row.document
        guard mine != nil || theirs != nil else {
            for write in writes { try remove(write) }
            try remove(row)
            return nil
        }
        let changes = mine.flatMap { JSONValue.mergePatch(from: base, to: $0) } ?? .object([:])
        let clashes = theirs.map { Clashes(of: changes, base: base, theirs: $0) } ?? Clashes()
        let isClash = mine == nil || theirs == nil || !clashes.isEmpty || collection.conflictRule.appliesWithoutClashes
        let wasReported = first.phase == .conflict
        func report(_ outcome: StoreConflict.Outcome) -> StoreConflict? {
            StoreConflict(
                template: collection.template,
                itemID: row.id,
                base: base,
                mine: mine,
                theirs: theirs,
                outcome: outcome,
                collection: row.collection
            )
        }
        switch isClash ? collection.conflictRule.decide(base, mine, theirs, clashes) : .mine {
        case .mine:
            let report = isClash && !wasReported ? report(.mine) : nil
            _ = try rebase(&row, clearingConflicts(of: writes), on: theirs ?? base)
            return report
        case .theirs:
            let report = report(.theirs)
            try drop(writes, of: &row, theirs: theirs)
            return report
        case .without(let clashes):
            let report = report(.merged)
            var kept: [OutboxWrite] = []
            for var write in clearingConflicts(of: writes) {
                if write.operation == .patch || write.operation == .update {
                    write.content = clashes.removed(from: write.content)
                    if write.content.objectValue?.isEmpty ?? false {
                        try remove(write)
                        continue
                    }
                }
                kept.append(write)
            }
            _ = try rebase(&row, kept, on: theirs ?? base)
            return report
        case .merged(let document):
            let report = report(.merged)
            for write in writes.dropFirst() { try remove(write) }
            var write = first
            guard let changes = JSONValue.mergePatch(from: theirs ?? base, to: document) else {
                try drop([first], of: &row, theirs: theirs)
                return report
            }
            write.operation = first.operation == .patch ? .patch : .update
            write.content = changes
            write.phase = .waiting
            write.theirs = nil
            try setReferences(of: &write)
            _ = try rebase(&row, [write], on: theirs ?? base)
            return report
        case .ask:
            let report = wasReported ? nil : report(.waiting)
            if writes[0].phase != .conflict {
                writes[0].notBefore = nil
                writes[0].failure = failure
            }
            writes[0].phase = .conflict
            writes[0].theirs = theirs
            try save(&writes[0])
            try save(&row)
            try applyPendingWrites(to: &row)
            return report
        case .failed(let reason):
            writes[0].phase = .parked
            writes[0].failure = OutboxEntry.Failure(
                summary: "the conflict could not be merged: \(reason); correct the merge function and retry the entry,"
                    + " or discard the entry"
            )
            try save(&writes[0])
            try save(&row)
            try applyPendingWrites(to: &row)
            return nil
        }
    }

    /// Whether the server's version shows that a write was applied: a creation, because the item exists; a change,
    /// because applying it again has no effect.
    private func isApplied(_ write: OutboxWrite, in theirs: JSONValue) -> Bool {
        switch write.operation {
        case .create: true
        case .update, .patch, .replace: write.applied(to: theirs) == theirs
        case .delete: false
        }
    }

    /// Returns the writes, with those in conflict waiting to be sent again.
    private func clearingConflicts(of writes: [OutboxWrite]) -> [OutboxWrite] {
        writes.map { write in
            var write = write
            if write.phase == .conflict {
                write.phase = .waiting
                write.theirs = nil
            }
            return write
        }
    }
}
