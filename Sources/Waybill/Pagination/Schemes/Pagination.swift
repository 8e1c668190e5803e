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

        /// The parts of the request for the first page that the plain one lacks.
        public let first: Request

        /// The paths of the body that the scheme reads, which are decoded in the pass that decodes the items.
        package let reads: [[EnvelopeKey]]

        /// The paths below the last item that the scheme reads.
        package let readsOfLastItem: [[EnvelopeKey]]

        /// The parameters, if the scheme is one of the library's.
        package let kind: Kind

        /// The page's size, whose place a declared query item or member of the body takes.
        package let size: Size?

        package let pageInfo: @Sendable (Paginated.Scheme.Response) throws -> PageInfo

        /// Creates a scheme from a function that reads a page.
        ///
        /// - Parameters:
        ///   - name: the name by which cursors remember it.
        ///   - first: the parts of the request for the first page that the plain one lacks.
        ///   - pageInfo: reads a page and returns its neighbours and the total; nil ends the walk. Its errors become
        ///     ``APIError/PaginationFailure/Reason/unreadable(_:)``.
        @_disfavoredOverload
        public init(
            _ name: String,
            first: Request = Request(),
            pageInfo: @escaping @Sendable (Paginated.Scheme.Response) throws -> PageInfo?
        ) {
            // Optional, so that the compiler finds the error in a closure that fits neither initializer; disfavored, so
            // that `{ _ in nil }` fits one.
            self.init(.custom, name, first: first, reading: []) { try pageInfo($0) ?? PageInfo() }
        }

        /// Creates a scheme from a function that returns the request for the next page.
        ///
        /// - Parameters:
        ///   - name: the name by which cursors remember the scheme.
        ///   - first: the parts of the request for the first page that the plain one lacks.
        ///   - next: reads a page and returns the request for the next one; nil ends the walk. Its errors become
        ///     ``APIError/PaginationFailure/Reason/unreadable(_:)``.
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
            pageInfo: @escaping @Sendable (Paginated.Scheme.Response) throws -> PageInfo
        ) {
            self.kind = kind
            self.name = name
            self.first = first
            reads = sources.flatMap { $0?.reads ?? [] }
            readsOfLastItem = lastItem
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

extension Paginated.Scheme {
    /// The parameters of a scheme, for its text and for mock servers; an app's own scheme has only closures.
    package indirect enum Kind: Sendable {
        /// Pages by their numbers.
        case pageNumber(target: Target, start: Int, size: Size?, total: Source?, pageCount: Source?)
        /// Pages by the number of items before them.
        case offset(target: Target, start: Int, size: Size?, total: Source?)
        /// Pages by a token.
        case cursor(
            token: Source,
            target: Target,
            previousTarget: Target?,
            size: Size?,
            hasMore: Source?,
            total: Source?
        )
        /// Pages by a value of the last item.
        case after(lastItem: [EnvelopeKey], target: Target, size: Size?, hasMore: Source?, total: Source?)
        /// Pages by the links of the field `Link`.
        case links(rel: String, size: Size?, total: Source?)
        /// Pages by a link at a place.
        case next(place: Source, rel: String, previous: Source?, size: Size?, total: Source?)
        /// A scheme of an app's own.
        case custom
    }

    /// The keys of the body at which a request for a page has a value of the scheme's own.
    ///
    /// A value there takes the place of the body's, and is not merged into it: a token may be an object.
    package var bodyPlaces: [[String]] {
        let targets: [Target?] =
            switch kind {
            case .pageNumber(let target, _, _, _, _), .offset(let target, _, _, _), .after(_, let target, _, _, _):
                [target]
            case .cursor(_, let target, let previousTarget, _, _, _): [target, previousTarget]
            case .links, .next, .custom: []
            }
        return targets.compactMap { $0?.keys }
    }
}

extension Paginated.Scheme.Kind {
    /// The scheme as a declaration writes it; nil for one of an app's own.
    ///
    /// Made on access, because a scheme is declared again for each call of a resource.
    var declaration: String? {
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
        return name.isEmpty ? nil : "\(name)(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
    }
}
