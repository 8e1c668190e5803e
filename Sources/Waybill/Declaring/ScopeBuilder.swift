/// Builds what holds for all endpoints of a client, a resource or a style.
@resultBuilder
public enum ScopeBuilder: ClauseBuilder {
    // The compiler wants these two in the builder itself; the others are common to all.

    /// A clause that may stand several times comes first.
    public static func buildPartialBlock(first: RepeatableClauses) -> RepeatableClauses { first }

    /// A further clause that may stand several times.
    public static func buildPartialBlock<R, B, E, P>(
        accumulated: Clauses<R, B, E, P>,
        next: RepeatableClauses
    ) -> Clauses<R, B, E, P> { accumulated.adding(next) }

    /// What holds for some operations.
    public static func buildExpression(_ operations: On) -> RepeatableClauses {
        var scope = Scope()
        operations.declare(in: &scope)
        return RepeatableClauses(scope: scope)
    }

    /// Nothing.
    public static func buildBlock() -> RepeatableClauses { Clauses() }

    /// The declaration, which has neither a route nor a body.
    public static func buildFinalResult<E, P>(_ clauses: Clauses<Undeclared, Undeclared, E, P>) -> Scope {
        clauses.scope
    }

    /// Does not compile: routes belong to endpoints.
    @available(*, unavailable, message: "a route belongs into an endpoint, or into On(.list) { … } of a resource")
    public static func buildFinalResult<B, E, P>(_ clauses: Clauses<Declared, B, E, P>) -> Scope { clauses.scope }

    /// Does not compile: bodies belong to endpoints.
    @available(*, unavailable, message: "a Body belongs into an endpoint; Bodies(…) says how all of them are written")
    public static func buildFinalResult<E, P>(_ clauses: Clauses<Undeclared, Declared, E, P>) -> Scope {
        clauses.scope
    }
}
