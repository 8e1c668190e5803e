extension Scope {
    /// Builds the further clauses of a single call.
    @resultBuilder
    public enum CallBuilder: _ClauseBuilder {
        // The compiler needs these two in the builder itself; the others are common to all.

        /// Begins with a clause that may be repeated.
        public static func buildPartialBlock(first: Scope._RepeatableClauses) -> Scope._RepeatableClauses { first }

        /// Adds a clause that may be repeated.
        public static func buildPartialBlock<R, B, E, P>(
            accumulated: Scope._Clauses<R, B, E, P>,
            next: Scope._RepeatableClauses
        ) -> Scope._Clauses<R, B, E, P> { accumulated.adding(next) }

        /// Returns no clauses.
        public static func buildBlock() -> Scope._RepeatableClauses { Scope._Clauses() }

        /// Returns the clauses, which have neither a route nor a body.
        public static func buildFinalResult<E, P>(_ clauses: Scope._Clauses<Scope._Undeclared, Scope._Undeclared, E, P>)
            -> Scope
        {
            clauses.scope
        }

        /// Does not compile: the call has its route.
        @available(*, unavailable, message: "the call has its route; declare another endpoint for another one")
        public static func buildFinalResult<B, E, P>(_ clauses: Scope._Clauses<Scope._Declared, B, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: the call has its body.
        @available(*, unavailable, message: "the call has its body; a body is declared beside the route of an endpoint")
        public static func buildFinalResult<E, P>(_ clauses: Scope._Clauses<Scope._Undeclared, Scope._Declared, E, P>)
            -> Scope
        {
            clauses.scope
        }

        /// Does not compile: a call is one operation.
        @available(
            *,
            unavailable,
            message: "a call is one operation: write its clauses without On; On(…) belongs in a resource or a client"
        )
        public static func buildExpression(_ operations: On) -> Scope._RepeatableClauses { Scope._Clauses() }
    }
}
