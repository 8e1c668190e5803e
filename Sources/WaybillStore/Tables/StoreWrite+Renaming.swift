import Waybill
import WaybillSystem

// Replacing temporary ids with the permanent ids assigned by servers.
extension StoreWrite {
    /// A collection's record before and after replacing a temporary id in its address.
    struct RenamedCollection: Sendable {
        let old: CollectionRecord
        let new: CollectionRecord
    }

    /// Changes the id of a row to the id assigned by the server.
    ///
    /// If a synchronization has already added a row with that id, both rows represent the same item. The other row is
    /// removed, and its pending writes move to this one.
    ///
    /// - Parameters:
    ///   - row: the row.
    ///   - id: the id as a path segment.
    ///   - json: the id as JSON.
    /// - Throws: a database error.
    func rename(_ row: inout StoredRow, to id: String, json: JSONValue) throws(StoreError) {
        if let other = try connection.row(id, in: row.collection), other.number != row.number {
            try connection.execute(
                "UPDATE outbox SET row = ? WHERE row = ?",
                [.integer(row.number), .integer(other.number)]
            )
            try remove(other)
        }
        let old = try connection.first(
            "SELECT temporary_json FROM identifiers WHERE temporary = ?",
            [.text(row.id)]
        ) { $0.text(0) }
        let temporary = row.id
        row.id = id
        guard let old else {
            // The app chose the id, and may continue to use its spelling.
            return try connection.execute(
                "INSERT OR REPLACE INTO spellings (collection, id, row) VALUES (?, ?, ?)",
                [.integer(row.collection), .text(temporary), .integer(row.number)]
            )
        }
        let oldJSON = try JSONValue(stored: old)
        try connection.execute(
            "UPDATE identifiers SET permanent = ?, permanent_json = ? WHERE temporary = ?",
            [.text(id), .text(json.description), .text(temporary)]
        )
        row.document = row.document.replacing(oldJSON, by: json)
        row.base = row.base?.replacing(oldJSON, by: json)
        try replace(oldJSON, by: json, temporary, except: row.number)
        try renameCollections(temporary, to: id)
    }

    /// Replaces a temporary id in the pending writes that refer to it or belong to its row, and in the rows of those
    /// writes.
    private func replace(
        _ old: JSONValue,
        by new: JSONValue,
        _ temporary: String,
        except number: Int64
    ) throws(StoreError) {
        var numbers = try connection.outboxWriteNumbers(referringTo: temporary)
        numbers += try connection.outboxWrites(ofRow: number).map(\.number)
        var rows: Set<Int64> = []
        for number in numbers {
            guard var write = try connection.outboxWrite(number) else { continue }
            write.content = write.content.replacing(old, by: new)
            write.theirs = write.theirs?.replacing(old, by: new)
            write.references.remove(temporary)
            try save(&write)
            rows.insert(write.row)
        }
        for number in rows.subtracting([number]).sorted() {
            guard var row = try connection.row(number) else { continue }
            row.document = row.document.replacing(old, by: new)
            row.base = row.base?.replacing(old, by: new)
            try save(&row)
        }
    }

    /// Replaces a temporary id in the keys and addresses of collections.
    ///
    /// If a collection with the new key or address already exists, the two collections are merged.
    private func renameCollections(_ temporary: String, to id: String) throws(StoreError) {
        let (old, new) = (PercentEncoding.encode(temporary), PercentEncoding.encode(id))
        for collection in try connection.collections(below: temporary) {
            let record = collection.record
            func renamed(_ text: String) throws(StoreError) -> String {
                try CollectionRecord.replacingParts(of: text) { (part) throws(StoreError) in part == old ? new : nil }
            }
            let key = CollectionKey(user: record.key.user, text: try renamed(record.key.text))
            let target = CollectionRecord(key: key, address: try renamed(record.address), template: record.template)
            if let known = try connection.number(of: target, movedFrom: []) {
                try merge(collection.number, into: known)
            } else {
                try connection.execute(
                    "UPDATE collections SET key = ?, address = ? WHERE number = ?",
                    [.text(target.key.text), .text(target.address), .integer(collection.number)]
                )
            }
            self.renamed.append(RenamedCollection(old: record, new: target))
        }
    }
}

extension Connection {
    /// Returns the collections with an id in their addresses.
    func collections(below id: String) throws(StoreError) -> [(number: Int64, record: CollectionRecord)] {
        let segment = PercentEncoding.encode(id)
        return try collectionRecords(where: "instr(address, ?) > 0", [.text(segment)]).filter {
            CollectionRecord.parts(of: $0.record.address).contains(Substring(segment))
        }
    }

    /// Returns the numbers of the pending writes that refer to a temporary id.
    func outboxWriteNumbers(referringTo id: String) throws(StoreError) -> [Int64] {
        try query(
            "SELECT write FROM outbox_references WHERE temporary = ? ORDER BY write",
            [.text(id)]
        ) { $0.integer(0) ?? 0 }
    }
}
