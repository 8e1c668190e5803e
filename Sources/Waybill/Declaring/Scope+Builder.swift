extension Scope {
    /// Builds what holds for all endpoints of a client, a resource or a style.
    @resultBuilder
    public enum Builder: _ClauseBuilder {
        // The compiler needs these two in the builder itself; the others are common to all.

        /// Begins with a clause that may be repeated.
        public static func buildPartialBlock(first: Scope._RepeatableClauses) -> Scope._RepeatableClauses { first }

        /// Adds a clause that may be repeated.
        public static func buildPartialBlock<R, B, E, P>(
            accumulated: Scope._Clauses<R, B, E, P>,
            next: Scope._RepeatableClauses
        ) -> Scope._Clauses<R, B, E, P> { accumulated.adding(next) }

        /// Takes the clauses for some operations.
        public static func buildExpression(_ operations: On) -> Scope._RepeatableClauses {
            var scope = Scope()
            operations.declare(in: &scope)
            return Scope._RepeatableClauses(scope: scope)
        }

        /// Returns no clauses.
        public static func buildBlock() -> Scope._RepeatableClauses { Scope._Clauses() }

        /// Returns the declaration, which has neither a route nor a body.
        public static func buildFinalResult<E, P>(_ clauses: Scope._Clauses<Scope._Undeclared, Scope._Undeclared, E, P>)
            -> Scope
        {
            clauses.scope
        }

        /// Does not compile: routes belong to endpoints.
        @available(*, unavailable, message: "a route belongs in an endpoint, or in On(.list) { … } of a resource")
        public static func buildFinalResult<B, E, P>(_ clauses: Scope._Clauses<Scope._Declared, B, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: bodies belong to endpoints.
        @available(*, unavailable, message: "a Body belongs in an endpoint; Bodies(…) declares the form of all bodies")
        public static func buildFinalResult<E, P>(_ clauses: Scope._Clauses<Scope._Undeclared, Scope._Declared, E, P>)
            -> Scope
        {
            clauses.scope
        }
    }
}
