/// A collection of items on a server, each with its id: the operations of REST that the capabilities allow.
///
/// ```swift
/// var products: Resource<Product, ReadWrite> { resource("products") }
///
/// let lamp = try await shop.products.create(.init(name: "Lamp"))
/// let same = try await shop.products.read(lamp.id)
/// ```
///
/// Each operation has an ``endpoints-swift.property`` form, which is not sent: for looking at the request, and for the
/// whole response. Paths, methods, envelopes and bodies can be declared otherwise, for one operation or for all: see
/// ``On``.
public struct Resource<Element: Sendable, Access: Capabilities>: Sendable {
    /// The operations, as calls that are not sent.
    public let endpoints: Endpoints

    init(client: Client, path: Route.Path, declaration: consuming Scope) {
        declaration.setName("resource", path)
        declaration.rejectRouteAndBody()
        endpoints = Endpoints(context: ResourceContext(client: client, path: path, scope: declaration))
    }

    /// The operations of a resource, as calls that are not sent.
    ///
    /// ```swift
    /// let response = try await shop.products.endpoints.create(.init(name: "Lamp")).response()
    /// response.headerFields[.location]
    /// ```
    public struct Endpoints: Sendable {
        package let context: ResourceContext
    }

    /// Declares an endpoint with all clauses of the resource; `\(.resource)` in its path is the resource's own.
    ///
    /// ```swift
    /// let active: Endpoint<[User]> = shop.users.endpoint { GET("\(.resource)/active") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - clauses: a route, and further clauses.
    /// - Returns: the endpoint.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Value> {
        endpoints.context.endpoint(clauses(), .decoding())
    }

    /// Declares an endpoint with all clauses of the resource, whose response's body does not matter.
    ///
    /// - Parameter clauses: a route, and further clauses.
    /// - Returns: the call, not sent yet.
    public func endpoint(@Scope.EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        endpoints.context.endpoint(clauses(), .ignoring)
    }
}

extension Resource {
    /// Declares an endpoint with all clauses of the resource, whose response has server-sent events.
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

extension Resource {
    /// Returns the same resource with further clauses as its innermost scope: for one call, mostly.
    ///
    /// ```swift
    /// try await shop.products.with { IfMatch(read) }.update(lamp)
    /// ```
    ///
    /// A route, a body or an operation does not compile here. One in a prebuilt ``Scope`` is a declaration error, and
    /// nothing is sent.
    ///
    /// - Parameter clauses: the further clauses.
    /// - Returns: the same resource with the clauses.
    public func with(@Scope.CallBuilder _ clauses: () -> Scope) -> Resource {
        Resource(endpoints: Endpoints(context: endpoints.context.with(clauses())))
    }

    private init(endpoints: Endpoints) { self.endpoints = endpoints }
}

extension Resource: CustomStringConvertible, CustomReflectable {
    /// The kind and the template of the path: `resource products`.
    public var description: String { endpoints.context.scope.name }

    /// The client, the path and the settings, secrets redacted.
    public var customMirror: Mirror { endpoints.context.mirror(self) }
}

extension API {
    /// Declares a resource: the path of its collection, and the clauses that differ from the client's defaults.
    ///
    /// A slash at the end of the path stays at the end of its items' paths too.
    ///
    /// - Parameters:
    ///   - path: the path of the collection.
    ///   - type: the type of an item.
    ///   - clauses: the clauses for all operations, and ``On`` for some.
    /// - Returns: the resource.
    public func resource<Element, Access>(
        _ path: Route.Path,
        of type: Element.Type = Element.self,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Resource<Element, Access> {
        Resource(client: client, path: path, declaration: clauses())
    }
}
