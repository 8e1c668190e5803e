/// How many items a page is to have, and the query item that says so: `PageSize("per_page", 50)`.
public struct PageSize: Sendable, Hashable {
    /// The name of the query item.
    public let name: String

    /// The number of items.
    ///
    /// The server may give fewer.
    public let count: Int

    /// Creates a page size; a count below 1 is taken as 1.
    public init(_ name: String, _ count: Int) {
        self.name = name
        self.count = max(1, count)
    }

    /// The query item.
    var fields: PageFields { [name: "\(count)"] }
}
