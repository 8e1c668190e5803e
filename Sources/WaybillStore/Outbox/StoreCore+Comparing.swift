import Waybill
import WaybillSystem

/// The result of reading a request's items and comparing them before sending.
enum ComparedRequest: Sendable {
    /// The request can be sent.
    case ready(ClaimedRequest)
    /// No writes remain in the request.
    ///
    /// Those in conflict can be scheduled again.
    case nothing(conflicts: [Int64])
    /// Reading an item failed, so the writes wait or are parked.
    case failed(APIError, OutboxReply)
    /// The response to reading an item has no id.
    case unreadable(OutboxEntry.Failure)
}

extension StoreCore {
    /// Reads the items of a request that need reading, and compares them with the rows.
    ///
    /// - Parameter claimed: the request.
    /// - Returns: the result.
    /// - Throws: a database error.
    func readAndCompare(_ claimed: ClaimedRequest) async throws(StoreError) -> ComparedRequest {
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
                // Only the read failed; the write was not sent.
                switch reply.kind {
                case .lost, .failed: return .failed(error, OutboxReply(.notSent, retryDelay: reply.retryDelay))
                case .stale, .conflicting: return .failed(error, OutboxReply(.rejected))
                default: return .failed(error, reply)
                }
            }
            if let document = theirs.document, write.collection.id(of: document) == nil {
                return .unreadable(
                    OutboxEntry.Failure(
                        summary: "the item was read before the write, but the response has no id; declare the"
                            + " response of the read operation, or Store.Conflicts(…, readsBeforeWriting: false)"
                    )
                )
            }
            switch try await compare(write, with: theirs, hasKey: claimed.request?.hasKey ?? false) {
            case .unchanged(let write): ready.append(write)
            case .done: break
            case .conflict: conflicts.append(write.write.number)
            }
        }
        // A request that may have been applied is repeated unchanged. A batch cannot be repeated if some of its writes
        // are done; reading has shown that the others were not applied.
        if claimed.request != nil, ready.count == claimed.writes.count { return .ready(claimed) }
        guard let request = try await createRequest(for: ready) else { return .nothing(conflicts: conflicts) }
        return .ready(request)
    }

    /// Reads the item of a write from the server; the result has no document if the item does not exist.
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
        /// The write can be sent, with the entity tag just read.
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
            try await resolveConflict(of: claimed, with: theirs)
            return .conflict
        }
        if claimed.write.isPossiblyApplied, claimed.isReflected(in: document) {
            try await finish(claimed, theirs)
            return .done
        }
        let base = claimed.row.base ?? .object([:])
        // A member missing from the base may be omitted from lists, or may have been added on both sides.
        let changes = claimed.states.after.flatMap { JSONValue.mergePatch(from: base, to: $0) } ?? .object([:])
        let clashes = Clashes(of: changes, base: base, theirs: document)
        guard document.hasMembers(of: base), clashes.isEmpty else {
            let mine: JSONValue? = claimed.row.isDeleted ? nil : claimed.row.document
            if hasKey, claimed.write.isPossiblyApplied,
                claimed.collection.conflictRule.decide(base, mine, document, clashes) == .mine
            {
                // If the write was applied, the server recognizes the repetition; otherwise, the write overwrites the
                // server's version.
                return try await write { (store) throws(StoreError) -> Comparison in
                    guard var write = try store.connection.outboxWrite(claimed.write.number) else { return .done }
                    write.newest = document
                    try store.save(&write)
                    return .unchanged(claimed)
                }
            }
            try await resolveConflict(of: claimed, with: theirs)
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

    /// Applies the collection's conflict rule to a write and the server's version.
    ///
    /// - Parameters:
    ///   - claimed: the write.
    ///   - theirs: the server's version.
    ///   - error: the error that reported the conflict, if any. If the server's version is unchanged, the error is a
    ///     rejection, and the write is parked.
    /// - Throws: a database error.
    func resolveConflict(
        of claimed: ClaimedWrite,
        with theirs: SentWrite,
        after error: APIError? = nil
    ) async throws(StoreError) {
        let report = try await write { (store) throws(StoreError) -> StoreConflict? in
            guard var write = try store.connection.outboxWrite(claimed.write.number),
                var row = try store.connection.row(write.row)
            else { return nil }
            if let request = write.request { try store.detach(&write, from: request) }
            write.newest = nil
            let failure = error.map { OutboxEntry.Failure($0) }
            write.failure = failure
            let isNew = error == nil || theirs.document != row.base || theirs.entityTag != row.entityTag
            write.phase = isNew ? .waiting : .parked
            try store.save(&write)
            guard isNew else {
                try store.applyPendingWrites(to: &row)
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

    /// Reads an item again if a different version was fetched during the request, because that version may be newer
    /// than the response.
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

    /// Reads the server's version after a conflict, and applies the collection's conflict rule.
    func readAndResolveConflict(
        of claimed: ClaimedWrite,
        after error: APIError?
    ) async throws(StoreError) -> Conclusion {
        let theirs: Result<SentWrite, APIError>
        do throws(APIError) { theirs = .success(try await read(claimed)) } catch { theirs = .failure(error) }
        switch theirs {
        case .success(let version):
            try await resolveConflict(of: claimed, with: version, after: error)
            return Conclusion(again: [claimed.write.number], isConflict: true)
        case .failure(let readError):
            // The next attempt detects the conflict again.
            let date = now + retryDelay(after: OutboxReply(.later), attempts: claimed.write.attempts)
            try await write { (store) throws(StoreError) in
                guard var write = try store.connection.outboxWrite(claimed.write.number) else { return }
                write.phase = .waiting
                write.notBefore = date
                write.failure = OutboxEntry.Failure(readError)
                try store.save(&write)
            }
            recordError(readError, of: claimed.write.number)
            events.publish(.delayed(try await entry(of: claimed)))
            return Conclusion()
        }
    }
}

extension JSONValue {
    /// Whether the value contains all members of another value, recursively.
    ///
    /// An item may have more members when read individually than in a list.
    func hasMembers(of other: JSONValue) -> Bool {
        guard let members = objectValue, let others = other.objectValue else { return self == other }
        return others.allSatisfy { key, value in members[key].map { $0.hasMembers(of: value) } ?? value.isNull }
    }
}
