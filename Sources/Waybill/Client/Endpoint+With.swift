extension Endpoint {
    /// The same call with further clauses, which are nearer than all others.
    ///
    /// ```swift
    /// let fresh = try await shop.search("lamp").with { CachePolicy(.reload) }.send()
    /// ```
    ///
    /// A route, a body or an operation in there is a mistake: nothing is sent.
    public func with(@ScopeBuilder _ clauses: () -> Scope) -> Endpoint {
        Endpoint(client: client, scopes: scopes + Scope.call(clauses()), target: target, reader: reader)
    }
}

extension Scope {
    /// What is declared where a call is made, farthest first.
    package static func call(_ clauses: Scope) -> [Scope] {
        var scope = clauses
        scope.name = "call"
        scope.refuseRouteAndBody()
        scope.refuseOperations()
        return scope.flattened
    }
}
