/// A clause of a declaration: one part of an endpoint, a resource or a client.
///
/// The clauses of Waybill conform. An app's own are mostly a ``Style``, which bundles others, or a ``Setting``, which
/// its middleware reads.
public protocol Clause: Sendable {
    /// Writes the clause into its scope.
    func declare(in scope: inout Scope)
}

/// A clause that may be repeated in a scope, and used inside `if`, `switch` and `for`.
public protocol RepeatableClause: Clause {}
