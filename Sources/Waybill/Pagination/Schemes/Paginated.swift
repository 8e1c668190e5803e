/// The pagination of a list.
///
/// ```swift
/// Paginated(.cursor(at: "meta", "next", as: "after"))
/// Paginated(.link(), maximumPages: 100, otherOrigins: ["https://cdn.shop.example"])
/// Paginated(.pageNumber(size: .query("per_page", 50)), missingList: .isEmpty)
/// Paginated.none      // a list in one response, even if an outer scope declares pagination
/// ```
///
/// Without this declaration, requesting a page fails with an ``APIError/PaginationFailure``. A walk is one iteration
/// over the pages of a list.
public struct Paginated: Setting {
    /// The values accepted in place of a list, as in an ``Envelope``.
    public typealias MissingList = Envelope.MissingList

    /// The kinds of repetition that a walk accepts.
    public enum Repeats: String, Sendable, Hashable {
        /// No repetition: the walk stops before requesting a page again, and at a page that repeats the items of an
        /// earlier one.
        case never
        /// Requests may repeat, as with a scroll id, but their pages must have different items.
        ///
        /// Also declare ``Paginated/maximumPages``: a loop through empty pages, for example, is not detected.
        case requests
        /// Both requests and items may repeat.
        ///
        /// Also declare ``Paginated/maximumPages``: a server that starts over past the end is not detected.
        case items
    }

    /// The meaning of the server's total.
    public enum Totals: String, Sendable, Hashable {
        /// The exact number of items: a walk that ends with a different number fails with an
        /// ``APIError/PaginationFailure``, after the last page.
        case exact
        /// An estimate, which may differ from the number of items.
        case estimated
    }

    /// The scheme that finds the next page; nil for ``none``.
    public let scheme: Paginated.Scheme?

    /// The maximum number of pages that a walk reads; nil for no limit.
    public let maximumPages: Int?

    /// Additional origins that links may point to; credentials are never sent to them.
    public let otherOrigins: [String]

    /// The values that are accepted in place of a list, in addition to those of the ``Envelope``.
    public let missingList: MissingList

    /// The kinds of repetition that a walk accepts.
    public let repeats: Repeats

    /// The meaning of the server's total.
    public let totals: Totals

    /// Declares pagination with a scheme.
    ///
    /// - Parameters:
    ///   - scheme: the scheme that finds the next page.
    ///   - maximumPages: the maximum number of pages that a walk reads, at least 1; if the list has more, the walk then
    ///     fails with an ``APIError/PaginationFailure``. Nil for no limit.
    ///   - otherOrigins: additional origins that links may point to, such as `https://host`.
    ///   - missingList: the values that are accepted in place of a list, in addition to those of the ``Envelope``.
    ///   - repeats: the kinds of repetition that a walk accepts.
    ///   - totals: the meaning of the server's total, if the scheme declares one.
    public init(
        _ scheme: Paginated.Scheme,
        maximumPages: Int? = nil,
        otherOrigins: [String] = [],
        missingList: MissingList = .isError,
        repeats: Repeats = .never,
        totals: Totals = .exact
    ) {
        self.init(
            scheme: scheme,
            maximumPages: maximumPages,
            otherOrigins: otherOrigins,
            missingList: missingList,
            repeats: repeats,
            totals: totals
        )
    }

    private init(
        scheme: Paginated.Scheme?,
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

    /// No pagination, even if an outer scope declares it: a single response contains the whole list.
    ///
    /// Requesting a page then fails with an ``APIError/PaginationFailure``; call `list()` or `send()`.
    public static let none = Paginated(scheme: nil)

    /// The scheme with its paths; `none` for ``none``.
    public var summary: String { scheme.map { "\($0)" } ?? "none" }

    /// Declares the pagination; an invalid origin and a page limit below 1 are declaration errors.
    ///
    /// - Parameter scope: the scope that declares it.
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
                because: "a walk reads at least one page; give 1 or more, or omit it"
            )
        }
        scope.declare(self)
    }

    /// Whether links may point to an origin besides that of the client.
    package func allows(_ origin: HTTPRequest.Origin) -> Bool {
        otherOrigins.contains { HTTPRequest.Origin($0) == origin }
    }
}

extension Scope.Settings {
    /// The values accepted in place of an array, as declared by ``Envelope`` and ``Paginated``.
    package var missingList: Envelope.MissingList {
        let envelope = self[Envelope.self]
        let declared = (envelope?.missingList ?? .isError).union(self[Paginated.self]?.missingList ?? .isError)
        // In a list keyed by id, an object is the list.
        return envelope?.idKey == nil ? declared : declared.subtracting(.isOneItem)
    }
}

extension Scope._ClauseBuilder {
    /// Accepts a pagination clause.
    ///
    /// - Parameter paging: the clause.
    /// - Returns: the clause.
    public static func buildExpression(_ paging: Paginated) -> Paginated { paging }

    /// Starts with a pagination clause.
    ///
    /// - Parameter first: the clause.
    /// - Returns: the clauses.
    public static func buildPartialBlock(first: Paginated)
        -> Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Declared>
    {
        Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>().adding(first)
    }

    /// Adds the first pagination clause.
    ///
    /// - Parameters:
    ///   - accumulated: the clauses so far.
    ///   - next: the pagination clause.
    /// - Returns: the clauses with the pagination.
    public static func buildPartialBlock<R, B, E>(
        accumulated: consuming Scope._Clauses<R, B, E, Scope._Undeclared>,
        next: Paginated
    ) -> Scope._Clauses<R, B, E, Scope._Declared> { accumulated.adding(next) }

    /// Does not compile: a list has one pagination scheme.
    ///
    /// - Parameters:
    ///   - accumulated: the preceding clauses, with a pagination scheme.
    ///   - next: the second scheme.
    /// - Returns: the clauses of the block so far.
    @available(*, unavailable, message: "a second Paginated: a list has one pagination scheme")
    public static func buildPartialBlock<R, B, E>(
        accumulated: Scope._Clauses<R, B, E, Scope._Declared>,
        next: Paginated
    ) -> Scope._Clauses<R, B, E, Scope._Declared> { accumulated }
}
