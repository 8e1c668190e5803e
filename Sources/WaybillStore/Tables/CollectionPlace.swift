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
