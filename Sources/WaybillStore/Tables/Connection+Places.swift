import Waybill

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
