import Waybill
import WaybillSystem

/// The writes of a store that its servers do not have yet.
///
/// ```swift
/// for entry in try await store.outbox.entries() where entry.state.needsAttention {
///     print(entry)                                    // patch products, item 7: parked, …
///     try await store.outbox.discard(entry.id)        // the row is again what the server has
/// }
/// ```
public struct Outbox: Sendable {
    let sender: OutboxSender
}

extension Outbox {
    /// Returns all entries, in the order of the writes.
    ///
    /// - Throws: ``StoreError/database(_:)``.
    public func entries() async throws(StoreError) -> [OutboxEntry] { try await sender.entries() }

    /// Sends an entry again that was rejected, whose effect is not known, or that waits.
    ///
    /// One whose effect is not known may take effect twice. One in conflict is sent over the server's version.
    ///
    /// - Parameter id: the entry.
    /// - Throws: ``StoreError/missingEntry(_:)`` if the outbox has no such entry, or if it is under way.
    public func retry(_ id: OutboxEntry.ID) async throws(StoreError) {
        let key = sender.core.newKey()
        try await sender.core.write { (store) throws(StoreError) in
            guard var write = try store.connection.outboxWrite(id), write.state != .sending,
                var row = try store.connection.row(write.row)
            else { throw .missingEntry(id) }
            let theirs = write.theirs
            let isConflict = write.state == .conflict
            let batch = write.batch
            // A write of unknown effect keeps its key, by which the server knows it again, unless that is a batch's.
            if write.state == .unknown, batch == nil {
                write.state = .waiting
                write.notBefore = nil
            } else {
                write.makeNew(key: key)
                write.batch = batch.map { _ in 0 }
            }
            try store.save(&write)
            guard isConflict, let theirs else { return }
            _ = try store.rebase(&row, try store.connection.outboxWrites(ofRow: row.number), on: theirs)
        }
        await sender.wake()
    }

    /// Drops an entry and the writes of its item after it: the row is again what the server has.
    ///
    /// The row of a creation that no server has goes, and with it the writes that refer to it. If the effect of the
    /// entry is not known, or in conflict, the next synchronization brings the server's version.
    ///
    /// - Parameter id: the entry.
    /// - Throws: ``StoreError/missingEntry(_:)`` if the outbox has no such entry, or if it is under way.
    public func discard(_ id: OutboxEntry.ID) async throws(StoreError) {
        try await sender.core.write { (store) throws(StoreError) in
            guard let write = try store.connection.outboxWrite(id), write.state != .sending else {
                throw .missingEntry(id)
            }
            try store.discard(write)
        }
        await sender.wake()
    }

    /// Decides on a conflict: the item becomes this one, over the server's version.
    ///
    /// - Parameters:
    ///   - id: the entry.
    ///   - document: the item as JSON, in the form of the server; ``OutboxEntry/serverVersion`` and
    ///     ``OutboxEntry/content`` have the two versions.
    /// - Throws: ``StoreError/missingEntry(_:)`` if the entry is not in conflict.
    public func resolve(_ id: OutboxEntry.ID, with document: JSONValue) async throws(StoreError) {
        try await sender.core.write { (store) throws(StoreError) in
            guard var write = try store.connection.outboxWrite(id), write.state == .conflict,
                var row = try store.connection.row(write.row)
            else { throw .missingEntry(id) }
            let theirs = write.theirs ?? row.base ?? .object([:])
            for other in try store.connection.outboxWrites(ofRow: row.number) where other.number != id {
                try store.remove(other)
            }
            guard let changes = JSONValue.mergePatch(from: theirs, to: document) else {
                return try store.drop([write], of: &row, theirs: write.theirs)
            }
            write.operation = write.operation == .patch ? .patch : .update
            write.content = changes
            write.state = .waiting
            write.theirs = nil
            _ = try store.rebase(&row, [write], on: theirs)
        }
        await sender.wake()
    }
}

extension StoreWrite {
    /// Drops a write, those of its row after it, and, if no server has the row, what refers to it.
    fileprivate func discard(_ write: OutboxWrite) throws(StoreError) {
        guard var row = try connection.row(write.row) else { return try remove(write) }
        let writes = try connection.outboxWrites(ofRow: row.number)
        let kept = writes.prefix { $0.number != write.number }
        for dropped in writes.dropFirst(kept.count) { try remove(dropped) }
        if write.state == .conflict { row.base = write.theirs }
        let document = kept.applied(to: row.base)
        row.document = document ?? row.document
        row.isDeleted = document == nil && row.base != nil
        try settle(&row, pending: Array(kept))
        guard write.operation == .create else { return }
        for number in try connection.outboxWrites(referringTo: row.id) {
            if let child = try connection.outboxWrite(number) { try discard(child) }
        }
    }
}

extension OutboxSender {
    /// Returns the entries of the outbox, with the reasons for which they wait.
    func entries() async throws(StoreError) -> [OutboxEntry] {
        let (core, now, isSignedOut, waitsForNetwork) = (core, core.now, isSignedOut, waitsForNetwork)
        return try await core.read { (connection) throws(StoreError) in
            let writes = try connection.outboxWrites()
            let ready = Set(try connection.sendingOrder().ready(at: .distantFuture))
            return try writes.map { (write) throws(StoreError) in
                let place = try connection.first(
                    "SELECT url, template FROM collections WHERE number = ?",
                    [.integer(write.collection)]
                ) { row in (url: row.text(0) ?? "", template: row.text(1) ?? "") }
                let id = try connection.first("SELECT id FROM rows WHERE number = ?", [.integer(write.row)]) {
                    $0.text(0)
                }
                let wait: OutboxEntry.Wait =
                    if !ready.contains(write.number) {
                        .earlierWrite
                    } else if core.collection(at: place?.url ?? "") == nil {
                        .declaration
                    } else if isSignedOut {
                        .signIn
                    } else if waitsForNetwork {
                        .network
                    } else if let date = write.notBefore, date > now {
                        .until(date)
                    } else {
                        .turn
                    }
                return core.entry(write, place?.template ?? "", id ?? "", wait)
            }
        }
    }

    /// Counts the writes, and reports the status if it has changed.
    func reportStatus() async {
        let counts = try? await core.read { (connection) throws(StoreError) -> [String: Int] in
            let rows = try connection.query("SELECT state, count(*) FROM outbox GROUP BY state", []) { row in
                (row.text(0) ?? "", Int(row.integer(1) ?? 0))
            }
            return Dictionary(rows) { first, _ in first }
        }
        guard let counts else { return }
        let (sending, waiting) = (counts["sending"] ?? 0, (counts["waiting"] ?? 0) + (counts["interrupted"] ?? 0))
        let attention = (counts["unknown"] ?? 0) + (counts["parked"] ?? 0) + (counts["conflict"] ?? 0)
        let status: StoreStatus =
            if sending > 0, !isOffline, !waitsForNetwork {
                .sending(sending)
            } else if waiting > 0, isSignedOut {
                .signedOut(waiting: waiting)
            } else if sending + waiting > 0, isOffline || waitsForNetwork {
                .offline(waiting: sending + waiting)
            } else if attention > 0 {
                .attentionNeeded(attention)
            } else if waiting > 0 {
                .offline(waiting: waiting)
            } else {
                .idle
            }
        core.events.send(status)
    }
}

extension StoreCore {
    func entry(
        _ write: OutboxWrite,
        _ template: String,
        _ id: String,
        _ wait: OutboxEntry.Wait
    ) -> OutboxEntry {
        var failure = write.failure
        failure?.error = error(of: write.number)
        let state: OutboxEntry.State =
            switch write.state {
            case .waiting, .interrupted: .waiting(wait)
            case .sending: .sending
            case .unknown: .unknown
            case .parked: .parked
            case .conflict: .conflict
            }
        return OutboxEntry(
            id: write.number,
            operation: write.operation.shown,
            template: template,
            itemID: id,
            state: state,
            attempts: write.attempts,
            failure: failure,
            content: write.content,
            serverVersion: write.theirs
        )
    }

    /// Returns the entry of a write, for an event.
    func entry(of claimed: ClaimedWrite) async throws(StoreError) -> OutboxEntry {
        let (write, id) = try await read { (connection) throws(StoreError) -> (OutboxWrite?, String?) in
            (
                try connection.outboxWrite(claimed.write.number),
                try connection.first("SELECT id FROM rows WHERE number = ?", [.integer(claimed.row.number)]) {
                    $0.text(0)
                }
            )
        }
        let shown = write ?? claimed.write
        let wait = shown.notBefore.map { OutboxEntry.Wait.until($0) } ?? .turn
        return entry(shown, claimed.collection.template, id ?? claimed.row.id, wait)
    }
}

extension OutboxWrite.Operation {
    var shown: OutboxEntry.Operation {
        switch self {
        case .create: .create
        case .update, .replace: .update
        case .patch: .patch
        case .delete: .delete
        }
    }
}
