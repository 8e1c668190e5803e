import Waybill
import WaybillSystem

/// The result of reading the item of a write before it is sent.
enum ComparedWrite: Sendable {
    /// It is sent, with the entity tag that was read.
    case unchanged(ClaimedWrite)
    /// The server has another version: the rule has decided, and it may be sent again.
    case conflict
    /// The server has what the write asks for.
    case done
    /// The item cannot be read: the write waits, or is parked.
    case failed(APIError)
}

extension StoreCore {
    /// Reads the item of a write before it is sent, if the collection asks for that, and compares its version.
    ///
    /// - Parameter claimed: the write.
    /// - Returns: the result.
    /// - Throws: the error of the database.
    func compared(_ claimed: ClaimedWrite) async throws(StoreError) -> ComparedWrite {
        guard claimed.collection.conflictRule.readsBeforeWriting, !claimed.hasCondition,
            claimed.write.operation != .create, let base = claimed.states.before
        else { return .unchanged(claimed) }
        let theirs: SentWrite
        do throws(APIError) {
            let id = claimed.collection.operationID(of: claimed.row)
            theirs = SentWrite(try await claimed.collection.resource.read(id).response())
        } catch {
            guard error.isNotFound else {
                // Nothing was written yet.
                let outcome = SendingOutcome(error, of: claimed.write.operation, isRepeatable: true, now: now)
                try await settle(claimed, outcome == .conflict ? .parked : outcome, error)
                return .failed(error)
            }
            theirs = SentWrite(document: nil, entityTag: nil)
        }
        guard let document = theirs.document else {
            if claimed.write.operation == .delete {
                try await settle(claimed, theirs)
                return .done
            }
            try await meet(claimed, theirs)
            return .conflict
        }
        // A member that the base lacks may be one that lists lack, or one that both sides have added.
        let changes = claimed.states.after.flatMap { JSONValue.mergePatch(from: base, to: $0) } ?? .object([:])
        guard document.hasMembers(of: base), Clashes(of: changes, base: base, theirs: document).isEmpty else {
            try await meet(claimed, theirs)
            return .conflict
        }
        return try await write { (store) throws(StoreError) -> ComparedWrite in
            guard var row = try store.connection.row(claimed.row.number) else { return .done }
            row.base = document
            row.entityTag = theirs.entityTag
            row.document = try store.connection.outboxWrites(ofRow: row.number).applied(to: document) ?? row.document
            try store.save(&row)
            let compared = ClaimedWrite(
                write: claimed.write,
                row: row,
                collection: claimed.collection,
                states: (document, claimed.write.applied(to: document))
            )
            return .unchanged(compared)
        }
    }

    /// Lets a write meet another version, which was read before it was sent.
    private func meet(_ claimed: ClaimedWrite, _ theirs: SentWrite) async throws(StoreError) {
        let report = try await write { (store) throws(StoreError) -> StoreConflict? in
            guard var write = try store.connection.outboxWrite(claimed.write.number),
                var row = try store.connection.row(write.row)
            else { return nil }
            write.state = .waiting
            try store.save(&write)
            return try store.take(theirs.document, entityTag: theirs.entityTag, into: &row, of: claimed.collection)
        }
        noteSettled(claimed.row.number)
        if let report { events.send(.conflict(report)) }
    }
}

extension JSONValue {
    /// Whether the value has all members of another one, with equal values: an item alone may have more members than in
    /// a list.
    fileprivate func hasMembers(of other: JSONValue) -> Bool {
        guard let members = objectValue, let others = other.objectValue else { return self == other }
        return others.allSatisfy { key, value in members[key].map { $0.hasMembers(of: value) } ?? value.isNull }
    }
}
