import Waybill

extension Resource {
    /// Declares an endpoint that inherits the resource's clauses and receives server-sent events.
    ///
    /// The request accepts `text/event-stream`, unless a `Header` clause sets another value.
    ///
    /// - Parameters:
    ///   - type: the type of the events.
    ///   - clauses: the endpoint's route, and any further clauses.
    /// - Returns: the endpoint.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Events<Value>.Type = Events<Value>.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Events<Value>> {
        endpoints.context.endpoint(clauses(), .events()).acceptingEvents
    }
}

extension Singleton {
    /// Declares an endpoint that inherits the singleton's clauses and receives server-sent events.
    ///
    /// The request accepts `text/event-stream`, unless a `Header` clause sets another value.
    ///
    /// - Parameters:
    ///   - type: the type of the events.
    ///   - clauses: the endpoint's route, and any further clauses.
    /// - Returns: the endpoint.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Events<Value>.Type = Events<Value>.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Events<Value>> {
        endpoints.context.endpoint(clauses(), .events()).acceptingEvents
    }
}
