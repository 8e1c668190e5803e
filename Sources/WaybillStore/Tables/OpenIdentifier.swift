import Waybill

/// A temporary id without a permanent one.
struct OpenIdentifier: Sendable, Hashable {
    let text: String

    /// The number of the row; 0 for an item that will never be created.
    let row: Int64
}

// The table of temporary ids.
extension Connection {
    /// Returns the permanent id that replaces a temporary one; nil if the server has not assigned one.
    func permanentID(of temporary: String) throws(StoreError) -> String? {
        try first("SELECT permanent FROM identifiers WHERE temporary = ?", [.text(temporary)]) { $0.text(0) }
    }

    /// Whether an address contains a temporary id without a permanent one.
    func hasOpenIdentifier(_ address: String) throws(StoreError) -> Bool {
        for part in CollectionPlace.parts(of: address) where try openIdentifier(part: part) != nil { return true }
        return false
    }

    /// Returns the temporary id in a part of an address; nil if the part is no such id or has a permanent replacement.
    func openIdentifier(part: Substring) throws(StoreError) -> OpenIdentifier? {
        try openIdentifier(part.percentDecoded)
    }

    /// Returns a temporary id by its text; nil if the text is no such id or has a permanent replacement.
    func openIdentifier(_ text: String) throws(StoreError) -> OpenIdentifier? {
        try first(
            "SELECT row FROM identifiers WHERE temporary = ? AND permanent IS NULL",
            [.text(text)]
        ) { OpenIdentifier(text: text, row: $0.integer(0) ?? 0) }
    }

    /// Returns the temporary ids in a document that have no permanent id yet.
    func openIdentifiers(in document: JSONValue) throws(StoreError) -> [OpenIdentifier] {
        var values: Set<JSONValue> = []
        document.collectIdentifiers(into: &values)
        var found: [OpenIdentifier] = []
        for value in values {
            let id = try first(
                "SELECT temporary, row FROM identifiers WHERE temporary_json = ? AND permanent IS NULL",
                [.text(value.description)]
            ) { OpenIdentifier(text: $0.text(0) ?? "", row: $0.integer(1) ?? 0) }
            if let id { found.append(id) }
        }
        return found
    }
}

extension StoreWrite {
    /// Returns a number that has not been used for a temporary id.
    func nextTemporaryNumber() throws(StoreError) -> Int {
        try connection.execute("UPDATE counters SET value = value + 1 WHERE name = 'temporary'")
        return Int(try connection.counter("temporary"))
    }

    /// Records a temporary id that the server will replace.
    func addTemporaryID(_ id: String, json: JSONValue, row: Int64) throws(StoreError) {
        try connection.execute(
            "INSERT INTO identifiers (temporary, temporary_json, row) VALUES (?, ?, ?)",
            [.text(id), .text(json.description), .integer(row)]
        )
    }
}

extension JSONValue {
    /// Collects the strings and integers in a document, any of which could be an id.
    fileprivate func collectIdentifiers(into values: inout Set<JSONValue>) {
        switch self {
        case .array(let elements): for element in elements { element.collectIdentifiers(into: &values) }
        case .object(let members): for member in members.values { member.collectIdentifiers(into: &values) }
        case .string, .integer: values.insert(self)
        default: break
        }
    }
}
