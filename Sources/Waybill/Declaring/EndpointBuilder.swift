/// Builds the declaration of an endpoint: one route, and whatever else it has.
@resultBuilder
public enum EndpointBuilder: ClauseBuilder {
    // The compiler wants these two in the builder itself; the others are common to all.

    /// A clause that may stand several times comes first.
    public static func buildPartialBlock(first: RepeatableClauses) -> RepeatableClauses { first }

    /// A further clause that may stand several times.
    public static func buildPartialBlock<R, B, E, P>(
        accumulated: Clauses<R, B, E, P>,
        next: RepeatableClauses
    ) -> Clauses<R, B, E, P> { accumulated.adding(next) }

    /// The declaration, which has its route.
    public static func buildFinalResult<B, E, P>(_ clauses: Clauses<Declared, B, E, P>) -> Scope { clauses.scope }

    /// Does not compile: an endpoint needs a route.
    @available(*, unavailable, message: "an endpoint needs a route, such as GET(\"products\")")
    public static func buildFinalResult<B, E, P>(_ clauses: Clauses<Undeclared, B, E, P>) -> Scope { clauses.scope }

    /// Does not compile: an endpoint needs a route.
    @available(*, unavailable, message: "an endpoint needs a route, such as GET(\"products\")")
    public static func buildBlock() -> Clauses<Declared, Undeclared, Undeclared, Undeclared> { Clauses() }

    /// Does not compile: operations belong to resources.
    @available(*, unavailable, message: "On(…) belongs into a resource or a client, not into an endpoint or another On")
    public static func buildExpression(_ operations: On) -> RepeatableClauses { Clauses() }
}
