/// A collection of identifiable items on a server, with the REST operations that its capabilities allow.
///
/// ```swift
/// var products: Resource<Product, ReadWrite> { resource("products") }
///
/// let lamp = try await shop.products.create(.init(name: "Lamp"))
/// let same = try await shop.products.read(lamp.id)
/// ```
///
/// To inspect an operation's request or get its complete response, use the corresponding endpoint in
/// ``endpoints-swift.property``. To change the path, method, envelope or body of particular operations, see ``On``.
public struct Resource<Element: Sendable, Access: Capabilities>: Sendable {
    /// The operations as endpoints, which can be inspected before they are sent.
    public let endpoints: Endpoints

    init(client: Client, path: Route.Path, declaration: consuming Scope) {
        declaration.setName("resource", path)
        declaration.rejectRouteAndBody()
        endpoints = Endpoints(context: ResourceContext(client: client, path: path, scope: declaration))
    }

    /// The operations of a resource as endpoints, which can be inspected before they are sent.
    ///
    /// ```swift
    /// let response = try await shop.products.endpoints.create(.init(name: "Lamp")).response()
    /// response.headerFields[.location]
    /// ```
    public struct Endpoints: Sendable {
        package let context: ResourceContext
    }

    /// Declares an endpoint that inherits the resource's clauses; `\(.resource)` in its path is the resource's path.
    ///
    /// ```swift
    /// let active: Endpoint<[User]> = shop.users.endpoint { GET("\(.resource)/active") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - clauses: the endpoint's route and any further clauses.
    /// - Returns: the endpoint.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Value> {
        endpoints.context.endpoint(clauses(), .decoding())
    }

    /// Declares an endpoint that inherits the resource's clauses and ignores the response body.
    ///
    /// - Parameter clauses: the endpoint's route and any further clauses.
    /// - Returns: the endpoint.
    public func endpoint(@Scope.EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        endpoints.context.endpoint(clauses(), .ignoring)
    }
}

extension Resource {
    /// Returns a copy with clauses added as the innermost scope, usually for a single call.
    ///
    /// ```swift
    /// try await shop.products.with { IfMatch(read) }.update(lamp)
    /// ```
    ///
    /// Routes, bodies and ``On`` clauses do not compile here. In a prebuilt ``Scope``, they are declaration errors, and
    /// nothing is sent.
    ///
    /// - Parameter clauses: the clauses to add.
    /// - Returns: the resource with the added clauses.
    public func with(@Scope.CallBuilder _ clauses: () -> Scope) -> Resource {
        Resource(endpoints: Endpoints(context: endpoints.context.with(clauses())))
    }

    private init(endpoints: Endpoints) { self.endpoints = endpoints }
}

extension Resource: CustomStringConvertible, CustomReflectable {
    /// The word `resource` and the path template, such as `resource products`.
    public var description: String { endpoints.context.scope.name }

    /// The client, the path and the settings, with secrets redacted.
    public var customMirror: Mirror { endpoints.context.mirror(self) }
}

extension API {
    /// Declares a resource by the path of its collection and the clauses that differ from the client's defaults.
    ///
    /// If the path ends in a slash, so do the paths of its items.
    ///
    /// - Parameters:
    ///   - path: the path of the collection.
    ///   - type: the type of the items.
    ///   - clauses: the clauses for all operations; use ``On`` for clauses that apply to particular ones.
    /// - Returns: the resource.
    public func resource<Element, Access>(
        _ path: Route.Path,
        of type: Element.Type = Element.self,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Resource<Element, Access> {
        Resource(client: client, path: path, declaration: clauses())
    }
}
