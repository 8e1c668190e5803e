/// How a list is paged.
///
/// ```swift
/// Paginated(.cursor(at: "meta", "next", as: "after"))
/// Paginated(.link(), maximumPages: 100, otherOrigins: ["https://cdn.shop.example"])
/// Paginated(.pageNumber(size: PageSize("per_page", 50)), missingList: .isEmpty)
/// ```
///
/// Without it, asking for pages is a ``PaginationFailure``.
public struct Paginated: Setting {
    /// What a page without the list means.
    public enum MissingList: String, Sendable, Hashable {
        /// The body is not what was declared.
        case isError
        /// The page is empty: some servers leave the key out then.
        case isEmpty
    }

    /// The repetitions that a walk accepts.
    public enum Repeats: String, Sendable, Hashable {
        /// None: a page that is asked for a second time, or has the items of the one before it, stops the walk.
        case never
        /// The request for the next page may be the same, as a scroll id is, if other items come.
        ///
        /// Declare ``Paginated/maximumPages`` beside it: a server can lead a walk in a circle of several pages.
        case requests
        /// A page may have the items of the one before it too.
        case items
    }

    /// The meaning of a total that the server gives.
    public enum Totals: String, Sendable, Hashable {
        /// A walk that ends with fewer items has lost some: that is a ``PaginationFailure``, behind the last page.
        case exact
        /// It says nothing about how many items come.
        case estimated
    }

    /// The scheme.
    public let scheme: Pagination

    /// The most pages that a walk reads; nil for any number.
    public let maximumPages: Int?

    /// Origins besides the client's own to which a link may lead; no credential goes there.
    public let otherOrigins: [String]

    /// What a page without the list means.
    public let missingList: MissingList

    /// The repetitions that a walk accepts.
    public let repeats: Repeats

    /// The meaning of a total that the server gives.
    public let totals: Totals

    /// Pages by a scheme.
    ///
    /// - Parameters:
    ///   - scheme: how the next page is found.
    ///   - maximumPages: the most pages that a walk reads; more are a ``PaginationFailure``, after the pages before.
    ///   - otherOrigins: origins besides the client's own to which a link may lead, as `https://host`.
    ///   - missingList: what a page without the list means.
    ///   - repeats: the repetitions that a walk accepts.
    ///   - totals: the meaning of a total that the server gives, if the scheme declares where.
    public init(
        _ scheme: Pagination,
        maximumPages: Int? = nil,
        otherOrigins: [String] = [],
        missingList: MissingList = .isError,
        repeats: Repeats = .never,
        totals: Totals = .exact
    ) {
        self.scheme = scheme
        self.maximumPages = maximumPages
        self.otherOrigins = otherOrigins
        self.missingList = missingList
        self.repeats = repeats
        self.totals = totals
    }

    /// The scheme's name.
    public var summary: String { scheme.name }

    /// Declares the paging; an origin that is none is a mistake.
    public func declare(in scope: inout Scope) {
        for text in otherOrigins where Origin(text) == nil {
            scope.declare(
                Mistake(
                    clause: "Paginated",
                    value: "otherOrigins: \"\(text)\"",
                    reason: "an origin is a scheme and a host: https://host, with a port where it is not the scheme's"
                )
            )
        }
        if let maximumPages, maximumPages < 1 {
            scope.declare(
                Mistake(
                    clause: "Paginated",
                    value: "maximumPages: \(maximumPages)",
                    reason: "a walk reads at least one page; give 1 or more, or leave it out"
                )
            )
        }
        scope.declare(self)
    }

    /// Whether a link may lead to an origin.
    package func allows(_ origin: Origin) -> Bool { otherOrigins.contains { Origin($0) == origin } }
}
