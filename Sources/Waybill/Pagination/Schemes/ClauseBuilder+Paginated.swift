extension Scope._ClauseBuilder {
    /// Takes paging.
    public static func buildExpression(_ paging: Paginated) -> Paginated { paging }

    /// Begins with paging.
    public static func buildPartialBlock(first: Paginated)
        -> Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Declared>
    {
        Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>().adding(first)
    }

    /// Adds the first paging.
    public static func buildPartialBlock<R, B, E>(
        accumulated: Scope._Clauses<R, B, E, Scope._Undeclared>,
        next: Paginated
    ) -> Scope._Clauses<R, B, E, Scope._Declared> { accumulated.adding(next) }

    /// Does not compile: a list is paged in one way.
    @available(*, unavailable, message: "a second Paginated: a list has one pagination scheme")
    public static func buildPartialBlock<R, B, E>(
        accumulated: Scope._Clauses<R, B, E, Scope._Declared>,
        next: Paginated
    ) -> Scope._Clauses<R, B, E, Scope._Declared> { accumulated }
}
