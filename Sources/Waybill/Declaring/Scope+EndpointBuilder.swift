extension Scope {
    /// Builds the declaration of an endpoint: one route, and any other clauses.
    @resultBuilder
    public enum EndpointBuilder: _ClauseBuilder {
        // The compiler needs these two in the builder itself; the others are common to all.

        /// Begins with a clause that may be repeated.
        public static func buildPartialBlock(first: Scope._RepeatableClauses) -> Scope._RepeatableClauses { first }

        /// Adds a clause that may be repeated.
        public static func buildPartialBlock<R, B, E, P>(
            accumulated: Scope._Clauses<R, B, E, P>,
            next: Scope._RepeatableClauses
        ) -> Scope._Clauses<R, B, E, P> { accumulated.adding(next) }

        /// Returns the declaration, which has its route.
        public static func buildFinalResult<B, E, P>(_ clauses: Scope._Clauses<Scope._Declared, B, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: an endpoint needs a route.
        @available(*, unavailable, message: "an endpoint needs a route, such as GET(\"products\")")
        public static func buildFinalResult<B, E, P>(_ clauses: Scope._Clauses<Scope._Undeclared, B, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: an endpoint needs a route.
        @available(*, unavailable, message: "an endpoint needs a route, such as GET(\"products\")")
        public static func buildBlock()
            -> Scope._Clauses<Scope._Declared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>
        { Scope._Clauses() }

        /// Does not compile: operations belong to resources.
        @available(*, unavailable, message: "On(…) belongs in a resource or a client, not in an endpoint or another On")
        public static func buildExpression(_ operations: On) -> Scope._RepeatableClauses { Scope._Clauses() }
    }
}
