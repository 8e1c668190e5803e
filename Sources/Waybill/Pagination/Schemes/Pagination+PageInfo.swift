extension Paginated.Scheme {
    /// The result of a pagination scheme for a page: the neighbouring pages, and the number of items in all.
    public struct PageInfo: Sendable {
        /// The request for the next page; nil if this is the last one.
        public var next: Request?

        /// The request for the page before; nil if this is the first one, or if the scheme cannot go back.
        public var previous: Request?

        /// The number of items in all, if the server states it.
        public var total: Int?

        /// Creates the information, by default that of a last page.
        ///
        /// - Parameters:
        ///   - next: the request for the next page; nil to end the walk.
        ///   - previous: the request for the page before, if the scheme can go back.
        ///   - total: the number of items in all, if the server states it.
        public init(next: Request? = nil, previous: Request? = nil, total: Int? = nil) {
            self.next = next
            self.previous = previous
            self.total = total
        }
    }
}
