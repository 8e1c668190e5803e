extension Scope {
    /// The clauses of a builder so far; its parameters tell which of those that are allowed once are among them.
    ///
    /// The parameters are `_Declared` or `_Undeclared`: with them a second route, body, envelope or paging does not
    /// compile. Declarations never name this type.
    public struct _Clauses<HasRoute, HasBody, HasEnvelope, HasPaging>: Sendable {
        package var scope: Scope

        package init(scope: Scope = Scope()) { self.scope = scope }

        /// Returns the clauses with one more.
        package consuming func adding<NewRoute, NewBody, NewEnvelope, NewPaging>(
            _ clause: some Clause
        ) -> _Clauses<NewRoute, NewBody, NewEnvelope, NewPaging> { adding { clause.declare(in: &$0) } }

        /// Returns the clauses with one more part.
        package consuming func adding(_ part: some _RepeatablePart) -> Self { adding { part._declare(in: &$0) } }

        private consuming func adding<NewRoute, NewBody, NewEnvelope, NewPaging>(
            _ declare: (inout Scope) -> Void
        ) -> _Clauses<NewRoute, NewBody, NewEnvelope, NewPaging> {
            // Taken out of these clauses, of which nothing is used any more: a second reference would cost a copy.
            var added = Scope()
            swap(&added, &scope)
            declare(&added)
            return _Clauses<NewRoute, NewBody, NewEnvelope, NewPaging>(scope: added)
        }
    }

    /// Clauses that may all be repeated.
    public typealias _RepeatableClauses = _Clauses<_Undeclared, _Undeclared, _Undeclared, _Undeclared>

    /// Marks a clause that a builder has.
    public enum _Declared {}

    /// Marks a clause that a builder lacks.
    public enum _Undeclared {}
}

extension Scope {
    /// A part of a builder that may be repeated: a clause, or the clauses of an inner block.
    ///
    /// Declarations never name this type.
    public protocol _RepeatablePart: Sendable {
        /// Declares the part in a scope.
        func _declare(in scope: inout Scope)
    }

    /// A clause that may be repeated.
    ///
    /// A type of its own, because clauses that are allowed once are settings too. Declarations never name it.
    public struct _Repeatable<Repeated: RepeatableClause>: _RepeatablePart {
        let clause: Repeated

        /// Declares the clause in a scope.
        public func _declare(in scope: inout Scope) { clause.declare(in: &scope) }
    }
}

extension Scope._Clauses: Scope._RepeatablePart
where
    HasRoute == Scope._Undeclared, HasBody == Scope._Undeclared, HasEnvelope == Scope._Undeclared,
    HasPaging == Scope._Undeclared
{
    /// Declares the clauses in another scope.
    public func _declare(in scope: inout Scope) { scope.add(self.scope) }
}

extension Scope {
    /// The common part of the builders: the rules for adding clauses, and errors with a reason for those that do not
    /// compile.
    public protocol _ClauseBuilder {}
}

extension Scope._ClauseBuilder {
    /// Takes a clause that may be repeated.
    public static func buildExpression<Repeated: RepeatableClause>(_ clause: Repeated) -> Scope._Repeatable<Repeated> {
        Scope._Repeatable(clause: clause)
    }

    /// Takes a route.
    public static func buildExpression(_ route: some _RouteClause) -> Route { route.route }

    /// Takes a body.
    public static func buildExpression(_ body: Body) -> Body { body }

    /// Takes a form of several parts, which is a body.
    public static func buildExpression(_ form: Multipart) -> Body { form.body }

    /// Does not compile: only clauses are allowed here.
    @available(
        *,
        unavailable,
        message: "not a clause: GET(…), Query(…), Header(…), Body(…), Envelope(…) and the like are"
    )
    public static func buildExpression<Value>(_ value: Value) -> Scope._RepeatableClauses { Scope._Clauses() }
}

// The first clause of a builder.
extension Scope._ClauseBuilder {
    /// Begins with a route.
    public static func buildPartialBlock(first: Route)
        -> Scope._Clauses<Scope._Declared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>
    {
        Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>().adding(first)
    }

    /// Begins with a body.
    public static func buildPartialBlock(first: Body)
        -> Scope._Clauses<Scope._Undeclared, Scope._Declared, Scope._Undeclared, Scope._Undeclared>
    {
        Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>().adding(first)
    }
}

// Each further clause.
extension Scope._ClauseBuilder {
    /// Adds the first route.
    public static func buildPartialBlock<B, E, P>(
        accumulated: consuming Scope._Clauses<Scope._Undeclared, B, E, P>,
        next: Route
    ) -> Scope._Clauses<Scope._Declared, B, E, P> { accumulated.adding(next) }

    /// Adds the first body.
    public static func buildPartialBlock<R, E, P>(
        accumulated: consuming Scope._Clauses<R, Scope._Undeclared, E, P>,
        next: Body
    ) -> Scope._Clauses<R, Scope._Declared, E, P> { accumulated.adding(next) }
}

// A second clause of a kind that is allowed once.
extension Scope._ClauseBuilder {
    /// Does not compile: an endpoint has one route.
    @available(*, unavailable, message: "a second route: an endpoint has one method and one path")
    public static func buildPartialBlock<B, E, P>(
        accumulated: Scope._Clauses<Scope._Declared, B, E, P>,
        next: Route
    ) -> Scope._Clauses<Scope._Declared, B, E, P> { accumulated }

    /// Does not compile: a request has one body.
    @available(*, unavailable, message: "a second Body: a request has one")
    public static func buildPartialBlock<R, E, P>(
        accumulated: Scope._Clauses<R, Scope._Declared, E, P>,
        next: Body
    ) -> Scope._Clauses<R, Scope._Declared, E, P> { accumulated }
}

// Control flow.
extension Scope._ClauseBuilder {
    /// Builds `if` without `else`.
    public static func buildOptional(_ block: Scope._RepeatableClauses?) -> Scope._RepeatableClauses {
        block ?? Scope._Clauses()
    }

    /// Builds the first branch.
    public static func buildEither(first block: Scope._RepeatableClauses) -> Scope._RepeatableClauses { block }

    /// Builds the second branch.
    public static func buildEither(second block: Scope._RepeatableClauses) -> Scope._RepeatableClauses { block }

    /// Builds `for`.
    public static func buildArray(_ blocks: [Scope._RepeatableClauses]) -> Scope._RepeatableClauses {
        var scope = Scope()
        for block in blocks { scope.add(block.scope) }
        return Scope._RepeatableClauses(scope: scope)
    }

    /// Builds `if #available`.
    public static func buildLimitedAvailability(_ block: Scope._RepeatableClauses) -> Scope._RepeatableClauses { block }

    /// Does not compile: a clause that is allowed once belongs outside of `if`.
    @available(
        *,
        unavailable,
        message:
            "inside `if`, only clauses that may repeat; choose between values instead: Envelope(old ? \"a\" : \"b\")"
    )
    public static func buildOptional<R, B, E, P>(_ block: Scope._Clauses<R, B, E, P>?) -> Scope._RepeatableClauses {
        Scope._Clauses()
    }

    /// Does not compile: a clause that is allowed once belongs outside of `if` and `switch`.
    @available(
        *,
        unavailable,
        message:
            "inside `if` and `switch`, only clauses that may repeat; choose between values instead: Envelope(x ? a : b)"
    )
    public static func buildEither<R, B, E, P>(first block: Scope._Clauses<R, B, E, P>) -> Scope._RepeatableClauses {
        Scope._Clauses()
    }

    /// Does not compile: a clause that is allowed once belongs outside of `if` and `switch`.
    @available(
        *,
        unavailable,
        message:
            "inside `if` and `switch`, only clauses that may repeat; choose between values instead: Envelope(x ? a : b)"
    )
    public static func buildEither<R, B, E, P>(second block: Scope._Clauses<R, B, E, P>) -> Scope._RepeatableClauses {
        Scope._Clauses()
    }

    /// Does not compile: a clause that is allowed once belongs outside of `for`.
    @available(
        *,
        unavailable,
        message:
            "inside `for`, only clauses that may repeat; a route, Body, Envelope or Paginated stands once, outside it"
    )
    public static func buildArray<R, B, E, P>(_ blocks: [Scope._Clauses<R, B, E, P>]) -> Scope._RepeatableClauses {
        Scope._Clauses()
    }
}
