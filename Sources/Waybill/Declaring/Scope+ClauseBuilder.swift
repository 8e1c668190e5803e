extension Scope {
    /// The clauses collected by a builder.
    ///
    /// The type parameters track the presence of a route, a body, an envelope and a pagination clause. Each is either
    /// `_Declared` or `_Undeclared`, so a second clause of the same kind does not compile.
    ///
    /// Declarations never name this type.
    public struct _Clauses<HasRoute, HasBody, HasEnvelope, HasPaging>: Sendable {
        package var scope: Scope

        package init(scope: Scope = Scope()) { self.scope = scope }

        /// Returns the clauses with one added.
        package consuming func adding<NewRoute, NewBody, NewEnvelope, NewPaging>(
            _ clause: some Clause
        ) -> _Clauses<NewRoute, NewBody, NewEnvelope, NewPaging> { adding { clause.declare(in: &$0) } }

        /// Returns the clauses with a part added.
        package consuming func adding(_ part: some _RepeatablePart) -> Self { adding { part._declare(in: &$0) } }

        private consuming func adding<NewRoute, NewBody, NewEnvelope, NewPaging>(
            _ declare: (inout Scope) -> Void
        ) -> _Clauses<NewRoute, NewBody, NewEnvelope, NewPaging> {
            // The scope is moved out of the consumed clauses, because a second reference would force a copy.
            var added = Scope()
            swap(&added, &scope)
            declare(&added)
            return _Clauses<NewRoute, NewBody, NewEnvelope, NewPaging>(scope: added)
        }
    }

    /// Clauses that are all repeatable.
    public typealias _RepeatableClauses = _Clauses<_Undeclared, _Undeclared, _Undeclared, _Undeclared>

    /// An optional body, which no block accepts.
    ///
    /// Declarations never name this type.
    public struct _OptionalBody: Sendable {}

    /// A marker for a clause present in a block.
    public enum _Declared {}

    /// A marker for a clause absent from a block.
    public enum _Undeclared {}
}

extension Scope {
    /// A repeatable part of a block: a clause, or the clauses of a nested block.
    ///
    /// Declarations never name this type.
    public protocol _RepeatablePart: Sendable {
        /// Declares the part in a scope.
        ///
        /// - Parameter scope: the enclosing scope.
        func _declare(in scope: inout Scope)
    }

    /// A repeatable clause.
    ///
    /// The wrapper is needed because every setting is a repeatable clause, but some settings can occur only once.
    /// Declarations never name this type.
    public struct _Repeatable<Repeated: Scope.RepeatableClause>: _RepeatablePart {
        let clause: Repeated

        /// Declares the clause in a scope.
        ///
        /// - Parameter scope: the enclosing scope.
        public func _declare(in scope: inout Scope) { clause.declare(in: &scope) }
    }
}

extension Scope._Clauses: Scope._RepeatablePart
where
    HasRoute == Scope._Undeclared, HasBody == Scope._Undeclared, HasEnvelope == Scope._Undeclared,
    HasPaging == Scope._Undeclared
{
    /// Declares the clauses in another scope.
    ///
    /// - Parameter scope: the enclosing scope.
    public func _declare(in scope: inout Scope) { scope.add(self.scope) }
}

extension Scope {
    /// The methods shared by all builders, including those that diagnose invalid blocks.
    public protocol _ClauseBuilder {}
}

extension Scope._ClauseBuilder {
    /// Accepts a repeatable clause.
    ///
    /// - Parameter clause: the clause.
    /// - Returns: the clause as part of the block.
    public static func buildExpression<Repeated: Scope.RepeatableClause>(_ clause: Repeated)
        -> Scope._Repeatable<Repeated>
    {
        Scope._Repeatable(clause: clause)
    }

    /// Accepts a route.
    ///
    /// - Parameter route: the route's clause.
    /// - Returns: the route.
    public static func buildExpression(_ route: some _RouteClause) -> Route { route.route }

    /// Accepts a body.
    ///
    /// - Parameter body: the body.
    /// - Returns: the body.
    public static func buildExpression(_ body: Body) -> Body { body }

    /// Accepts an optional body, which the block rejects.
    ///
    /// - Parameter body: the body.
    /// - Returns: a part that no block accepts.
    public static func buildExpression(_ body: Body?) -> Scope._OptionalBody { Scope._OptionalBody() }

    /// Accepts a multipart form as the body.
    ///
    /// - Parameter form: the form.
    /// - Returns: the form as a body.
    public static func buildExpression(_ form: Multipart) -> Body { form.body }

    /// Does not compile: only clauses are allowed here.
    ///
    /// - Parameter value: anything other than a clause.
    /// - Returns: the clauses of the statement.
    @available(
        *,
        unavailable,
        message: "not a clause, such as GET(…), Query(…), Header(…), Body(…) or Envelope(…)"
    )
    public static func buildExpression<Value>(_ value: Value) -> Scope._RepeatableClauses { Scope._Clauses() }
}

// The first clause of a block.
extension Scope._ClauseBuilder {
    /// Starts a block with a route.
    ///
    /// - Parameter first: the route.
    /// - Returns: the clauses so far.
    public static func buildPartialBlock(first: Route)
        -> Scope._Clauses<Scope._Declared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>
    {
        Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>().adding(first)
    }

    /// Starts a block with a body.
    ///
    /// - Parameter first: the body.
    /// - Returns: the clauses so far.
    public static func buildPartialBlock(first: Body)
        -> Scope._Clauses<Scope._Undeclared, Scope._Declared, Scope._Undeclared, Scope._Undeclared>
    {
        Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>().adding(first)
    }
}

// Later clauses.
extension Scope._ClauseBuilder {
    /// Adds the first route.
    ///
    /// - Parameters:
    ///   - accumulated: the clauses so far.
    ///   - next: the route.
    /// - Returns: the clauses so far.
    public static func buildPartialBlock<B, E, P>(
        accumulated: consuming Scope._Clauses<Scope._Undeclared, B, E, P>,
        next: Route
    ) -> Scope._Clauses<Scope._Declared, B, E, P> { accumulated.adding(next) }

    /// Adds the first body.
    ///
    /// - Parameters:
    ///   - accumulated: the clauses so far.
    ///   - next: the body.
    /// - Returns: the clauses so far.
    public static func buildPartialBlock<R, E, P>(
        accumulated: consuming Scope._Clauses<R, Scope._Undeclared, E, P>,
        next: Body
    ) -> Scope._Clauses<R, Scope._Declared, E, P> { accumulated.adding(next) }
}

// An optional body.
extension Scope._ClauseBuilder {
    /// Does not compile: bytes and files need a content type, and an optional body must be unwrapped.
    ///
    /// - Parameter first: bytes or a file URL without a content type, or an optional body.
    /// - Returns: the clauses of the block so far.
    @available(
        *,
        unavailable,
        message: """
            not a body: write Body(bytes, contentType: "image/png"), Body(file: url, contentType: "image/png") or \
            Body(url.absoluteString); unwrap an optional
            """
    )
    public static func buildPartialBlock(first: Scope._OptionalBody)
        -> Scope._Clauses<Scope._Undeclared, Scope._Declared, Scope._Undeclared, Scope._Undeclared>
    { Scope._Clauses() }

    /// Does not compile: bytes and files need a content type, and an optional body must be unwrapped.
    ///
    /// - Parameters:
    ///   - accumulated: the preceding clauses.
    ///   - next: bytes or a file URL without a content type, or an optional body.
    /// - Returns: the clauses of the block so far.
    @available(
        *,
        unavailable,
        message: """
            not a body: write Body(bytes, contentType: "image/png"), Body(file: url, contentType: "image/png") or \
            Body(url.absoluteString); unwrap an optional
            """
    )
    public static func buildPartialBlock<R, B, E, P>(
        accumulated: Scope._Clauses<R, B, E, P>,
        next: Scope._OptionalBody
    ) -> Scope._Clauses<R, Scope._Declared, E, P> { Scope._Clauses() }
}

// Duplicates of clauses that can occur only once.
extension Scope._ClauseBuilder {
    /// Does not compile: an endpoint has one route.
    ///
    /// - Parameters:
    ///   - accumulated: the preceding clauses, including a route.
    ///   - next: the second route.
    /// - Returns: the clauses of the block so far.
    @available(*, unavailable, message: "a second route: an endpoint has one method and one path")
    public static func buildPartialBlock<B, E, P>(
        accumulated: Scope._Clauses<Scope._Declared, B, E, P>,
        next: Route
    ) -> Scope._Clauses<Scope._Declared, B, E, P> { accumulated }

    /// Does not compile: a request has one body.
    ///
    /// - Parameters:
    ///   - accumulated: the preceding clauses, including a body.
    ///   - next: the second body.
    /// - Returns: the clauses of the block so far.
    @available(*, unavailable, message: "a second Body: a request has only one")
    public static func buildPartialBlock<R, E, P>(
        accumulated: Scope._Clauses<R, Scope._Declared, E, P>,
        next: Body
    ) -> Scope._Clauses<R, Scope._Declared, E, P> { accumulated }
}

// Control flow.
extension Scope._ClauseBuilder {
    /// Builds `if` without `else`.
    ///
    /// - Parameter block: the clauses of the block; nil if the condition is false.
    /// - Returns: the clauses of the block, if any.
    public static func buildOptional(_ block: Scope._RepeatableClauses?) -> Scope._RepeatableClauses {
        block ?? Scope._Clauses()
    }

    /// Builds the first branch of `if` or `switch`.
    ///
    /// - Parameter block: the clauses of the branch.
    /// - Returns: the clauses.
    public static func buildEither(first block: Scope._RepeatableClauses) -> Scope._RepeatableClauses { block }

    /// Builds the second branch of `if` or `switch`.
    ///
    /// - Parameter block: the clauses of the branch.
    /// - Returns: the clauses.
    public static func buildEither(second block: Scope._RepeatableClauses) -> Scope._RepeatableClauses { block }

    /// Builds `for`.
    ///
    /// - Parameter blocks: the clauses of each iteration.
    /// - Returns: the clauses of all iterations.
    public static func buildArray(_ blocks: [Scope._RepeatableClauses]) -> Scope._RepeatableClauses {
        var scope = Scope()
        for block in blocks { scope.add(block.scope) }
        return Scope._RepeatableClauses(scope: scope)
    }

    /// Builds `if #available`.
    ///
    /// - Parameter block: the clauses of the block.
    /// - Returns: the clauses.
    public static func buildLimitedAvailability(_ block: Scope._RepeatableClauses) -> Scope._RepeatableClauses { block }

    /// Does not compile: a clause that can occur only once belongs outside `if`.
    ///
    /// - Parameter block: the clauses of the block, including one that can occur only once.
    /// - Returns: the clauses of the block, if any.
    @available(
        *,
        unavailable,
        message: "only repeatable clauses can be inside `if`; choose between values: Envelope(old ? \"a\" : \"b\")"
    )
    public static func buildOptional<R, B, E, P>(_ block: Scope._Clauses<R, B, E, P>?) -> Scope._RepeatableClauses {
        Scope._Clauses()
    }

    /// Does not compile: a clause that can occur only once belongs outside `if` and `switch`.
    ///
    /// - Parameter block: the clauses of the first branch, including one that can occur only once.
    /// - Returns: the clauses of the branch.
    @available(
        *,
        unavailable,
        message: "only repeatable clauses can be inside `if` and `switch`; choose between values: Envelope(x ? a : b)"
    )
    public static func buildEither<R, B, E, P>(first block: Scope._Clauses<R, B, E, P>) -> Scope._RepeatableClauses {
        Scope._Clauses()
    }

    /// Does not compile: a clause that can occur only once belongs outside `if` and `switch`.
    ///
    /// - Parameter block: the clauses of the second branch, including one that can occur only once.
    /// - Returns: the clauses of the branch.
    @available(
        *,
        unavailable,
        message: "only repeatable clauses can be inside `if` and `switch`; choose between values: Envelope(x ? a : b)"
    )
    public static func buildEither<R, B, E, P>(second block: Scope._Clauses<R, B, E, P>) -> Scope._RepeatableClauses {
        Scope._Clauses()
    }

    /// Does not compile: a clause that can occur only once belongs outside `for`.
    ///
    /// - Parameter blocks: the clauses of each iteration, including one that can occur only once.
    /// - Returns: the clauses of all iterations.
    @available(
        *,
        unavailable,
        message: "only repeatable clauses can be inside `for`; move a route, Body, Envelope or Paginated outside it"
    )
    public static func buildArray<R, B, E, P>(_ blocks: [Scope._Clauses<R, B, E, P>]) -> Scope._RepeatableClauses {
        Scope._Clauses()
    }
}
