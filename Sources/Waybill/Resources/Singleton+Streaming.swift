extension Singleton {
    /// Declares an endpoint with all clauses of the singleton, whose response has server-sent events.
    ///
    /// The request accepts `text/event-stream`, unless a ``Header`` says otherwise.
    ///
    /// - Parameters:
    ///   - type: the type of the events.
    ///   - clauses: a route, and further clauses.
    /// - Returns: the endpoint.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Events<Value>.Type = Events<Value>.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Events<Value>> {
        endpoints.context.endpoint(clauses(), .events()).acceptingEvents
    }
}
