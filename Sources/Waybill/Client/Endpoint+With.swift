extension Endpoint {
    /// Returns the same call with further clauses, as its innermost scope.
    ///
    /// ```swift
    /// let fresh = try await shop.search("lamp").with { Cached.Policy(.reload) }.send()
    /// ```
    ///
    /// A route, a body or an operation does not compile here. One in a prebuilt ``Scope`` is a declaration error, and
    /// nothing is sent.
    public func with(@Scope.CallBuilder _ clauses: () -> Scope) -> Endpoint {
        Endpoint(
            client: client,
            scopes: scopes + Scope.call(clauses()),
            target: target,
            reader: reader,
            reread: reread
        )
    }
}

extension Scope {
    /// Returns the scopes that a single call declares, outermost first.
    package static func call(_ clauses: Scope) -> [Scope] {
        var scope = clauses
        scope.name = "call"
        scope.isForOneCall = true
        scope.rejectRouteAndBody()
        scope.rejectOperations()
        return scope.flattened
    }
}
