import Waybill

/// A clause of a collection: the URL that its list had in an earlier version of the program.
///
/// ```swift
/// store.collection(shop.products) { Moved(from: "https://shop.example/v1/products") }
/// ```
///
/// Rows and pending writes of that URL become those of the collection, and the writes are sent to its present URL. A
/// collection that has a name from the start does not need the clause; see
/// ``Store/collection(_:named:_:)``. It may be repeated.
public struct Moved: Sendable {
    let address: String

    /// Declares an earlier URL.
    ///
    /// - Parameter url: the URL of the list as it was sent, percent-encoded, with its query; not with paging
    ///   parameters or secrets. A URL that the store has never had changes nothing.
    public init(from url: String) {
        let parts = url.split(separator: "?", maxSplits: 1)
        let items = parts.dropFirst().first?.split(separator: "&").enumerated()
            .sorted { (Self.name(of: $0.element), $0.offset) < (Self.name(of: $1.element), $1.offset) }
            .map { $0.element }
        let query = items.map { "?" + $0.joined(separator: "&") } ?? ""
        address = (parts.first.map(String.init) ?? "") + query
    }

    private static func name(of item: Substring) -> String {
        let name = item.prefix { $0 != "=" }
        return PercentEncoding.decode(name) ?? String(name)
    }
}
