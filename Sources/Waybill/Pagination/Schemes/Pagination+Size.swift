extension Pagination {
    /// The number of items that a page should have, and the query item for it: `.query("per_page", 50)`.
    public struct Size: Sendable, Hashable {
        /// The name of the query item.
        public let name: String

        /// The number of items.
        ///
        /// The server may give fewer.
        public let count: Int

        private init(name: String, count: Int) {
            self.name = name
            self.count = max(1, count)
        }

        /// Returns a page size in a query item; a count below 1 is taken as 1.
        ///
        /// - Parameters:
        ///   - name: the name of the query item.
        ///   - count: the number of items.
        /// - Returns: the page size.
        public static func query(_ name: String, _ count: Int) -> Self { Self(name: name, count: count) }

        /// The query item.
        var fields: Fields { [name: "\(count)"] }
    }
}
