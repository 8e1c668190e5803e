/// How an API pages through a list: a value that asks for the first page and reads from each page where the next is.
///
/// ```swift
/// Paginated(.pageNumber("page", size: PageSize("per_page", 50), total: .field("X-Total")))
/// Paginated(.offset("offset", size: PageSize("limit", 50), total: .value("count")))
/// Paginated(.cursor(at: "meta", "next", as: "after"))
/// Paginated(.link())
/// Paginated(.next(at: "links", "next"))
/// Paginated(.after(lastItem: "id", as: "starting_after", hasMore: .value("has_more")))
/// ```
///
/// A scheme of one's own sees the page and says what the next request has:
///
/// ```swift
/// Paginated(Pagination("shelf") { page in
///     try page.value(at: "shelf", "next")?.stringValue.map { PageRequest(query: ["shelf": $0]) }
/// })
/// ```
public struct Pagination: Sendable {
    /// The scheme's name.
    ///
    /// A cursor remembers it, and only a scheme of that name takes it back.
    public let name: String

    /// What the request for the first page has beyond the plain one.
    public let first: PageRequest

    /// The paths of the body that `turn` looks at: named here, they are decoded in the pass that decodes the items.
    package let reads: [[EnvelopeKey]]

    /// Paths below the last item that `turn` looks at.
    package let readsOfLastItem: [[EnvelopeKey]]

    /// The name of the query item for the page's size, which a declared item of that name takes the place of.
    package let sizeName: String?

    package let turn: @Sendable (PageAnswer) throws -> PageTurn

    /// Creates a scheme from what follows a page.
    ///
    /// - Parameters:
    ///   - name: what cursors remember it by.
    ///   - first: what the request for the first page has beyond the plain one.
    ///   - turn: sees a page and says where to go from it, backwards and totals included. What it throws becomes
    ///     ``PaginationFailure/Reason/unreadable(_:)``.
    public init(
        _ name: String,
        first: PageRequest = PageRequest(),
        turning turn: @escaping @Sendable (PageAnswer) throws -> PageTurn
    ) {
        self.init(name, first: first, reads: [], turn: turn)
    }

    /// Creates a scheme from the request for the page after a page; nil ends the walk.
    public init(
        _ name: String,
        first: PageRequest = PageRequest(),
        next: @escaping @Sendable (PageAnswer) throws -> PageRequest?
    ) {
        self.init(name, first: first, reads: []) { PageTurn(next: try next($0)) }
    }

    package init(
        _ name: String,
        first: PageRequest,
        reads: [[EnvelopeKey]],
        readsOfLastItem: [[EnvelopeKey]] = [],
        size: PageSize? = nil,
        turn: @escaping @Sendable (PageAnswer) throws -> PageTurn
    ) {
        self.name = name
        self.first = first
        self.reads = reads
        self.readsOfLastItem = readsOfLastItem
        sizeName = size?.name
        self.turn = turn
    }
}
