/// Builds what holds for some operations of a resource: another route, and whatever else differs.
@resultBuilder
public enum OperationBuilder: ClauseBuilder {
    // The compiler wants these two in the builder itself; the others are common to all.

    /// A clause that may stand several times comes first.
    public static func buildPartialBlock(first: RepeatableClauses) -> RepeatableClauses { first }

    /// A further clause that may stand several times.
    public static func buildPartialBlock<R, B, E, P>(
        accumulated: Clauses<R, B, E, P>,
        next: RepeatableClauses
    ) -> Clauses<R, B, E, P> { accumulated.adding(next) }

    /// Nothing.
    public static func buildBlock() -> RepeatableClauses { Clauses() }

    /// The declaration, with or without a route.
    public static func buildFinalResult<R, E, P>(_ clauses: Clauses<R, Undeclared, E, P>) -> Scope { clauses.scope }

    /// Does not compile: an operation's body is what it is called with.
    @available(*, unavailable, message: "an operation sends what it is called with; Bodies(…) says how that is written")
    public static func buildFinalResult<R, E, P>(_ clauses: Clauses<R, Declared, E, P>) -> Scope { clauses.scope }

    /// Does not compile: operations belong to resources.
    @available(*, unavailable, message: "On(…) belongs into a resource or a client, not into an endpoint or another On")
    public static func buildExpression(_ operations: On) -> RepeatableClauses { Clauses() }
}
