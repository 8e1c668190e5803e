/// The clauses of a builder so far, and which of those that may stand once are among them.
///
/// The parameters are ``Declared`` or ``Undeclared``: with them a second route, body, envelope or paging does not
/// compile. Declarations never name this type.
public struct Clauses<HasRoute, HasBody, HasEnvelope, HasPaging> {
    package var scope: Scope

    package init(scope: Scope = Scope()) { self.scope = scope }

    /// The clauses with one more.
    package func adding<NewRoute, NewBody, NewEnvelope, NewPaging>(
        _ clause: some Clause
    ) -> Clauses<NewRoute, NewBody, NewEnvelope, NewPaging> {
        var scope = scope
        clause.declare(in: &scope)
        return Clauses<NewRoute, NewBody, NewEnvelope, NewPaging>(scope: scope)
    }

    /// The clauses with those of a block inside them.
    package func adding(_ block: RepeatableClauses) -> Self {
        var scope = scope
        scope.add(block.scope)
        return Self(scope: scope)
    }
}

/// Clauses of which each may stand several times.
public typealias RepeatableClauses = Clauses<Undeclared, Undeclared, Undeclared, Undeclared>

/// Marks a clause that a builder has.
public enum Declared {}

/// Marks a clause that a builder has not.
public enum Undeclared {}
