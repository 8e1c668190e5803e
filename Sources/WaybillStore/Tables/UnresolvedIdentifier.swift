import Waybill

/// A temporary id that the server has not replaced by a permanent one.
struct UnresolvedIdentifier: Sendable, Hashable {
    let text: String

    /// The number of the item's row; 0 if the item will never be created.
    let row: Int64
}

// Reading the table `identifiers`.
extension Connection {
    /// Returns the permanent id that replaces a temporary one; nil if none has been assigned.
    func permanentID(of temporary: String) throws(StoreError) -> String? {
        try first("SELECT permanent FROM identifiers WHERE temporary = ?", [.text(temporary)]) { $0.text(0) }
    }

    /// Whether an address contains an unresolved temporary id.
    func hasUnresolvedIdentifier(_ address: String) throws(StoreError) -> Bool {
        for part in CollectionRecord.parts(of: address) {
            if try unresolvedIdentifier(part: part) != nil { return true }
        }
        return false
    }

    /// Returns the unresolved temporary id in a part of an address; nil if the part is not such an id.
    func unresolvedIdentifier(part: Substring) throws(StoreError) -> UnresolvedIdentifier? {
        try unresolvedIdentifier(part.percentDecoded)
    }

    /// Returns the unresolved temporary id with a given text; nil if the text is not such an id.
    func unresolvedIdentifier(_ text: String) throws(StoreError) -> UnresolvedIdentifier? {
        try first(
            "SELECT row FROM identifiers WHERE temporary = ? AND permanent IS NULL",
            [.text(text)]
        ) { UnresolvedIdentifier(text: text, row: $0.integer(0) ?? 0) }
    }

    /// Returns the unresolved temporary ids in a document.
    func unresolvedIdentifiers(in document: JSONValue) throws(StoreError) -> [UnresolvedIdentifier] {
        var values: Set<JSONValue> = []
        document.collectIdentifiers(into: &values)
        var found: [UnresolvedIdentifier] = []
        for value in values {
            let id = try first(
                "SELECT temporary, row FROM identifiers WHERE temporary_json = ? AND permanent IS NULL",
                [.text(value.description)]
            ) { UnresolvedIdentifier(text: $0.text(0) ?? "", row: $0.integer(1) ?? 0) }
            if let id { found.append(id) }
        }
        return found
    }
}

extension StoreWrite {
    /// Returns the next unused number for a temporary id.
    func nextTemporaryNumber() throws(StoreError) -> Int {
        try connection.execute("UPDATE counters SET value = value + 1 WHERE name = 'temporary'")
        return Int(try connection.counter("temporary"))
    }

    /// Records the temporary id of a new row.
    func addTemporaryID(_ id: String, json: JSONValue, row: Int64) throws(StoreError) {
        try connection.execute(
            "INSERT INTO identifiers (temporary, temporary_json, row) VALUES (?, ?, ?)",
            [.text(id), .text(json.description), .integer(row)]
        )
    }
}

extension JSONValue {
    /// Collects all strings and integers in a document, as possible ids.
    fileprivate func collectIdentifiers(into values: inout Set<JSONValue>) {
        switch self {
        case .array(let elements): for element in elements { element.collectIdentifiers(into: &values) }
        case .object(let members): for member in members.values { member.collectIdentifiers(into: &values) }
        case .string, .integer: values.insert(self)
        default: break
        }
    }
}
