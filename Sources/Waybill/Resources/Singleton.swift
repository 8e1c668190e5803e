/// A thing that exists once on a server, such as `/profile`: the operations of a ``Resource`` without an id.
///
/// ```swift
/// var profile: Singleton<Profile, ReadWrite> { singleton("profile") }
///
/// let me = try await shop.profile.read()
/// ```
public struct Singleton<Element: Sendable, Access: Capabilities>: Sendable {
    /// The operations, as calls that are not sent.
    public let endpoints: Endpoints

    init(client: Client, path: RequestPath, declaration: Scope) {
        var scope = declaration
        scope.setName("singleton", path)
        scope.refuseRouteAndBody()
        endpoints = Endpoints(site: ResourceSite(client: client, path: path, scope: scope))
    }

    /// The operations of a singleton, as calls that are not sent.
    public struct Endpoints: Sendable {
        let site: ResourceSite
    }

    /// Declares an endpoint with all that holds for the singleton; `\(.resource)` in its path is the singleton's own.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        @EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Value> {
        endpoints.site.endpoint(clauses(), .decoding())
    }

    /// Declares an endpoint with all that holds for the singleton, whose answer's body does not matter.
    public func endpoint(@EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        endpoints.site.endpoint(clauses(), .ignoring)
    }
}

extension Singleton: CustomStringConvertible, CustomReflectable {
    /// What it is and the template of its path: `singleton products`.
    public var description: String { endpoints.site.scope.name }

    /// The client, the path and the settings, secrets redacted.
    public var customMirror: Mirror { endpoints.site.mirror(self) }
}

extension API {
    /// Declares a thing that exists once: its path, and whatever differs from the client's defaults.
    public func singleton<Element, Access>(
        _ path: RequestPath,
        of type: Element.Type = Element.self,
        @ScopeBuilder _ clauses: () -> Scope = { Scope() }
    ) -> Singleton<Element, Access> {
        Singleton(client: client, path: path, declaration: clauses())
    }
}
