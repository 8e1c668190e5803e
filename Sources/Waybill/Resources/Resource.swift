/// A collection of things on a server, each under its id: the operations that REST has for it, as far as the
/// capabilities allow.
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

    init(client: Client, path: RequestPath, declaration: Scope) {
        var scope = declaration
        scope.setName("resource", path)
        scope.refuseRouteAndBody()
        endpoints = Endpoints(site: ResourceSite(client: client, path: path, scope: scope))
    }

    /// The operations of a resource, as calls that are not sent.
    ///
    /// ```swift
    /// let response = try await shop.products.endpoints.create(draft).response()
    /// response.headerFields[.location]
    /// ```
    public struct Endpoints: Sendable {
        let site: ResourceSite
    }

    /// Declares an endpoint with all that holds for the resource; `\(.resource)` in its path is the resource's own.
    ///
    /// ```swift
    /// users.endpoint { GET("\(.resource)/active") }
    /// ```
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        @EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Value> {
        endpoints.site.endpoint(clauses(), .decoding())
    }

    /// Declares an endpoint with all that holds for the resource, whose answer's body does not matter.
    public func endpoint(@EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        endpoints.site.endpoint(clauses(), .ignoring)
    }
}

extension Resource: CustomStringConvertible, CustomReflectable {
    /// What it is and the template of its path: `resource products`.
    public var description: String { endpoints.site.scope.name }

    /// The client, the path and the settings, secrets redacted.
    public var customMirror: Mirror { endpoints.site.mirror(self) }
}

extension API {
    /// Declares a resource: the path of its collection, and whatever differs from the client's defaults.
    ///
    /// A slash at the end of the path stays at the end of its items' paths too.
    public func resource<Element, Access>(
        _ path: RequestPath,
        of type: Element.Type = Element.self,
        @ScopeBuilder _ clauses: () -> Scope = { Scope() }
    ) -> Resource<Element, Access> {
        Resource(client: client, path: path, declaration: clauses())
    }
}
