import Waybill
import WaybillSystem

// Opening a collection, found by its name, address or a former address, and its indexes.
extension StoreWrite {
    /// Returns a collection's number, adding the collection to the file and updating its indexes if necessary.
    func openCollection<Element>(
        for record: CollectionRecord,
        movedFrom moved: [String],
        of context: CollectionContext<Element>
    ) throws(StoreError) -> Int64 {
        let number: Int64
        if let known = try connection.number(of: record, movedFrom: moved) {
            number = known
            try update(number, to: record)
        } else {
            try connection.execute(
                "INSERT INTO collections (user, key, address, template) VALUES (?, ?, ?, ?)",
                [.text(record.key.user), .text(record.key.text), .text(record.address), .text(record.template)]
            )
            number = connection.lastInsertedRow
        }
        // An earlier version of the app may have run since, and added the collection at its former address again.
        for old in try connection.numbers(at: moved, of: record) where old != number {
            try merge(old, into: number)
        }
        try openIndexes(of: context, number)
        return number
    }

    /// Updates a collection's name and address; if the address differs, the next synchronization fetches the whole
    /// list.
    private func update(_ number: Int64, to record: CollectionRecord) throws(StoreError) {
        guard let known = try connection.collectionRecord(number), known != record else { return }
        try connection.execute(
            "UPDATE collections SET key = ?, address = ?, template = ? WHERE number = ?",
            [.text(record.key.text), .text(record.address), .text(record.template), .integer(number)]
        )
        guard known.address != record.address else { return }
        try connection.execute(
            "UPDATE checkpoints SET since = NULL, cursor = NULL, validator = NULL WHERE collection = ?",
            [.integer(number)]
        )
    }

    private func openIndexes<Element>(of context: CollectionContext<Element>, _ number: Int64) throws(StoreError) {
        let known = try connection.indexes(of: number)
        let names = context.clauses.indexes.map(\.name)
        for (name, index) in known where !names.contains(name) {
            try connection.execute("DELETE FROM index_entries WHERE \"index\" = ?", [.integer(index)])
            try connection.execute("DELETE FROM indexes WHERE number = ?", [.integer(index)])
        }
        var numbers: [Int64] = []
        var isNew = false
        for name in names {
            if let index = known[name] {
                numbers.append(index)
            } else {
                try connection.execute(
                    "INSERT INTO indexes (collection, name) VALUES (?, ?)",
                    [.integer(number), .text(name)]
                )
                numbers.append(connection.lastInsertedRow)
                isNew = true
            }
        }
        context.setIndexNumbers(numbers)
        if isNew {
            for row in try connection.rows(where: "collection = ?", [.integer(number)]) { try index(row, by: context) }
        }
    }
}

extension Connection {
    /// Returns the numbers of a collection's indexes, by index name.
    func indexes(of collection: Int64) throws(StoreError) -> [String: Int64] {
        let indexes = try query("SELECT name, number FROM indexes WHERE collection = ?", [.integer(collection)]) {
            row in
            (row.text(0) ?? "", row.integer(1) ?? 0)
        }
        return Dictionary(indexes) { first, _ in first }
    }
}
