import Waybill
import WaybillSystem

/// A row that does not decode as the item type of its collection.
struct UndecodableRow: Sendable {
    let row: Int64
    let failure: StoreError.ItemFailure
}

/// The rows of a collection that did not decode when last checked.
final class UndecodableRows: Sendable {
    private struct State {
        var commit: Int64?
        var rows: [UndecodableRow] = []
        var reported: Set<Int64> = []
    }

    private let state = Locked(State())

    /// Returns the rows as of a commit; nil if they have not been checked since.
    func rows(at commit: Int64) -> [UndecodableRow]? {
        state.withLock { $0.commit == commit ? $0.rows : nil }
    }

    func take(_ rows: [UndecodableRow], at commit: Int64) {
        state.withLock { state in
            state.commit = commit
            state.rows = rows
        }
    }

    /// Returns the failures of rows that have not been reported before.
    func unreported(of rows: [UndecodableRow]) -> [StoreError.ItemFailure] {
        state.withLock { state in
            defer { state.reported = Set(rows.map(\.row)) }
            return rows.filter { !state.reported.contains($0.row) }.map(\.failure)
        }
    }
}
