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

    /// Declares an endpoint with all clauses of the singleton; `\(.resource)` in its path is the singleton's own.
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

    /// Declares an endpoint with all clauses of the singleton, whose response's body does not matter.
    ///
    /// - Parameter clauses: a route, and further clauses.
    /// - Returns: the call, not sent yet.
    public func endpoint(@Scope.EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        endpoints.context.endpoint(clauses(), .ignoring)
    }
}

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

extension Singleton {
    /// Returns the same singleton with further clauses as its innermost scope: for one call, mostly.
    ///
    /// A route, a body or an operation does not compile here. One in a prebuilt ``Scope`` is a declaration error, and
    /// nothing is sent.
    ///
    /// - Parameter clauses: the further clauses.
    /// - Returns: the same resource with the clauses.
    public func with(@Scope.CallBuilder _ clauses: () -> Scope) -> Singleton {
        Singleton(endpoints: Endpoints(context: endpoints.context.with(clauses())))
    }

    private init(endpoints: Endpoints) { self.endpoints = endpoints }
}

extension Singleton.Endpoints where Access: Readable, Element: Decodable {
    /// Returns a GET.
    public func read() -> Endpoint<Element> { context.endpoint(.read, .get, .decoding()) }
}

extension Singleton where Access: Readable, Element: Decodable {
    /// Fetches the singleton.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` if the server has none.
    public func read() async throws(APIError) -> Element { try await endpoints.read().send() }
}

extension Singleton.Endpoints where Access: Creatable, Element: Representation {
    /// Returns a POST of a draft.
    ///
    /// - Parameter draft: the content of the new item; the server adds the rest.
    /// - Returns: the call, not sent yet.
    public func create(_ draft: Element.Draft) -> Endpoint<Element> {
        context.createEndpoint(Body(draft))
    }
}

extension Singleton where Access: Creatable, Element: Representation {
    /// Creates the singleton and returns the server's version.
    ///
    /// - Parameter draft: the content of the new item; the server adds the rest.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``.
    @discardableResult
    public func create(_ draft: Element.Draft) async throws(APIError) -> Element {
        try await endpoints.create(draft).send()
    }
}

extension Singleton.Endpoints where Access: Updatable, Element: Representation {
    /// Returns a PUT of the replacement: the whole, unless a ``Representation/Replacement`` is declared.
    ///
    /// - Parameter replacement: the state that takes the place of the present one.
    /// - Returns: the call, not sent yet.
    public func update(_ replacement: Element.Replacement) -> Endpoint<Element> {
        context.updateEndpoint(Body(replacement), id: nil)
    }
}

extension Singleton where Access: Updatable, Element: Representation {
    /// Replaces the singleton and returns the server's version.
    ///
    /// - Parameter replacement: the state that takes the place of the present one.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``.
    @discardableResult
    public func update(_ replacement: Element.Replacement) async throws(APIError) -> Element {
        try await endpoints.update(replacement).send()
    }
}

extension Singleton.Endpoints where Access: Patchable, Element: Representation {
    /// Returns a PATCH with changes, as a JSON merge patch (RFC 7396).
    ///
    /// - Parameter changes: the members to change.
    /// - Returns: the call, not sent yet.
    public func patch(_ changes: Element.Patch) -> Endpoint<Element> {
        context.patchEndpoint(changes, id: nil)
    }

    /// Returns a PATCH with the difference between two states, as a JSON merge patch (RFC 7396); nil if they are equal.
    ///
    /// - Parameters:
    ///   - old: the state as it was read.
    ///   - new: the state that is wanted.
    /// - Returns: the call, not sent yet; nil if nothing has changed.
    /// - Throws: ``APIError/request(_:)`` if one of the two cannot be encoded.
    public func patch(from old: Element, to new: Element) throws(APIError) -> Endpoint<Element>? {
        try context.differenceEndpoint(from: old, to: new, id: nil)
    }
}

extension Singleton where Access: Patchable, Element: Representation {
    /// Changes the singleton and returns the server's version.
    ///
    /// - Parameter changes: the members to change.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``.
    @discardableResult
    public func patch(_ changes: Element.Patch) async throws(APIError) -> Element {
        try await endpoints.patch(changes).send()
    }

    /// Sends the difference between two states and returns the server's version; if there is no difference, nothing is
    /// sent, and the new state is returned.
    ///
    /// - Parameters:
    ///   - old: the state as it was read.
    ///   - new: the state that is wanted.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``.
    @discardableResult
    public func patch(from old: Element, to new: Element) async throws(APIError) -> Element {
        guard let endpoint = try endpoints.patch(from: old, to: new) else { return new }
        return try await endpoint.send()
    }
}

extension Singleton.Endpoints where Access: Deletable {
    /// Returns a DELETE.
    public func delete() -> Endpoint<Void> { context.endpoint(.delete, .delete, .ignoring) }
}

extension Singleton where Access: Deletable {
    /// Deletes the singleton.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` if the server has none.
    public func delete() async throws(APIError) { try await endpoints.delete().send() }
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
