import Waybill
import WaybillSystem

/// The result of reading and comparing the items of a request before it is sent.
enum ComparedRequest: Sendable {
    /// The request can be sent.
    case ready(ClaimedRequest)
    /// Nothing remains to be sent now.
    ///
    /// The writes in conflict can be sent again.
    case nothing(conflicts: [Int64])
    /// Reading an item failed, so the writes wait or are parked.
    case failed(APIError, OutboxReply)
    /// The response to reading an item is not an item of its collection.
    case unreadable(OutboxEntry.Failure)
}

extension StoreCore {
    /// Reads and compares the items of a request if the server does not compare versions.
    ///
    /// - Parameter claimed: the request.
    /// - Returns: the result.
    /// - Throws: the error of the database.
    func compared(_ claimed: ClaimedRequest) async throws(StoreError) -> ComparedRequest {
        var ready: [ClaimedWrite] = []
        var conflicts: [Int64] = []
        for write in claimed.writes {
            guard write.needsReading else {
                ready.append(write)
                continue
            }
            let theirs: SentWrite
            do throws(APIError) {
                theirs = try await read(write)
            } catch {
                if error.status?.code == 403 { try await forbid(write.row) }
                let reply = OutboxReply(error, of: write.write.operation, now: now)
                // Only a read failed, so the write was not sent.
                let shown =
                    reply.kind == .lost || reply.kind == .failed ? OutboxReply(.notSent, wait: reply.wait) : reply
                return .failed(
                    error,
                    shown.kind == .stale || shown.kind == .conflicting ? OutboxReply(.rejected) : shown
                )
            }
            if let document = theirs.document, write.collection.id(of: document) == nil {
                return .unreadable(
                    OutboxEntry.Failure(
                        summary: "the item was read before it is changed, and the response has no id;"
                            + " declare what read returns, or Conflicts(…, readsBeforeWriting: false)"
                    )
                )
            }
            switch try await compare(write, with: theirs, hasKey: claimed.request?.hasKey ?? false) {
            case .unchanged(let write): ready.append(write)
            case .done: break
            case .conflict: conflicts.append(write.write.number)
            }
        }
        // A request that may have been applied is repeated unchanged. If part of a batch is done, the batch cannot be
        // repeated; reading has shown that the other writes were not applied.
        if claimed.request != nil, ready.count == claimed.writes.count { return .ready(claimed) }
        guard let formed = try await form(ready) else { return .nothing(conflicts: conflicts) }
        return .ready(formed)
    }

    /// Reads the item of a write; the result has no document if the item does not exist.
    func read(_ claimed: ClaimedWrite) async throws(APIError) -> SentWrite {
        do throws(APIError) {
            let id = claimed.collection.operationID(of: claimed.row)
            let response = try await claimed.collection.resource.read(id).response()
            return SentWrite(response).withReadableID(in: claimed.collection)
        } catch {
            guard error.isNotFound else { throw error }
            return SentWrite(document: nil, entityTag: nil)
        }
    }

    private enum Comparison {
        /// The write can be sent, with the entity tag that was read.
        case unchanged(ClaimedWrite)
        /// The server's version already reflects the write.
        case done
        /// The server has a different version, and the conflict rule was applied.
        case conflict
    }

    private func compare(
        _ claimed: ClaimedWrite,
        with theirs: SentWrite,
        hasKey: Bool
    ) async throws(StoreError) -> Comparison {
        guard let document = theirs.document else {
            if claimed.write.operation == .delete {
                try await finish(claimed, theirs)
                return .done
            }
            try await meet(claimed, theirs)
            return .conflict
        }
        if claimed.write.isPossiblyApplied, claimed.isShown(by: document) {
            try await finish(claimed, theirs)
            return .done
        }
        let base = claimed.row.base ?? .object([:])
        // A member that the base lacks may be omitted from lists, or both sides may have added it.
        let changes = claimed.states.after.flatMap { JSONValue.mergePatch(from: base, to: $0) } ?? .object([:])
        let clashes = Clashes(of: changes, base: base, theirs: document)
        guard document.hasMembers(of: base), clashes.isEmpty else {
            let mine: JSONValue? = claimed.row.isDeleted ? nil : claimed.row.document
            if hasKey, claimed.write.isPossiblyApplied,
                claimed.collection.conflictRule.decide(base, mine, document, clashes) == .mine
            {
                // If it was applied, the server recognizes the repetition; otherwise it overwrites the server's
                // version.
                return try await write { (store) throws(StoreError) -> Comparison in
                    guard var write = try store.connection.outboxWrite(claimed.write.number) else { return .done }
                    write.newest = document
                    try store.save(&write)
                    return .unchanged(claimed)
                }
            }
            try await meet(claimed, theirs)
            return .conflict
        }
        return try await write { (store) throws(StoreError) -> Comparison in
            guard var row = try store.connection.row(claimed.row.number) else { return .done }
            row.base = document
            row.source = theirs.source ?? row.source
            row.entityTag = theirs.entityTag
            row.document = try store.connection.outboxWrites(ofRow: row.number).applied(to: document) ?? row.document
            try store.save(&row)
            return .unchanged(ClaimedWrite(write: claimed.write, row: row, collection: claimed.collection))
        }
    }

    /// Applies the conflict rule of the collection to a write and the server's version.
    ///
    /// - Parameters:
    ///   - claimed: the write.
    ///   - theirs: the server's version.
    ///   - error: the response that reported the conflict; if the version is unchanged, this response rejects the
    ///     write.
    /// - Throws: the error of the database.
    func meet(_ claimed: ClaimedWrite, _ theirs: SentWrite, after error: APIError? = nil) async throws(StoreError) {
        let report = try await write { (store) throws(StoreError) -> StoreConflict? in
            guard var write = try store.connection.outboxWrite(claimed.write.number),
                var row = try store.connection.row(write.row)
            else { return nil }
            if let request = write.request { try store.leave(request, &write) }
            write.newest = nil
            let failure = error.map { OutboxEntry.Failure($0) }
            write.failure = failure
            let isNew = error == nil || theirs.document != row.base || theirs.entityTag != row.entityTag
            write.phase = isNew ? .waiting : .parked
            try store.save(&write)
            guard isNew else {
                try store.show(&row)
                return nil
            }
            row.source = theirs.source ?? row.source
            return try store.mergeServerVersion(
                theirs.document,
                entityTag: theirs.entityTag,
                into: &row,
                of: claimed.collection,
                after: failure
            )
        }
        recordUpdate(of: claimed.row.number)
        if let error { recordError(error, of: claimed.write.number) }
        if let report { events.publish(.conflict(report)) }
        let entry = try await entry(of: claimed)
        if entry.state == .parked { events.publish(.needsAttention(entry)) }
    }

    /// Reads an item again if a synchronization fetched a different version during the request, because that version
    /// may be newer than the response.
    func newerVersion(of claimed: ClaimedWrite, than sent: SentWrite) async -> SentWrite? {
        let newest = try? await read { (connection) throws(StoreError) in
            try connection.outboxWrite(claimed.write.number)?.newest
        }
        guard newest.flatMap({ $0 }) != nil, let document = sent.document, let id = claimed.collection.id(of: document)
        else { return nil }
        var claimed = claimed
        claimed.row.id = id.text
        claimed.row.document = document
        return try? await read(claimed)
    }

    /// Reads the server's version after a conflict, and applies the conflict rule of the collection.
    func meet(_ claimed: ClaimedWrite, after error: APIError?) async throws(StoreError) -> Conclusion {
        let theirs: Result<SentWrite, APIError>
        do throws(APIError) { theirs = .success(try await read(claimed)) } catch { theirs = .failure(error) }
        switch theirs {
        case .success(let version):
            try await meet(claimed, version, after: error)
            return Conclusion(again: [claimed.write.number], isConflict: true)
        case .failure(let unread):
            // The next attempt detects the conflict again.
            let date = now + wait(after: OutboxReply(.later), attempts: claimed.write.attempts)
            try await write { (store) throws(StoreError) in
                guard var write = try store.connection.outboxWrite(claimed.write.number) else { return }
                write.phase = .waiting
                write.notBefore = date
                write.failure = OutboxEntry.Failure(unread)
                try store.save(&write)
            }
            recordError(unread, of: claimed.write.number)
            events.publish(.delayed(try await entry(of: claimed)))
            return Conclusion()
        }
    }
}

extension JSONValue {
    /// Whether the value contains all members of another value, recursively.
    ///
    /// An item that is read individually may have more members than in a list.
    func hasMembers(of other: JSONValue) -> Bool {
        guard let members = objectValue, let others = other.objectValue else { return self == other }
        return others.allSatisfy { key, value in members[key].map { $0.hasMembers(of: value) } ?? value.isNull }
    }
}
