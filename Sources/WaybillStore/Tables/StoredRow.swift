import Waybill
import WaybillSystem

/// An item of a collection, as stored in the table `rows`.
struct StoredRow: Sendable {
    /// The number, which stays the same even if the server assigns a new id.
    var number: Int64 = 0
    var collection: Int64

    /// The id as a path segment.
    var id: String

    /// The local version: the server's version with all pending writes applied.
    var document: JSONValue

    /// The server's version while writes are pending; nil without pending writes, or if the server has no version.
    var base: JSONValue?

    /// A version of the item with its original text; nil if no original text is stored.
    ///
    /// Parts of ``document`` and ``base`` equal to parts of this version are stored with the same bytes. The version
    /// may differ from both.
    var source: JSONDocument?

    /// The strong entity tag of the server's version; nil if it has none.
    var entityTag: String?

    /// Whether the row is hidden, because a deletion is pending, or because an unresolved creation has probably created
    /// its item.
    var isDeleted = false

    /// The number of pending writes.
    var pending = 0

    /// The number of the last walk over the list that included the row.
    var generation: Int64 = 0

    /// The date when the server's version was last received; nil if it was never received.
    var fetched: Date?

    /// The server's version; nil if the server has none.
    var serverVersion: JSONValue? { pending > 0 ? base : document }

    /// Returns a version of the item as a document; parts equal to ``source`` keep the original bytes.
    func withOriginalText(_ version: JSONValue) -> JSONDocument {
        source?.changed(to: version) ?? JSONDocument(version)
    }

    /// Returns the text of a version of the item; parts equal to ``source`` keep the original bytes.
    func text(of version: JSONValue) -> String { withOriginalText(version).text }
}

/// The decoding and encoding of items, as declared by the resource.
struct ItemCoding<Element: Codable & Sendable>: Sendable {
    let decoder: any ResponseDecoder
    let encode: @Sendable (Element) throws(APIError) -> JSONValue

    func item(_ document: JSONValue) throws -> Element { try item(Data(document.description.utf8)) }

    func item(_ row: StoredRow) throws -> Element { try item(Data(row.text(of: row.document).utf8)) }

    func item(_ bytes: Data) throws -> Element { try decoder.decode(Element.self, from: bytes) }

    /// Returns a document updated to an item; members that the item type does not declare are kept.
    func changed(_ document: JSONValue, to item: Element) throws -> JSONValue {
        let before = try encode(try self.item(document))
        return JSONValue.mergePatch(from: before, to: try encode(item)).map { document.applying(mergePatch: $0) }
            ?? document
    }
}

// Reading the table `rows`.
extension Connection {
    private static let columns =
        "number, collection, id, document, base, entity_tag, is_deleted, pending, generation, fetched"

    func row(_ number: Int64) throws(StoreError) -> StoredRow? {
        try intactRows("WHERE number = ?", [.integer(number)]).first
    }

    func row(_ id: String, in collection: Int64) throws(StoreError) -> StoredRow? {
        try intactRows("WHERE collection = ? AND id = ?", [.integer(collection), .text(id)]).first
    }

    /// Returns the rows selected by an SQL clause; damaged ones are recorded and omitted.
    private func intactRows(_ clause: String, _ values: [DatabaseValue]) throws(StoreError) -> [StoredRow] {
        let sql = "SELECT \(Self.columns), checksum IS \(try checksum(of: .rows)) FROM rows \(clause)"
        return try query(sql, values) { (row) throws(StoreError) in
            readIntact(.rows, row) { (row) throws(StoreError) in try StoredRow(row) }
        }
    }

    /// Returns the row with the given id, which can also be a replaced temporary id or the app's spelling of the id.
    func row(matching id: String, in collection: Int64) throws(StoreError) -> StoredRow? {
        if let row = try row(id, in: collection) { return row }
        if let permanent = try permanentID(of: id) { return try row(permanent, in: collection) }
        return try first(
            "SELECT row FROM spellings WHERE collection = ? AND id = ?",
            [.integer(collection), .text(id)]
        ) { $0.integer(0) }
        .flatMap { (number) throws(StoreError) in try row(number) }
    }

    /// Returns the rows that satisfy an SQL condition, ordered by number.
    func rows(where condition: String, _ values: [DatabaseValue]) throws(StoreError) -> [StoredRow] {
        try intactRows("WHERE \(condition) ORDER BY number", values)
    }

    /// Returns the rows of a collection that exceed its bound and have no pending writes.
    func rows(beyond bound: RowBound) throws(StoreError) -> [StoredRow] {
        switch bound {
        case .value(let least, let index):
            return try rows(
                where: """
                    pending = 0 AND number IN (SELECT row FROM index_entries WHERE "index" = ? AND value < ?)
                    """,
                [.integer(index), .real(least)]
            )
        case .count(let count, let index):
            let entries = try first("SELECT count(*) FROM index_entries WHERE \"index\" = ?", [.integer(index)]) {
                $0.integer(0) ?? 0
            }
            let excess = (entries ?? 0) - Int64(count)
            guard excess > 0 else { return [] }
            // Rows without a value are removed first. Their index value is a blob, which sorts after all other values.
            return try rows(
                where: """
                    pending = 0 AND number IN (
                        SELECT row FROM index_entries WHERE "index" = ?1 ORDER BY value <> x'', value, row LIMIT ?2
                    )
                    """,
                [.integer(index), .integer(excess)]
            )
        }
    }

    /// Returns the number of the last walk that stored a page of a collection's list; 0 if there was no such walk.
    func generation(of collection: Int64) throws(StoreError) -> Int64 {
        try first("SELECT generation FROM checkpoints WHERE collection = ?", [.integer(collection)]) { $0.integer(0) }
            ?? 0
    }
}

extension StoredRow {
    /// Creates a row from the columns of a query.
    init(_ row: borrowing Row) throws(StoreError) {
        self.init(
            number: row.integer(0) ?? 0,
            collection: row.integer(1) ?? 0,
            id: row.text(2) ?? "",
            document: try JSONValue(stored: row.text(3) ?? "null"),
            entityTag: row.text(5),
            isDeleted: row.integer(6) == 1,
            pending: Int(row.integer(7) ?? 0),
            generation: row.integer(8) ?? 0,
            fetched: row.real(9).map { Date(timeIntervalSince1970: $0) }
        )
        if let base = row.text(4) { self.base = try JSONValue(stored: base) }
        source = (row.text(4) ?? row.text(3)).map { JSONDocument(base ?? document, source: $0) }
    }
}

extension JSONValue {
    /// A decoder that replaces lone surrogates, because some servers truncate strings in the middle of a character.
    fileprivate static let storedDecoder = JSONDefaults.decoder.replacingLoneSurrogates

    /// Parses a text written by the store.
    init(stored text: String) throws(StoreError) {
        do {
            self = try Self.storedDecoder.decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            throw .corrupt("a stored document is not JSON")
        }
    }
}

extension [JSONDocument] {
    /// Parses an array of documents written by the store, preserving their texts.
    init(stored text: String) throws(StoreError) {
        do {
            let documents = try JSONValue.storedDecoder.decode(
                [DocumentResource.Document].self,
                from: Data(text.utf8)
            )
            self = documents.map(\.source)
        } catch {
            throw .corrupt("a stored array of documents is not JSON")
        }
    }
}

/// A change to a row in a transaction.
struct RowChange: Sendable {
    let row: Int64

    /// The current id and document; nil if the row was removed or hidden.
    let current: (id: String, document: JSONValue)?
}

/// A commit's changes to the rows of a collection.
struct RowChanges: Sendable {
    /// The number of the commit.
    let commit: Int64
    let changes: [RowChange]
}
