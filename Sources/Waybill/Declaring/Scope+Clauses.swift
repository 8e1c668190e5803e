extension Scope {
    /// The clauses of a builder so far; its parameters tell which of those that are allowed once are among them.
    ///
    /// The parameters are `_Declared` or `_Undeclared`: with them a second route, body, envelope or paging does not
    /// compile. Declarations never name this type.
    public struct _Clauses<HasRoute, HasBody, HasEnvelope, HasPaging> {
        package var scope: Scope

        package init(scope: Scope = Scope()) { self.scope = scope }

        /// Returns the clauses with one more.
        package func adding<NewRoute, NewBody, NewEnvelope, NewPaging>(
            _ clause: some Clause
        ) -> _Clauses<NewRoute, NewBody, NewEnvelope, NewPaging> {
            var scope = scope
            clause.declare(in: &scope)
            return _Clauses<NewRoute, NewBody, NewEnvelope, NewPaging>(scope: scope)
        }

        /// Returns the clauses with those of an inner block.
        package func adding(_ block: _RepeatableClauses) -> Self {
            var scope = scope
            scope.add(block.scope)
            return Self(scope: scope)
        }
    }

    /// Clauses that may all be repeated.
    public typealias _RepeatableClauses = _Clauses<_Undeclared, _Undeclared, _Undeclared, _Undeclared>

    /// Marks a clause that a builder has.
    public enum _Declared {}

    /// Marks a clause that a builder lacks.
    public enum _Undeclared {}
}
