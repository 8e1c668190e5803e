/// A resource that exists once on a server, such as `/profile`: the operations of a ``Resource`` without an id.
///
/// ```swift
/// var profile: Singleton<Profile, ReadWrite> { singleton("profile") }
///
/// let me = try await shop.profile.read()
/// ```
public struct Singleton<Element: Sendable, Access: Capabilities>: Sendable {
    /// The operations, as calls that are not sent.
    public let endpoints: Endpoints

    init(client: Client, path: Route.Path, declaration: Scope) {
        var scope = declaration
        scope.setName("singleton", path)
        scope.rejectRouteAndBody()
        endpoints = Endpoints(context: ResourceContext(client: client, path: path, scope: scope))
    }

    /// The operations of a singleton, as calls that are not sent.
    public struct Endpoints: Sendable {
        package let context: ResourceContext
    }

    /// Declares an endpoint with all that holds for the singleton; `\(.resource)` in its path is the singleton's own.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Value> {
        endpoints.context.endpoint(clauses(), .decoding())
    }

    /// Declares an endpoint with all clauses of the singleton, whose response's body does not matter.
    public func endpoint(@Scope.EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        endpoints.context.endpoint(clauses(), .ignoring)
    }
}

extension Singleton: CustomStringConvertible, CustomReflectable {
    /// The kind and the template of the path: `singleton products`.
    public var description: String { endpoints.context.scope.name }

    /// The client, the path and the settings, secrets redacted.
    public var customMirror: Mirror { endpoints.context.mirror(self) }
}

extension API {
    /// Declares a resource that exists once: its path, and the clauses that differ from the client's defaults.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - type: the type of the value.
    ///   - clauses: the clauses for all operations, and ``On`` for some.
    /// - Returns: the singleton.
    public func singleton<Element, Access>(
        _ path: Route.Path,
        of type: Element.Type = Element.self,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Singleton<Element, Access> {
        Singleton(client: client, path: path, declaration: clauses())
    }
}
