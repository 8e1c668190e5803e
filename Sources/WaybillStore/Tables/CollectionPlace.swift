import Waybill
import WaybillSystem

/// The identity of a collection in a store: its user, and its name or address.
struct CollectionKey: Sendable, Hashable {
    /// The user; empty for a store without users.
    let user: String

    /// The declared name and the values in the path, or the URL, followed by the query and the header fields that
    /// select items.
    let text: String
}

/// The entry of a collection in the file.
struct CollectionPlace: Sendable, Hashable {
    let key: CollectionKey

    /// The URL, the query and the header fields that select items, even for a collection with a name.
    let address: String

    /// The path template, with `{}` for each value.
    let template: String

    /// Returns the URL from an address, without the query.
    static func url(of address: String) -> String { String(address.prefix { $0 != "?" && $0 != "\n" }) }

    /// Returns an address or a key with some parts replaced: path segments, and names and values of the query.
    ///
    /// - Parameters:
    ///   - text: the address or the key.
    ///   - replace: returns the replacement of a part, percent-encoded; nil to keep it.
    /// - Returns: the resulting text.
    /// - Throws: the error of `replace`.
    static func mapParts(
        of text: String,
        _ replace: (Substring) throws(StoreError) -> String?
    ) throws(StoreError) -> String {
        var (result, rest) = ("", text[...])
        while true {
            let end = rest.firstIndex(where: isSeparator) ?? rest.endIndex
            result += try replace(rest[..<end]) ?? String(rest[..<end])
            guard end < rest.endIndex else { return result }
            result.append(rest[end])
            rest = rest[rest.index(after: end)...]
        }
    }

    /// Returns the path segments, and the names and values of the query, percent-encoded.
    static func parts(of text: String) -> [Substring] { text.split(whereSeparator: isSeparator) }

    private static func isSeparator(_ character: Character) -> Bool { "/?&=\n".contains(character) }
}

extension CollectionPlace {
    /// Creates the entry of a declared collection.
    ///
    /// - Parameters:
    ///   - address: the address of its resource.
    ///   - name: the declared name, which replaces the base URL and the literal parts of the path.
    ///   - user: the user of the store; a user that the resource declares takes precedence.
    init(_ address: DocumentResource.Address, name: String?, user: String) {
        let path = name.map { ([PercentEncoding.encode($0)] + address.values).joined(separator: "/") } ?? address.url
        key = CollectionKey(user: address.user ?? user, text: path + address.query + address.selection)
        self.address = address.text
        template = address.template
    }
}

// The table of collections.
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

    /// Returns the entry of a collection; nil if the file does not contain it.
    func place(ofCollection number: Int64) throws(StoreError) -> CollectionPlace? {
        try first("SELECT user, key, address, template FROM collections WHERE number = ?", [.integer(number)]) {
            CollectionPlace($0)
        }
    }

    /// Returns the collections that satisfy a condition, with their numbers.
    func places(
        where condition: String,
        _ values: [DatabaseValue]
    ) throws(StoreError) -> [(number: Int64, place: CollectionPlace)] {
        try query("SELECT user, key, address, template, number FROM collections WHERE \(condition)", values) { row in
            (row.integer(4) ?? 0, CollectionPlace(row))
        }
    }

    /// Returns the number of a collection by its name, its address or an earlier address; nil if the file does not
    /// contain it.
    func number(of place: CollectionPlace, movedFrom addresses: [String]) throws(StoreError) -> Int64? {
        if let number = try collection(place.key) { return number }
        if let number = try collection(at: place.address, of: place.key.user) { return number }
        return try numbers(at: addresses, of: place).first
    }

    /// Returns the numbers of the entries at a collection's earlier URLs, in the order of the URLs.
    func numbers(at urls: [String], of place: CollectionPlace) throws(StoreError) -> [Int64] {
        let selection = place.address.firstIndex(of: "\n").map { String(place.address[$0...]) } ?? ""
        var numbers: [Int64] = []
        for url in urls {
            let address = try currentText(of: url) + selection
            if let number = try collection(at: address, of: place.key.user) { numbers.append(number) }
        }
        return numbers
    }

    /// Returns an address or a key with temporary ids replaced by permanent ones.
    func currentText(of text: String) throws(StoreError) -> String {
        try CollectionPlace.mapParts(of: text) { (part) throws(StoreError) in
            guard let id = PercentEncoding.decode(part) else { return nil }
            return try permanentID(of: id).map(PercentEncoding.encode)
        }
    }
}

extension CollectionPlace {
    /// Reads the columns user, key, address and template.
    init(_ row: borrowing Row) {
        key = CollectionKey(user: row.text(0) ?? "", text: row.text(1) ?? "")
        address = row.text(2) ?? ""
        template = row.text(3) ?? ""
    }
}
