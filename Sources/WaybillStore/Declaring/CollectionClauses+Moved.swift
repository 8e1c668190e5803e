import Waybill

extension CollectionClauses {
    /// Returns the clauses with the URLs that the list had in earlier versions of the program.
    func movedFrom(_ urls: [String]) -> CollectionClauses {
        var clauses = self
        clauses.moved = urls.map(Self.address)
        return clauses
    }

    /// Returns a URL with the items of its query in the order of their names, as addresses have them.
    private static func address(of url: String) -> String {
        func name(of item: Substring) -> String {
            let name = item.prefix { $0 != "=" }
            return PercentEncoding.decode(name) ?? String(name)
        }
        let parts = url.split(separator: "?", maxSplits: 1)
        let items = parts.dropFirst().first?.split(separator: "&").enumerated()
            .sorted { (name(of: $0.element), $0.offset) < (name(of: $1.element), $1.offset) }
            .map { $0.element }
        let query = items.map { "?" + $0.joined(separator: "&") } ?? ""
        return (parts.first.map(String.init) ?? "") + query
    }
}
