extension Paginated.Scheme {
    /// The number of items that a page should have, and its place in the request.
    ///
    /// ```swift
    /// Paginated(.pageNumber(size: .query("per_page", 50)))
    /// Paginated(.offset(.body("offset"), size: .body("limit", count: 50)))
    /// ```
    ///
    /// A query item of that name, or a member of the body at that place, that is declared where ``Paginated`` is or
    /// further in, is sent in its place.
    public struct Size: Sendable, Hashable {
        package let target: Target

        /// The number of items.
        ///
        /// The server may give fewer.
        public let count: Int

        private init(_ target: Target, _ count: Int) {
            self.target = target
            self.count = max(1, count)
        }

        /// The name of the query item, or the path of the member of the body: `body paging.limit`.
        public var name: String { target.name }

        /// Returns a page size in a query item; a count below 1 is taken as 1.
        ///
        /// - Parameters:
        ///   - name: the name of the query item.
        ///   - count: the number of items.
        /// - Returns: the page size.
        public static func query(_ name: String, _ count: Int) -> Self { Self(.query(name), count) }

        /// Returns a page size in the JSON body; a count below 1 is taken as 1.
        ///
        /// - Parameters:
        ///   - key: the outermost key.
        ///   - keys: the keys below it.
        ///   - count: the number of items.
        /// - Returns: the page size.
        public static func body(_ key: String, _ keys: String..., count: Int) -> Self {
            Self(Target(keys: [key] + keys), count)
        }
    }
}
