extension Resource {
    /// The same resource with further clauses, which are nearer than all others: for one call, mostly.
    ///
    /// ```swift
    /// try await shop.products.with { IfMatch(read) }.update(lamp)
    /// ```
    ///
    /// A route, a body or an operation in there is a mistake: nothing is sent.
    public func with(@ScopeBuilder _ clauses: () -> Scope) -> Resource {
        Resource(endpoints: Endpoints(site: endpoints.site.with(clauses())))
    }

    private init(endpoints: Endpoints) { self.endpoints = endpoints }
}

extension Singleton {
    /// The same singleton with further clauses, which are nearer than all others: for one call, mostly.
    ///
    /// A route, a body or an operation in there is a mistake: nothing is sent.
    public func with(@ScopeBuilder _ clauses: () -> Scope) -> Singleton {
        Singleton(endpoints: Endpoints(site: endpoints.site.with(clauses())))
    }

    private init(endpoints: Endpoints) { self.endpoints = endpoints }
}
