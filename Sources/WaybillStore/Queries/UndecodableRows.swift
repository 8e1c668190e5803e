import Waybill
import WaybillSystem

/// A row that does not decode as the type of its collection.
struct UndecodableRow: Sendable {
    let row: Int64
    let failure: StoreError.ItemFailure
}

/// The rows of a collection that do not decode, as they were found last.
final class UndecodableRows: Sendable {
    private struct State {
        var commit: Int64?
        var rows: [UndecodableRow] = []
        var reported: Set<Int64> = []
    }

    private let state = Locked(State())

    /// Returns the rows as of a commit; nil if they were not looked for since then.
    func rows(at commit: Int64) -> [UndecodableRow]? {
        state.withLock { $0.commit == commit ? $0.rows : nil }
    }

    func take(_ rows: [UndecodableRow], at commit: Int64) {
        state.withLock { state in
            state.commit = commit
            state.rows = rows
        }
    }

    /// Returns the failures of rows that were not reported before.
    func unreported(of rows: [UndecodableRow]) -> [StoreError.ItemFailure] {
        state.withLock { state in
            defer { state.reported = Set(rows.map(\.row)) }
            return rows.filter { !state.reported.contains($0.row) }.map(\.failure)
        }
    }
}

extension CollectionContext {
    /// Returns the rows that do not decode; all rows are decoded if one has changed since the last time.
    func undecodableRows(in core: StoreCore) async throws(StoreError) -> [UndecodableRow] {
        let number = try await number(in: core)
        return try await core.read { (connection) throws(StoreError) in
            let commit = try connection.counter("clock")
            if let known = self.undecodable.rows(at: commit) { return known }
            var found: [(row: Int64, reason: String)] = []
            try connection.forEachBatch(of: .scan(collection: number), count: 1024) { (documents) in
                if self.coding.items(documents) != nil { return true }
                for index in 0..<documents.count {
                    do { _ = try self.coding.item(documents.document(at: index)) } catch {
                        found.append((documents.rows[index], "the row does not decode: \(error)"))
                    }
                }
                return true
            }
            let rows = try found.map { (row, reason) throws(StoreError) in
                let id = try connection.first("SELECT id FROM rows WHERE number = ?", [.integer(row)]) { $0.text(0) }
                return UndecodableRow(row: row, failure: .init(template: self.template, id: id, reason: reason))
            }
            self.undecodable.take(rows, at: commit)
            return rows
        }
    }
}

extension RegisteredCollection {
    /// Counts the rows that do not decode, and reports each once.
    func reportUndecodableRows(in core: StoreCore) async throws(StoreError) -> Int {
        let rows = try await undecodableRows(in: core)
        for failure in undecodable.unreported(of: rows) { core.events.send(.unreadable(failure)) }
        return rows.count
    }
}
