/// One line of a declaration: what an endpoint, a resource or a client has.
///
/// The clauses of Waybill conform. An app's own are mostly a ``Style``, which bundles others, or a ``Setting``, which
/// its middleware reads.
public protocol Clause: Sendable {
    /// Writes the clause into the scope in which it stands.
    func declare(in scope: inout Scope)
}

/// A clause that may stand several times in a scope, and inside `if`, `switch` and `for`.
public protocol RepeatableClause: Clause {}
