import Waybill
import WaybillSystem

/// The identity of a collection in a store: its user, and its name or address.
struct CollectionKey: Sendable, Hashable {
    /// The id of the user; empty for a store without users.
    let user: String

    /// The declared name and the values in the path, or the URL; then the query, and the header fields that select
    /// items.
    let text: String
}

/// A row of the table `collections`.
struct CollectionRecord: Sendable, Hashable {
    let key: CollectionKey

    /// The URL, the query, and the header fields that select items, even if the collection has a name.
    let address: String

    /// The path template, with `{}` for each value.
    let template: String

    /// Returns the URL in an address, without the query.
    static func url(of address: String) -> String { String(address.prefix { $0 != "?" && $0 != "\n" }) }

    /// Returns an address or a key with some parts replaced.
    ///
    /// Parts are path segments, and names and values in the query.
    ///
    /// - Parameters:
    ///   - text: the address or the key.
    ///   - replacement: returns the percent-encoded replacement of a part; nil to keep the part.
    /// - Returns: the resulting text.
    /// - Throws: rethrows errors of `replacement`.
    static func replacingParts(
        of text: String,
        _ replacement: (Substring) throws(StoreError) -> String?
    ) throws(StoreError) -> String {
        var (result, rest) = ("", text[...])
        while true {
            let end = rest.firstIndex(where: isSeparator) ?? rest.endIndex
            result += try replacement(rest[..<end]) ?? String(rest[..<end])
            guard end < rest.endIndex else { return result }
            result.append(rest[end])
            rest = rest[rest.index(after: end)...]
        }
    }

    /// Returns the percent-encoded parts of an address: path segments, and names and values in the query.
    static func parts(of text: String) -> [Substring] { text.split(whereSeparator: isSeparator) }

    private static func isSeparator(_ character: Character) -> Bool { "/?&=\n".contains(character) }
}

extension CollectionRecord {
    /// Creates the record of a declared collection.
    ///
    /// - Parameters:
    ///   - address: the address of its resource.
    ///   - name: the declared name, which replaces the base URL and the literal parts of the path; nil for no name.
    ///   - user: the store's user; a user declared by the resource takes precedence.
    init(_ address: DocumentResource.Address, name: String?, user: String) {
        let path = name.map { ([PercentEncoding.encode($0)] + address.values).joined(separator: "/") } ?? address.url
        key = CollectionKey(user: address.user ?? user, text: path + address.query + address.selection)
        self.address = address.text
        template = address.template
    }
}

// Reading the table `collections`.
extension Connection {
    /// Returns the number of a collection; nil if the file does not contain it.
    func collection(_ key: CollectionKey) throws(StoreError) -> Int64? {
        try first(
            "SELECT number FROM collections WHERE user = ? AND key = ?",
            [.text(key.user), .text(key.text)]
        ) { $0.integer(0) }
    }

    /// Returns the number of the collection with an address, regardless of its name.
    func collection(at address: String, of user: String) throws(StoreError) -> Int64? {
        try first(
            "SELECT number FROM collections WHERE user = ? AND address = ? ORDER BY number",
            [.text(user), .text(address)]
        ) { $0.integer(0) }
    }

    /// Returns the record of a collection; nil if the file does not contain it.
    func collectionRecord(_ number: Int64) throws(StoreError) -> CollectionRecord? {
        try first("SELECT user, key, address, template FROM collections WHERE number = ?", [.integer(number)]) {
            CollectionRecord($0)
        }
    }

    /// Returns the records that satisfy an SQL condition, with their numbers.
    func collectionRecords(
        where condition: String,
        _ values: [DatabaseValue]
    ) throws(StoreError) -> [(number: Int64, record: CollectionRecord)] {
        try query("SELECT user, key, address, template, number FROM collections WHERE \(condition)", values) { row in
            (row.integer(4) ?? 0, CollectionRecord(row))
        }
    }

    /// Returns all collection records, by number.
    func collectionRecordsByNumber() throws(StoreError) -> [Int64: CollectionRecord] {
        Dictionary(uniqueKeysWithValues: try collectionRecords(where: "1", []).map { ($0, $1) })
    }

    /// Returns the number of a collection by its name, its address or an earlier address; nil if the file does not
    /// contain it.
    func number(of record: CollectionRecord, movedFrom addresses: [String]) throws(StoreError) -> Int64? {
        if let number = try collection(record.key) { return number }
        if let number = try collection(at: record.address, of: record.key.user) { return number }
        return try numbers(at: addresses, of: record).first
    }

    /// Returns the numbers of the collections at a collection's earlier URLs, in the order of the URLs.
    func numbers(at urls: [String], of record: CollectionRecord) throws(StoreError) -> [Int64] {
        let selection = record.address.firstIndex(of: "\n").map { String(record.address[$0...]) } ?? ""
        var numbers: [Int64] = []
        for url in urls {
            let address = try resolvingTemporaryIDs(in: url) + selection
            if let number = try collection(at: address, of: record.key.user) { numbers.append(number) }
        }
        return numbers
    }

    /// Returns an address or a key with temporary ids replaced by the assigned permanent ids.
    func resolvingTemporaryIDs(in text: String) throws(StoreError) -> String {
        try CollectionRecord.replacingParts(of: text) { (part) throws(StoreError) in
            guard let id = PercentEncoding.decode(part) else { return nil }
            return try permanentID(of: id).map(PercentEncoding.encode)
        }
    }
}

extension CollectionRecord {
    /// Creates a record from the columns user, key, address and template.
    init(_ row: borrowing Row) {
        key = CollectionKey(user: row.text(0) ?? "", text: row.text(1) ?? "")
        address = row.text(2) ?? ""
        template = row.text(3) ?? ""
    }
}
