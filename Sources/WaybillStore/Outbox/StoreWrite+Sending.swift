import Waybill
import WaybillSystem

// A write as it is sent, and as its effect is known.
extension StoreWrite {
    /// Marks a write as under way; one of which it is not known whether it took effect is `unknown` then.
    ///
    /// - Parameters:
    ///   - number: the write.
    ///   - collection: its collection.
    /// - Returns: the write; nil if it may not be sent any more.
    /// - Throws: the error of the database.
    func claim(
        _ number: Int64,
        of collection: any RegisteredCollection
    ) throws(StoreError) -> ClaimedWrite? {
        guard var write = try connection.outboxWrite(number), write.isSendable,
            let row = try connection.row(write.row),
            try connection.outboxWrites(ofRow: row.number).first?.number == number
        else { return nil }
        let wasInterrupted = write.state == .interrupted
        write.state = .sending
        write.notBefore = nil
        write.isDelayedByServer = false
        var claimed = ClaimedWrite(
            write: write,
            row: row,
            collection: collection,
            states: (row.base, write.applied(to: row.base))
        )
        if wasInterrupted, !claimed.isRepeatable {
            claimed.write.state = .unknown
            claimed.write.failure = OutboxEntry.Failure(summary: "the program ended before the response came")
        } else {
            claimed.write.attempts += 1
        }
        try save(&claimed.write)
        return claimed
    }

    /// Takes the effect of a write: its row is what the server has, with the writes that are still pending.
    ///
    /// - Parameters:
    ///   - claimed: the write.
    ///   - sent: its effect.
    ///   - now: the date.
    /// - Returns: whether the write was there, and its effect is known.
    /// - Throws: the error of the database.
    func settle(_ claimed: ClaimedWrite, _ sent: SentWrite, at now: Date) throws(StoreError) -> Bool {
        guard var write = try connection.outboxWrite(claimed.write.number), var row = try connection.row(write.row)
        else { return false }
        let id = sent.document.flatMap { claimed.collection.id(of: $0) }
        if write.operation == .create, id == nil {
            write.state = .unknown
            write.failure = OutboxEntry.Failure(summary: "the server's response has no id of the new item")
            try save(&write)
            return false
        }
        try remove(write)
        // A server that knows a repetition by its key responds as it did the first time. A list may have had the item
        // since then, and is not asked for it again.
        let other = try id.flatMap { (id) throws(StoreError) in try connection.row(id.text, in: row.collection) }
        let known = write.operation == .create ? other?.serverVersion : row.base
        let delta = claimed.collection.delta
        let isStale = known.flatMap { known in
            sent.document.map { delta?.isLater(known, than: $0) ?? (write.operation == .create) }
        }
        let current = isStale ?? false ? SentWrite(document: known, entityTag: nil) : sent
        // The row itself is renamed before its writes are read: their contents may have its id.
        if let id, id.text != row.id { try rename(&row, to: id.text, json: id.json) }
        let rest = try connection.outboxWrites(ofRow: row.number)
        row.entityTag = current.entityTag
        row.fetched = now
        // A walk that has passed its place does not take it for missing.
        row.generation = max(row.generation, try connection.generation(of: row.collection))
        guard let document = current.document else {
            row.base = nil
            row.document = rest.applied(to: nil) ?? row.document
            row.isDeleted = false
            try settle(&row, pending: rest)
            return true
        }
        _ = try rebase(&row, rest, on: document)
        return true
    }
}
