extension Scope {
    /// Builds the clauses for some operations of a resource: another route, and other differences.
    @resultBuilder
    public enum OperationBuilder: _ClauseBuilder {
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

        /// Returns the declaration, with or without a route.
        public static func buildFinalResult<R, E, P>(_ clauses: Scope._Clauses<R, Scope._Undeclared, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: an operation's body is its argument.
        @available(
            *,
            unavailable,
            message: "an operation's body is its argument; Bodies(…) declares its form"
        )
        public static func buildFinalResult<R, E, P>(_ clauses: Scope._Clauses<R, Scope._Declared, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: operations belong to resources.
        @available(*, unavailable, message: "On(…) belongs in a resource or a client, not in an endpoint or another On")
        public static func buildExpression(_ operations: On) -> Scope._RepeatableClauses { Scope._Clauses() }
    }
}
