extension Paginated {
    /// A pagination scheme: it asks for the first page, and reads from each page how to get the next one.
    ///
    /// ```swift
    /// Paginated(.pageNumber("page", size: .query("per_page", 50), total: .field("X-Total")))
    /// Paginated(.offset("offset", size: .query("limit", 50), total: .value("count")))
    /// Paginated(.cursor(at: "meta", "next", as: "after"))
    /// Paginated(.cursor(at: "LastEvaluatedKey", as: .body("ExclusiveStartKey"), size: .body("Limit", count: 50)))
    /// Paginated(.link())
    /// Paginated(.next(at: "links", "next"))
    /// Paginated(.after(lastItem: "id", as: "starting_after", hasMore: .value("has_more")))
    /// ```
    ///
    /// A scheme of your own reads the page and returns the next request:
    ///
    /// ```swift
    /// Paginated(Paginated.Scheme("shelf") { page in
    ///     try page.value(at: "shelf", "next")?.stringValue.map { Paginated.Scheme.Request(query: ["shelf": $0]) }
    /// })
    /// ```
    public struct Scheme: Sendable {
        /// The scheme's name.
        ///
        /// A cursor remembers it, and only a scheme of that name takes it back.
        public let name: String

        /// The parts of the request for the first page that the plain one has not.
        public let first: Request

        /// The paths of the body that `turn` reads: named here, they are decoded in the pass that decodes the items.
        package let reads: [[EnvelopeKey]]

        /// The paths below the last item that `turn` reads.
        package let readsOfLastItem: [[EnvelopeKey]]

        /// The parameters, if the scheme is one of the library's.
        package var kind = Kind.custom

        /// The page's size, whose place a declared query item or member of the body takes.
        package let size: Size?

        package let pageInfo: @Sendable (Paginated.Scheme.Response) throws -> PageInfo

        /// Creates a scheme from a function that reads a page.
        ///
        /// - Parameters:
        ///   - name: the name by which cursors remember it.
        ///   - first: the parts of the request for the first page that the plain one has not.
        ///   - pageInfo: reads a page and returns its neighbours and the total; nil ends the walk. Its errors become
        ///     ``APIError/PaginationFailure/Reason/unreadable(_:)``.
        @_disfavoredOverload
        public init(
            _ name: String,
            first: Request = Request(),
            pageInfo: @escaping @Sendable (Paginated.Scheme.Response) throws -> PageInfo?
        ) {
            // Optional, so that the compiler finds the mistake in a closure that fits neither initializer; disfavored,
            // so that `{ _ in nil }` fits one.
            self.init(name, first: first, reads: []) { try pageInfo($0) ?? PageInfo() }
        }

        /// Creates a scheme from the request for the page after a page; nil ends the walk.
        public init(
            _ name: String,
            first: Request = Request(),
            next: @escaping @Sendable (Paginated.Scheme.Response) throws -> Request?
        ) {
            self.init(name, first: first, reads: []) { PageInfo(next: try next($0)) }
        }

        package init(
            _ name: String,
            first: Request,
            reads: [[EnvelopeKey]],
            readsOfLastItem: [[EnvelopeKey]] = [],
            size: Size? = nil,
            pageInfo: @escaping @Sendable (Paginated.Scheme.Response) throws -> PageInfo
        ) {
            self.name = name
            self.first = first
            self.reads = reads
            self.readsOfLastItem = readsOfLastItem
            self.size = size
            self.pageInfo = pageInfo
        }
    }
}

extension Paginated.Scheme: CustomStringConvertible {
    /// The scheme with its paths, as a declaration writes it: `next(at: "links", "next")`; its name if it is one of the
    /// app's own.
    public var description: String { kind.declaration ?? name }
}
