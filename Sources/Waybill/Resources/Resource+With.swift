extension Resource {
    /// Returns the same resource with further clauses as its innermost scope: for one call, mostly.
    ///
    /// ```swift
    /// try await shop.products.with { IfMatch(read) }.update(lamp)
    /// ```
    ///
    /// A route, a body or an operation does not compile here. One in a prebuilt ``Scope`` is a declaration error, and
    /// nothing is sent.
    public func with(@Scope.CallBuilder _ clauses: () -> Scope) -> Resource {
        Resource(endpoints: Endpoints(context: endpoints.context.with(clauses())))
    }

    private init(endpoints: Endpoints) { self.endpoints = endpoints }
}

extension Singleton {
    /// Returns the same singleton with further clauses as its innermost scope: for one call, mostly.
    ///
    /// A route, a body or an operation does not compile here. One in a prebuilt ``Scope`` is a declaration error, and
    /// nothing is sent.
    public func with(@Scope.CallBuilder _ clauses: () -> Scope) -> Singleton {
        Singleton(endpoints: Endpoints(context: endpoints.context.with(clauses())))
    }

    private init(endpoints: Endpoints) { self.endpoints = endpoints }
}
