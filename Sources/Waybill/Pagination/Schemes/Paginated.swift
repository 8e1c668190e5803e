/// The paging of a list.
///
/// ```swift
/// Paginated(.cursor(at: "meta", "next", as: "after"))
/// Paginated(.link(), maximumPages: 100, otherOrigins: ["https://cdn.shop.example"])
/// Paginated(.pageNumber(size: .query("per_page", 50)), missingList: .isEmpty)
/// ```
///
/// A request for pages without it is an ``APIError/PaginationFailure``.
public struct Paginated: Setting {
    /// The meaning of a page without the list.
    public enum MissingList: String, Sendable, Hashable {
        /// The body is not what was declared.
        case isError
        /// The page is empty: some servers leave the key out then.
        case isEmpty
    }

    /// The repetitions that a walk accepts.
    public enum Repeats: String, Sendable, Hashable {
        /// None: a page that is requested a second time, or has the items of the one before it, stops the walk.
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
        /// A walk that ends with fewer items has lost some: that is an ``APIError/PaginationFailure``, after the last
        /// page.
        case exact
        /// It need not be the number of items.
        case estimated
    }

    /// The scheme that finds the next page.
    public let scheme: Paginated.Scheme

    /// The most pages that a walk reads; nil for any number.
    public let maximumPages: Int?

    /// Origins besides the client's own to which a link may lead; no credential goes there.
    public let otherOrigins: [String]

    /// The meaning of a page without the list.
    public let missingList: MissingList

    /// The repetitions that a walk accepts.
    public let repeats: Repeats

    /// The meaning of a total that the server gives.
    public let totals: Totals

    /// Declares pages by a scheme.
    ///
    /// - Parameters:
    ///   - scheme: the scheme that finds the next page.
    ///   - maximumPages: the most pages that a walk reads; more are an ``APIError/PaginationFailure``, after the pages
    ///     before.
    ///   - otherOrigins: origins besides the client's own to which a link may lead, as `https://host`.
    ///   - missingList: the meaning of a page without the list.
    ///   - repeats: the repetitions that a walk accepts.
    ///   - totals: the meaning of a total that the server states, if the scheme declares its place.
    public init(
        _ scheme: Paginated.Scheme,
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

    /// The scheme with its paths.
    public var summary: String { "\(scheme)" }

    /// Declares the paging; an invalid origin is a declaration error.
    public func declare(in scope: inout Scope) {
        for text in otherOrigins where HTTPRequest.Origin(text) == nil {
            scope.declarationErrors.reject(
                "Paginated",
                "otherOrigins: \"\(text)\"",
                because: "an origin is a scheme and a host: https://host, with a port if it is not the scheme's"
            )
        }
        if let maximumPages, maximumPages < 1 {
            scope.declarationErrors.reject(
                "Paginated",
                "maximumPages: \(maximumPages)",
                because: "a walk reads at least one page; give 1 or more, or leave it out"
            )
        }
        scope.declare(self)
    }

    /// Whether a link may lead to an origin.
    package func allows(_ origin: HTTPRequest.Origin) -> Bool {
        otherOrigins.contains { HTTPRequest.Origin($0) == origin }
    }
}

extension Scope._ClauseBuilder {
    /// Takes paging.
    public static func buildExpression(_ paging: Paginated) -> Paginated { paging }

    /// Begins with paging.
    public static func buildPartialBlock(first: Paginated)
        -> Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Declared>
    {
        Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>().adding(first)
    }

    /// Adds the first paging.
    public static func buildPartialBlock<R, B, E>(
        accumulated: consuming Scope._Clauses<R, B, E, Scope._Undeclared>,
        next: Paginated
    ) -> Scope._Clauses<R, B, E, Scope._Declared> { accumulated.adding(next) }

    /// Does not compile: a list is paged in one way.
    @available(*, unavailable, message: "a second Paginated: a list has one pagination scheme")
    public static func buildPartialBlock<R, B, E>(
        accumulated: Scope._Clauses<R, B, E, Scope._Declared>,
        next: Paginated
    ) -> Scope._Clauses<R, B, E, Scope._Declared> { accumulated }
}
