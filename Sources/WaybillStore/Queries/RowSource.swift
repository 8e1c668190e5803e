import WaybillSystem

/// The way in which the rows of a query are found.
enum RowSource: Sendable {
    /// All rows of a collection, in the order of their numbers.
    case scan(collection: Int64)
    /// The rows that an index finds, in the order of their numbers.
    case lookup(index: Int64, IndexRange)
    /// The rows in the order of an index, which is that of the query.
    case walk(index: Int64, IndexRange, isForward: Bool, isExact: Bool)

    var isWalk: Bool { if case .walk = self { true } else { false } }
}

/// Some rows as they are read, before they are decoded: their documents as the elements of one JSON array.
///
/// A decoder that begins once for all of them takes less time than one for each.
struct StoredDocuments: Sendable {
    private(set) var rows: [Int64] = []

    /// Whether the rows before one are a whole part of the order: its value in an index that rounds is another one.
    private(set) var beginsPart: [Bool] = []

    /// The array without its end.
    private var bytes: [UInt8] = []

    /// The offsets at which the documents begin; each is followed by a comma or by the end.
    private var starts: [Int] = []

    var count: Int { rows.count }

    /// The documents as a JSON array.
    var array: Data {
        var data = Data(capacity: bytes.count + 1)
        data.append(contentsOf: bytes)
        data.append(UInt8(ascii: "]"))
        return data
    }

    mutating func append(_ row: Int64, _ document: UnsafeRawBufferPointer, beginsPart: Bool) {
        rows.append(row)
        self.beginsPart.append(beginsPart)
        bytes.append(UInt8(ascii: starts.isEmpty ? "[" : ","))
        starts.append(bytes.count)
        bytes.append(contentsOf: document)
    }

    /// Removes all, and keeps the memory.
    mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        beginsPart.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
    }

    /// Returns the document at an index, which is below ``count``.
    func document(at index: Int) -> Data {
        guard starts.indices.contains(index) else { return Data() }
        let end = index + 1 < starts.count ? starts[index + 1] - 1 : bytes.count
        return Data(bytes[starts[index]..<end])
    }
}

extension Connection {
    /// Calls a closure with the documents of a source, some at a time, until it returns false.
    ///
    /// The types of the items are not known here. With code that is generic in them for each row, a read of all rows
    /// took 1.9 times as long as by hand, and without it 1.8 times.
    func forEachBatch(
        of source: RowSource,
        count: Int,
        _ body: (StoredDocuments) throws(StoreError) -> Bool
    ) throws(StoreError) {
        var batch = StoredDocuments()
        var goesOn = true
        let columns = "document, checksum IS \(try checksum(of: .rows)), number"
        let one = "SELECT \(columns) FROM rows WHERE number = ? AND is_deleted = 0"
        func add(_ number: Int64, _ row: borrowing Row, beginsPart: Bool) throws(StoreError) {
            guard row.integer(1) == 1 else { return note(DamagedPlace(table: .rows, number: number)) }
            row.withBytes(0) { batch.append(number, $0, beginsPart: beginsPart) }
            guard batch.count >= count else { return }
            goesOn = try body(batch)
            batch.removeAll()
        }
        func fetch(_ number: Int64, beginsPart: Bool) throws(StoreError) {
            try forEach(one, [.integer(number)]) { (row) throws(StoreError) in
                try add(number, row, beginsPart: beginsPart)
                return true
            }
        }
        switch source {
        case .scan(let collection):
            let sql = "SELECT \(columns) FROM rows WHERE collection = ? AND is_deleted = 0 ORDER BY number"
            try forEach(sql, [.integer(collection)]) { (row) throws(StoreError) in
                try add(row.integer(2) ?? 0, row, beginsPart: true)
                return goesOn
            }
        case .lookup(let index, let range):
            try forEachEntry(index, range) { (row) throws(StoreError) in
                try fetch(row, beginsPart: true)
                return goesOn
            }
        case .walk(let index, let range, let isForward, let isExact):
            var last: DatabaseValue?
            try forEachEntry(index, range, isForward: isForward) { (row, value) throws(StoreError) in
                try fetch(row, beginsPart: isExact || value != last)
                last = value
                return goesOn
            }
        }
        if goesOn, batch.count > 0 { _ = try body(batch) }
    }

    /// Returns the number of a collection's rows that are seen.
    func rowCount(of collection: Int64) throws(StoreError) -> Int {
        // Both counts are answered by an index alone: a deleted row has a pending write.
        let sql = """
            SELECT (SELECT count(*) FROM rows WHERE collection = ?1)
                - (SELECT count(*) FROM rows WHERE collection = ?1 AND pending > 0 AND is_deleted = 1)
            """
        return Int(try first(sql, [.integer(collection)]) { $0.integer(0) } ?? 0)
    }
}
