extension Scope {
    /// The result builder for clauses that apply to all endpoints of a client, a resource or a style.
    @resultBuilder
    public enum Builder: _ClauseBuilder {
        // The compiler requires these two methods in the builder itself. All builders share the rest.

        /// Starts a block with a repeatable clause.
        ///
        /// - Parameter first: the first clause of the block.
        /// - Returns: the clauses so far.
        public static func buildPartialBlock(first: some Scope._RepeatablePart) -> Scope._RepeatableClauses {
            Scope._RepeatableClauses().adding(first)
        }

        /// Adds a repeatable clause.
        ///
        /// - Parameters:
        ///   - accumulated: the clauses so far.
        ///   - next: the clause to add.
        /// - Returns: the clauses so far.
        public static func buildPartialBlock<R, B, E, P>(
            accumulated: consuming Scope._Clauses<R, B, E, P>,
            next: some Scope._RepeatablePart
        ) -> Scope._Clauses<R, B, E, P> { accumulated.adding(next) }

        /// Accepts clauses for specific operations.
        ///
        /// - Parameter operations: the clauses.
        /// - Returns: the clauses as part of the block.
        public static func buildExpression(_ operations: On) -> Scope._RepeatableClauses {
            var scope = Scope()
            operations.declare(in: &scope)
            return Scope._RepeatableClauses(scope: scope)
        }

        /// Builds an empty block.
        ///
        /// - Returns: an empty list of clauses.
        public static func buildBlock() -> Scope._RepeatableClauses { Scope._Clauses() }

        /// Builds a scope from clauses that contain neither a route nor a body.
        ///
        /// - Parameter clauses: the clauses of the block.
        /// - Returns: the scope.
        public static func buildFinalResult<E, P>(_ clauses: Scope._Clauses<Scope._Undeclared, Scope._Undeclared, E, P>)
            -> Scope
        {
            clauses.scope
        }

        /// Does not compile: routes belong to endpoints.
        ///
        /// - Parameter clauses: the clauses of the block, including a route.
        /// - Returns: the scope of the block.
        @available(*, unavailable, message: "a route belongs in an endpoint, or in On(.list) { … } of a resource")
        public static func buildFinalResult<B, E, P>(_ clauses: Scope._Clauses<Scope._Declared, B, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: bodies belong to endpoints.
        ///
        /// - Parameter clauses: the clauses of the block, including a body.
        /// - Returns: the scope of the block.
        @available(
            *,
            unavailable,
            message: "a Body belongs in an endpoint; Body.Format(…) declares the format of all bodies"
        )
        public static func buildFinalResult<E, P>(_ clauses: Scope._Clauses<Scope._Undeclared, Scope._Declared, E, P>)
            -> Scope
        {
            clauses.scope
        }
    }
}

extension Scope {
    /// The result builder for additional clauses of a single call.
    @resultBuilder
    public enum CallBuilder: _ClauseBuilder {
        // The compiler requires these two methods in the builder itself. All builders share the rest.

        /// Starts a block with a repeatable clause.
        ///
        /// - Parameter first: the first clause of the block.
        /// - Returns: the clauses so far.
        public static func buildPartialBlock(first: some Scope._RepeatablePart) -> Scope._RepeatableClauses {
            Scope._RepeatableClauses().adding(first)
        }

        /// Adds a repeatable clause.
        ///
        /// - Parameters:
        ///   - accumulated: the clauses so far.
        ///   - next: the clause to add.
        /// - Returns: the clauses so far.
        public static func buildPartialBlock<R, B, E, P>(
            accumulated: consuming Scope._Clauses<R, B, E, P>,
            next: some Scope._RepeatablePart
        ) -> Scope._Clauses<R, B, E, P> { accumulated.adding(next) }

        /// Builds an empty block.
        ///
        /// - Returns: an empty list of clauses.
        public static func buildBlock() -> Scope._RepeatableClauses { Scope._Clauses() }

        /// Builds a scope from clauses that contain neither a route nor a body.
        ///
        /// - Parameter clauses: the clauses of the block.
        /// - Returns: the scope.
        public static func buildFinalResult<E, P>(_ clauses: Scope._Clauses<Scope._Undeclared, Scope._Undeclared, E, P>)
            -> Scope
        {
            clauses.scope
        }

        /// Does not compile: the call already has a route.
        ///
        /// - Parameter clauses: the clauses of the block, including a second route.
        /// - Returns: the scope of the block.
        @available(*, unavailable, message: "the call has its route; declare another endpoint for another one")
        public static func buildFinalResult<B, E, P>(_ clauses: Scope._Clauses<Scope._Declared, B, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: the call already has its body.
        ///
        /// - Parameter clauses: the clauses of the block, including a second body.
        /// - Returns: the scope of the block.
        @available(*, unavailable, message: "the call has its body; a body is declared beside the route of an endpoint")
        public static func buildFinalResult<E, P>(_ clauses: Scope._Clauses<Scope._Undeclared, Scope._Declared, E, P>)
            -> Scope
        {
            clauses.scope
        }

        /// Does not compile: a call is a single operation.
        ///
        /// - Parameter operations: clauses for specific operations.
        /// - Returns: the clauses of the statement.
        @available(
            *,
            unavailable,
            message: "a call is one operation: write its clauses without On; On(…) belongs in a resource or a client"
        )
        public static func buildExpression(_ operations: On) -> Scope._RepeatableClauses { Scope._Clauses() }
    }
}

extension Scope {
    /// The result builder for the declaration of an endpoint: one route and any other clauses.
    @resultBuilder
    public enum EndpointBuilder: _ClauseBuilder {
        // The compiler requires these two methods in the builder itself. All builders share the rest.

        /// Starts a block with a repeatable clause.
        ///
        /// - Parameter first: the first clause of the block.
        /// - Returns: the clauses so far.
        public static func buildPartialBlock(first: some Scope._RepeatablePart) -> Scope._RepeatableClauses {
            Scope._RepeatableClauses().adding(first)
        }

        /// Adds a repeatable clause.
        ///
        /// - Parameters:
        ///   - accumulated: the clauses so far.
        ///   - next: the clause to add.
        /// - Returns: the clauses so far.
        public static func buildPartialBlock<R, B, E, P>(
            accumulated: consuming Scope._Clauses<R, B, E, P>,
            next: some Scope._RepeatablePart
        ) -> Scope._Clauses<R, B, E, P> { accumulated.adding(next) }

        /// Builds a scope from clauses that contain a route.
        ///
        /// - Parameter clauses: the clauses of the block.
        /// - Returns: the scope.
        public static func buildFinalResult<B, E, P>(_ clauses: Scope._Clauses<Scope._Declared, B, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: an endpoint needs a route.
        ///
        /// - Parameter clauses: the clauses of the block, without a route.
        /// - Returns: the scope of the block.
        @available(*, unavailable, message: "an endpoint needs a route, such as GET(\"products\")")
        public static func buildFinalResult<B, E, P>(_ clauses: Scope._Clauses<Scope._Undeclared, B, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: an endpoint needs a route.
        @available(*, unavailable, message: "an endpoint needs a route, such as GET(\"products\")")
        public static func buildBlock()
            -> Scope._Clauses<Scope._Declared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>
        { Scope._Clauses() }

        /// Does not compile: operations belong in resources.
        ///
        /// - Parameter operations: clauses for specific operations.
        /// - Returns: the clauses of the statement.
        @available(*, unavailable, message: "On(…) belongs in a resource or a client, not in an endpoint or another On")
        public static func buildExpression(_ operations: On) -> Scope._RepeatableClauses { Scope._Clauses() }
    }
}

extension Scope {
    /// The result builder for the clauses of specific operations of a resource, with or without a route.
    @resultBuilder
    public enum OperationBuilder: _ClauseBuilder {
        // The compiler requires these two methods in the builder itself. All builders share the rest.

        /// Starts a block with a repeatable clause.
        ///
        /// - Parameter first: the first clause of the block.
        /// - Returns: the clauses so far.
        public static func buildPartialBlock(first: some Scope._RepeatablePart) -> Scope._RepeatableClauses {
            Scope._RepeatableClauses().adding(first)
        }

        /// Adds a repeatable clause.
        ///
        /// - Parameters:
        ///   - accumulated: the clauses so far.
        ///   - next: the clause to add.
        /// - Returns: the clauses so far.
        public static func buildPartialBlock<R, B, E, P>(
            accumulated: consuming Scope._Clauses<R, B, E, P>,
            next: some Scope._RepeatablePart
        ) -> Scope._Clauses<R, B, E, P> { accumulated.adding(next) }

        /// Builds an empty block.
        ///
        /// - Returns: an empty list of clauses.
        public static func buildBlock() -> Scope._RepeatableClauses { Scope._Clauses() }

        /// Builds a scope from clauses with or without a route.
        ///
        /// - Parameter clauses: the clauses of the block.
        /// - Returns: the scope.
        public static func buildFinalResult<R, E, P>(_ clauses: Scope._Clauses<R, Scope._Undeclared, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: an operation's body is its argument.
        ///
        /// - Parameter clauses: the clauses of the block, including a body.
        /// - Returns: the scope of the block.
        @available(
            *,
            unavailable,
            message: "an operation's body is its argument; declare its format with Body.Format(…)"
        )
        public static func buildFinalResult<R, E, P>(_ clauses: Scope._Clauses<R, Scope._Declared, E, P>) -> Scope {
            clauses.scope
        }

        /// Does not compile: operations belong in resources.
        ///
        /// - Parameter operations: clauses for specific operations.
        /// - Returns: the clauses of the statement.
        @available(*, unavailable, message: "On(…) belongs in a resource or a client, not in an endpoint or another On")
        public static func buildExpression(_ operations: On) -> Scope._RepeatableClauses { Scope._Clauses() }
    }
}
