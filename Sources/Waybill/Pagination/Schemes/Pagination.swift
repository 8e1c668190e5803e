extension Paginated {
    /// A pagination scheme: the request for the first page, and a function that derives the next request from each
    /// page.
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
    /// A custom scheme reads the page and returns the next request:
    ///
    /// ```swift
    /// Paginated(Paginated.Scheme("shelf") { page in
    ///     try page.value(at: "shelf", "next")?.stringValue.map { Paginated.Scheme.Request(query: ["shelf": $0]) }
    /// })
    /// ```
    public struct Scheme: Sendable {
        /// The scheme's name.
        ///
        /// Cursors store it, and only a scheme with the same name accepts them.
        public let name: String

        /// The additions to the list's request that select the first page.
        public let first: Request

        /// The body paths read by the scheme, which are decoded in the same pass as the items.
        package let reads: [[EnvelopeKey]]

        /// The paths, relative to the last item, read by the scheme.
        package let readsOfLastItem: [[EnvelopeKey]]

        /// The kind of scheme, with its parameters if it is built in.
        package let kind: Kind

        /// The page size; a declared query item with the same name, or body member at the same path, overrides it.
        package let size: Size?

        /// Whether query items of the list's request are added to links that lack them.
        package let keepsQuery: Bool

        /// Whether the server returns the first page again for requests past the end.
        package let startsOver: Bool

        package let pageInfo: @Sendable (Paginated.Scheme.Response) throws -> PageInfo

        /// Creates a scheme from a function that reads a page.
        ///
        /// - Parameters:
        ///   - name: the name that cursors store.
        ///   - first: the additions to the list's request that select the first page.
        ///   - pageInfo: reads a page and returns its neighbors and the total; nil ends the walk. Errors that it throws
        ///     become ``APIError/PaginationFailure/Reason/unreadable(_:)``.
        @_disfavoredOverload
        public init(
            _ name: String,
            first: Request = Request(),
            pageInfo: @escaping @Sendable (Paginated.Scheme.Response) throws -> PageInfo?
        ) {
            // The result is optional so that, for a closure that matches neither initializer, the compiler reports the
            // error inside the closure. The initializer is disfavored so that `{ _ in nil }` is unambiguous.
            self.init(.custom, name, first: first, reading: []) { try pageInfo($0) ?? PageInfo() }
        }

        /// Creates a scheme from a function that returns the request for the next page.
        ///
        /// - Parameters:
        ///   - name: the name that cursors store.
        ///   - first: the additions to the list's request that select the first page.
        ///   - next: reads a page and returns the request for the next one; nil ends the walk. Errors that it throws
        ///     become ``APIError/PaginationFailure/Reason/unreadable(_:)``.
        public init(
            _ name: String,
            first: Request = Request(),
            next: @escaping @Sendable (Paginated.Scheme.Response) throws -> Request?
        ) {
            self.init(.custom, name, first: first, reading: []) { PageInfo(next: try next($0)) }
        }

        init(
            _ kind: Kind,
            _ name: String,
            first: Request,
            reading sources: [Source?],
            lastItem: [[EnvelopeKey]] = [],
            size: Size? = nil,
            keepsQuery: Bool = false,
            startsOver: Bool = false,
            pageInfo: @escaping @Sendable (Paginated.Scheme.Response) throws -> PageInfo
        ) {
            self.kind = kind
            self.name = name
            self.first = first
            reads = sources.flatMap { $0?.reads ?? [] }
            readsOfLastItem = lastItem
            self.size = size
            self.keepsQuery = keepsQuery
            self.startsOver = startsOver
            self.pageInfo = pageInfo
        }
    }
}

extension Paginated.Scheme: CustomStringConvertible {
    /// The scheme with its paths, as written in a declaration, such as `next(at: "links", "next")`; for a custom
    /// scheme, its name.
    public var description: String {
        kind.declaration(with: [keepsQuery ? "keepsQuery: true" : nil, startsOver ? "startsOver: true" : nil]) ?? name
    }
}

extension Paginated.Scheme {
    /// The information that a scheme reads from a page: the neighboring pages and the total number of items.
    public struct PageInfo: Sendable {
        /// The request for the next page; nil if this is the last one.
        public var next: Request?

        /// The request for the previous page; nil if this is the first one, or if the scheme cannot go back.
        public var previous: Request?

        /// The total number of items, if the server reports it.
        public var total: Int?

        /// Creates page information; without arguments, it describes the last page.
        ///
        /// - Parameters:
        ///   - next: the request for the next page; nil to end the walk.
        ///   - previous: the request for the previous page, if the scheme can go back.
        ///   - total: the total number of items, if the server reports it.
        public init(next: Request? = nil, previous: Request? = nil, total: Int? = nil) {
            self.next = next
            self.previous = previous
            self.total = total
        }
    }
}

extension Paginated.Scheme {
    /// The parameters of a scheme, for its description and for mock servers; a custom scheme has only closures.
    package indirect enum Kind: Sendable {
        /// Pages addressed by number.
        case pageNumber(target: Target, start: Int, size: Size?, total: Source?, pageCount: Source?)
        /// Pages addressed by the number of items before them.
        case offset(target: Target, start: Int, size: Size?, total: Source?)
        /// Pages addressed by a token.
        case cursor(
            token: Source,
            target: Target,
            previousTarget: Target?,
            size: Size?,
            hasMore: Source?,
            total: Source?
        )
        /// Pages addressed by a value of the last item.
        case after(lastItem: [EnvelopeKey], target: Target, size: Size?, hasMore: Source?, total: Source?)
        /// Pages linked by the `Link` field.
        case links(rel: String, size: Size?, total: Source?)
        /// Pages linked by a URL in a header field or the body.
        case next(place: Source, rel: String, previous: Source?, size: Size?, total: Source?)
        /// A custom scheme.
        case custom
    }

    /// The targets in the body, other than that of the page size.
    var bodyTargets: [Target] { tokenTargets.filter { $0.bodyPath != nil } }

    /// The names of the query items that select a page or contain its size.
    var queryNames: Set<BytewiseString> {
        var names = first.query.fields.map(\.name)
        for target in tokenTargets { if case .query(let name) = target.place { names.append(name) } }
        if let size { names.append(size.name) }
        return Set(names.map { BytewiseString($0) })
    }

    /// The parts of a request that contain tokens, page numbers or offsets.
    private var tokenTargets: [Target] {
        switch kind {
        case .pageNumber(let target, _, _, _, _), .offset(let target, _, _, _), .after(_, let target, _, _, _):
            [target]
        case .cursor(_, let target, let previousTarget, _, _, _): [target, previousTarget].compactMap { $0 }
        case .links, .next, .custom: []
        }
    }
}

extension Paginated.Scheme.Kind {
    /// Returns the scheme as written in a declaration, with further arguments; nil for a custom scheme.
    ///
    /// It is computed on access, because a resource declares its scheme again for each call.
    func declaration(with others: [String?]) -> String? {
        let (name, arguments): (String, [String?]) =
            switch self {
            case .pageNumber(let target, _, _, let total, let pageCount):
                ("pageNumber", [target.argument, total?.argument("total"), pageCount?.argument("pageCount")])
            case .offset(let target, _, _, let total): ("offset", [target.argument, total?.argument("total")])
            case .cursor(let token, let target, _, _, let hasMore, let total):
                (
                    "cursor",
                    [token.argument, "as: \(target.argument)", hasMore?.argument("hasMore"), total?.argument("total")]
                )
            case .after(let path, let target, _, let hasMore, let total):
                (
                    "after",
                    [
                        "lastItem: \(path.arguments)", "as: \(target.argument)", hasMore?.argument("hasMore"),
                        total?.argument("total"),
                    ]
                )
            case .links(let rel, _, _): ("link", [rel == "next" ? nil : "rel: \"\(rel)\""])
            case .next(let place, let rel, _, _, _):
                ("next", [place.argument, rel == "next" ? nil : "rel: \"\(rel)\""])
            case .custom: ("", [])
            }
        return name.isEmpty ? nil : "\(name)(\((arguments + others).compactMap { $0 }.joined(separator: ", ")))"
    }
}
