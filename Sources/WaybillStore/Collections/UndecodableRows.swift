import Waybill
import WaybillSystem

/// A row that does not decode as its collection's item type.
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

    /// Returns the undecodable rows as of a commit; nil if the rows were not checked at that commit.
    func rows(at commit: Int64) -> [UndecodableRow]? {
        state.withLock { $0.commit == commit ? $0.rows : nil }
    }

    func update(to rows: [UndecodableRow], at commit: Int64) {
        state.withLock { state in
            state.commit = commit
            state.rows = rows
        }
    }

    /// Records rows as reported, and returns the failures of those that the previous call did not include.
    func markReported(_ rows: [UndecodableRow]) -> [StoreError.ItemFailure] {
        state.withLock { state in
            defer { state.reported = Set(rows.map(\.row)) }
            return rows.filter { !state.reported.contains($0.row) }.map(\.failure)
        }
    }
}
