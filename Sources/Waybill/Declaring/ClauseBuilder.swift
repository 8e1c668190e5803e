/// What the builders have in common: how clauses add up, and what does not compile, with the reason.
public protocol ClauseBuilder {}

extension ClauseBuilder {
    /// A clause that may stand several times.
    public static func buildExpression(_ clause: some RepeatableClause) -> RepeatableClauses {
        var scope = Scope()
        clause.declare(in: &scope)
        return RepeatableClauses(scope: scope)
    }

    /// A route.
    public static func buildExpression(_ route: some RouteClause) -> Route { route.route }

    /// A body.
    public static func buildExpression(_ body: Body) -> Body { body }

    /// An envelope.
    public static func buildExpression(_ envelope: Envelope) -> Envelope { envelope }

    /// Paging.
    public static func buildExpression(_ paging: Paginated) -> Paginated { paging }

    /// Does not compile: only clauses may stand here.
    @available(
        *,
        unavailable,
        message: "not a clause: GET(…), Query(…), Header(…), Body(…), Envelope(…) and the like are"
    )
    public static func buildExpression<Value>(_ value: Value) -> RepeatableClauses { Clauses() }
}

// The first clause of a builder.
extension ClauseBuilder {
    /// A route comes first.
    public static func buildPartialBlock(first: Route) -> Clauses<Declared, Undeclared, Undeclared, Undeclared> {
        Clauses<Undeclared, Undeclared, Undeclared, Undeclared>().adding(first)
    }

    /// A body comes first.
    public static func buildPartialBlock(first: Body) -> Clauses<Undeclared, Declared, Undeclared, Undeclared> {
        Clauses<Undeclared, Undeclared, Undeclared, Undeclared>().adding(first)
    }

    /// An envelope comes first.
    public static func buildPartialBlock(first: Envelope) -> Clauses<Undeclared, Undeclared, Declared, Undeclared> {
        Clauses<Undeclared, Undeclared, Undeclared, Undeclared>().adding(first)
    }

    /// Paging comes first.
    public static func buildPartialBlock(first: Paginated) -> Clauses<Undeclared, Undeclared, Undeclared, Declared> {
        Clauses<Undeclared, Undeclared, Undeclared, Undeclared>().adding(first)
    }
}

// Each further clause.
extension ClauseBuilder {
    /// A route, where there is none yet.
    public static func buildPartialBlock<B, E, P>(
        accumulated: Clauses<Undeclared, B, E, P>,
        next: Route
    ) -> Clauses<Declared, B, E, P> { accumulated.adding(next) }

    /// A body, where there is none yet.
    public static func buildPartialBlock<R, E, P>(
        accumulated: Clauses<R, Undeclared, E, P>,
        next: Body
    ) -> Clauses<R, Declared, E, P> { accumulated.adding(next) }

    /// An envelope, where there is none yet.
    public static func buildPartialBlock<R, B, P>(
        accumulated: Clauses<R, B, Undeclared, P>,
        next: Envelope
    ) -> Clauses<R, B, Declared, P> { accumulated.adding(next) }

    /// Paging, where there is none yet.
    public static func buildPartialBlock<R, B, E>(
        accumulated: Clauses<R, B, E, Undeclared>,
        next: Paginated
    ) -> Clauses<R, B, E, Declared> { accumulated.adding(next) }
}

// A second clause of what may stand once.
extension ClauseBuilder {
    /// Does not compile: an endpoint has one route.
    @available(*, unavailable, message: "a second route: an endpoint has one method and one path")
    public static func buildPartialBlock<B, E, P>(
        accumulated: Clauses<Declared, B, E, P>,
        next: Route
    ) -> Clauses<Declared, B, E, P> { accumulated }

    /// Does not compile: a request has one body.
    @available(*, unavailable, message: "a second Body: a request has one")
    public static func buildPartialBlock<R, E, P>(
        accumulated: Clauses<R, Declared, E, P>,
        next: Body
    ) -> Clauses<R, Declared, E, P> { accumulated }

    /// Does not compile: the value stands in one place.
    @available(*, unavailable, message: "a second Envelope: give all its keys in one, Envelope(\"data\", \"items\")")
    public static func buildPartialBlock<R, B, P>(
        accumulated: Clauses<R, B, Declared, P>,
        next: Envelope
    ) -> Clauses<R, B, Declared, P> { accumulated }

    /// Does not compile: a list is paged in one way.
    @available(*, unavailable, message: "a second Paginated: a list is paged in one way")
    public static func buildPartialBlock<R, B, E>(
        accumulated: Clauses<R, B, E, Declared>,
        next: Paginated
    ) -> Clauses<R, B, E, Declared> { accumulated }
}

// Control flow.
extension ClauseBuilder {
    /// `if` without `else`.
    public static func buildOptional(_ block: RepeatableClauses?) -> RepeatableClauses { block ?? Clauses() }

    /// The first branch.
    public static func buildEither(first block: RepeatableClauses) -> RepeatableClauses { block }

    /// The second branch.
    public static func buildEither(second block: RepeatableClauses) -> RepeatableClauses { block }

    /// `for`.
    public static func buildArray(_ blocks: [RepeatableClauses]) -> RepeatableClauses {
        var scope = Scope()
        for block in blocks { scope.add(block.scope) }
        return RepeatableClauses(scope: scope)
    }

    /// `if #available`.
    public static func buildLimitedAvailability(_ block: RepeatableClauses) -> RepeatableClauses { block }

    /// Does not compile: a clause that stands once stands outside of `if`.
    @available(
        *,
        unavailable,
        message:
            "inside `if`, only clauses that may repeat; choose between values instead: Envelope(old ? \"a\" : \"b\")"
    )
    public static func buildOptional<R, B, E, P>(_ block: Clauses<R, B, E, P>?) -> RepeatableClauses { Clauses() }

    /// Does not compile: a clause that stands once stands outside of `if` and `switch`.
    @available(
        *,
        unavailable,
        message:
            "inside `if` and `switch`, only clauses that may repeat; choose between values instead: Envelope(old ? \"a\" : \"b\")"
    )
    public static func buildEither<R, B, E, P>(first block: Clauses<R, B, E, P>) -> RepeatableClauses { Clauses() }

    /// Does not compile: a clause that stands once stands outside of `if` and `switch`.
    @available(
        *,
        unavailable,
        message:
            "inside `if` and `switch`, only clauses that may repeat; choose between values instead: Envelope(old ? \"a\" : \"b\")"
    )
    public static func buildEither<R, B, E, P>(second block: Clauses<R, B, E, P>) -> RepeatableClauses { Clauses() }

    /// Does not compile: a clause that stands once stands outside of `for`.
    @available(
        *,
        unavailable,
        message:
            "inside `for`, only clauses that may repeat; a route, Body, Envelope or Paginated stands once, outside of it"
    )
    public static func buildArray<R, B, E, P>(_ blocks: [Clauses<R, B, E, P>]) -> RepeatableClauses { Clauses() }
}
