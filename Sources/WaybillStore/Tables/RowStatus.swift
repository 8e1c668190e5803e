import WaybillSystem

/// The id and state of a row with pending writes.
struct RowStatus: Sendable, Hashable {
    /// The id of the item as a path segment.
    let id: String

    let state: OutboxEntry.RowState
}

extension OutboxEntry.RowState {
    /// Combines the phases of a row's pending writes; returns nil if the sequence is empty.
    init?(_ phases: some Sequence<DeliveryState.Phase>) {
        var state: Self?
        for phase in phases {
            switch phase {
            case .conflict: state = .conflict
            case .unknown: if state != .conflict { state = .unknown }
            case .parked: if state == nil || state == .pending { state = .parked }
            case .waiting, .sending: if state == nil { state = .pending }
            }
        }
        guard let state else { return nil }
        self = state
    }
}

extension Connection {
    /// Returns the state of a row; nil if it has no pending writes or belongs to a different collection.
    func status(ofRow row: Int64, in collection: Int64) throws(StoreError) -> RowStatus? {
        let found = try query(
            """
            SELECT id, state FROM rows JOIN outbox ON outbox.row = rows.number
            WHERE rows.number = ? AND rows.collection = ?
            """,
            [.integer(row), .integer(collection)]
        ) { ($0.text(0) ?? "", $0.text(1).flatMap(DeliveryState.Phase.init)) }
        guard let id = found.first?.0, let state = OutboxEntry.RowState(found.compactMap(\.1)) else { return nil }
        return RowStatus(id: id, state: state)
    }

    /// Returns the states of a collection's rows with pending writes, by row number.
    func statuses(in collection: Int64) throws(StoreError) -> [Int64: RowStatus] {
        let found = try query(
            """
            SELECT outbox.number, rows.number, id, state, outbox.checksum IS \(try checksum(of: .outbox))
            FROM rows JOIN outbox ON outbox.row = rows.number
            WHERE rows.collection = ? AND rows.pending > 0
            """,
            [.integer(collection)]
        ) { (row) throws(StoreError) in
            readIntact(.outbox, row) {
                (row) throws(StoreError) -> (row: Int64, id: String, phase: DeliveryState.Phase) in
                guard let phase = row.text(3).flatMap(DeliveryState.Phase.init) else {
                    throw .corrupt("an outbox entry has an unknown state")
                }
                return (row.integer(1) ?? 0, row.text(2) ?? "", phase)
            }
        }
        return Dictionary(grouping: found, by: \.row).compactMapValues { writes in
            OutboxEntry.RowState(writes.map(\.phase)).map { RowStatus(id: writes.first?.id ?? "", state: $0) }
        }
    }
}
