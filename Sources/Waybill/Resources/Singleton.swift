/// A resource that exists once on a server, such as `/profile`, with the operations of a ``Resource`` but without ids.
///
/// ```swift
/// var profile: Singleton<Profile, ReadWrite> { singleton("profile") }
///
/// let me = try await shop.profile.read()
/// ```
public struct Singleton<Element: Sendable, Access: Capabilities>: Sendable {
    /// The operations as endpoints, which can be inspected before they are sent.
    public let endpoints: Endpoints

    init(client: Client, path: Route.Path, declaration: Scope) {
        var scope = declaration
        scope.setName("singleton", path)
        scope.rejectRouteAndBody()
        endpoints = Endpoints(context: ResourceContext(client: client, path: path, scope: scope))
    }

    /// The operations of a singleton as endpoints, which can be inspected before they are sent.
    public struct Endpoints: Sendable {
        package let context: ResourceContext
    }

    /// Declares an endpoint that inherits the singleton's clauses; `\(.resource)` in its path is the singleton's path.
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

    /// Declares an endpoint that inherits the singleton's clauses and ignores the response body.
    ///
    /// - Parameter clauses: the endpoint's route and any further clauses.
    /// - Returns: the endpoint.
    public func endpoint(@Scope.EndpointBuilder _ clauses: () -> Scope) -> Endpoint<Void> {
        endpoints.context.endpoint(clauses(), .ignoring)
    }
}

extension Singleton {
    /// Returns a copy with clauses added as the innermost scope, usually for a single call.
    ///
    /// Routes, bodies and ``On`` clauses do not compile here. In a prebuilt ``Scope``, they are declaration errors, and
    /// nothing is sent.
    ///
    /// - Parameter clauses: the clauses to add.
    /// - Returns: the singleton with the added clauses.
    public func with(@Scope.CallBuilder _ clauses: () -> Scope) -> Singleton {
        Singleton(endpoints: Endpoints(context: endpoints.context.with(clauses())))
    }

    private init(endpoints: Endpoints) { self.endpoints = endpoints }
}

extension Singleton.Endpoints where Access: Readable, Element: Decodable {
    /// Returns a GET request for the singleton.
    ///
    /// - Returns: the endpoint; nothing is sent yet.
    public func read() -> Endpoint<Element> { context.endpoint(.read, .get, .decoding()) }
}

extension Singleton where Access: Readable, Element: Decodable {
    /// Fetches the singleton.
    ///
    /// - Returns: the server's version of the singleton.
    /// - Throws: ``APIError``; ``APIError/isNotFound`` is true if it does not exist.
    public func read() async throws(APIError) -> Element { try await endpoints.read().send() }
}

extension Singleton.Endpoints where Access: Creatable, Element: Representation {
    /// Returns a POST request with a draft.
    ///
    /// - Parameter draft: the content of the singleton, without server-generated members.
    /// - Returns: the endpoint; nothing is sent yet.
    public func create(_ draft: Element.Draft) -> Endpoint<Element> {
        context.createEndpoint(Body(draft))
    }
}

extension Singleton where Access: Creatable, Element: Representation {
    /// Creates the singleton and returns the server's version.
    ///
    /// - Parameter draft: the content of the singleton, without server-generated members.
    /// - Returns: the server's version of the singleton.
    /// - Throws: ``APIError``.
    @discardableResult
    public func create(_ draft: Element.Draft) async throws(APIError) -> Element {
        try await endpoints.create(draft).send()
    }
}

extension Singleton.Endpoints where Access: Updatable, Element: Representation {
    /// Returns a PUT request with the singleton's replacement; see ``Representation/Replacement``.
    ///
    /// - Parameter replacement: the new state of the singleton.
    /// - Returns: the endpoint; nothing is sent yet.
    public func update(_ replacement: Element.Replacement) -> Endpoint<Element> {
        context.updateEndpoint(Body(replacement), id: nil)
    }
}

extension Singleton where Access: Updatable, Element: Representation {
    /// Replaces the singleton and returns the server's version.
    ///
    /// - Parameter replacement: the new state of the singleton.
    /// - Returns: the server's version of the singleton.
    /// - Throws: ``APIError``.
    @discardableResult
    public func update(_ replacement: Element.Replacement) async throws(APIError) -> Element {
        try await endpoints.update(replacement).send()
    }
}

extension Singleton.Endpoints where Access: Patchable, Element: Representation {
    /// Returns a PATCH request with changes, sent as a JSON merge patch (RFC 7396) by default.
    ///
    /// - Parameter changes: the members to change.
    /// - Returns: the endpoint; nothing is sent yet.
    public func patch(_ changes: Element.Patch) -> Endpoint<Element> {
        context.patchEndpoint(changes, id: nil)
    }

    /// Returns a PATCH request with the difference between two states of the singleton; nil if they are equal.
    ///
    /// By default, the difference is a JSON merge patch (RFC 7396). See ``Body/Differences`` and
    /// ``PatchDifferencing`` for other forms.
    ///
    /// - Parameters:
    ///   - old: the current state on the server.
    ///   - new: the desired state.
    /// - Returns: the endpoint; nil if nothing has changed. Nothing is sent yet.
    /// - Throws: ``APIError/request(_:)`` if the states cannot be encoded.
    public func patch(from old: Element, to new: Element) throws(APIError) -> Endpoint<Element>? {
        try context.differenceEndpoint(from: old, to: new, id: nil)
    }
}

extension Singleton where Access: Patchable, Element: Representation {
    /// Changes the singleton and returns the server's version.
    ///
    /// - Parameter changes: the members to change.
    /// - Returns: the server's version of the singleton.
    /// - Throws: ``APIError``.
    @discardableResult
    public func patch(_ changes: Element.Patch) async throws(APIError) -> Element {
        try await endpoints.patch(changes).send()
    }

    /// Sends the difference between two states of the singleton and returns the server's version.
    ///
    /// If the states are equal, nothing is sent.
    ///
    /// - Parameters:
    ///   - old: the current state on the server.
    ///   - new: the desired state.
    /// - Returns: the server's version of the singleton; the new state if nothing was sent.
    /// - Throws: ``APIError``; ``APIError/request(_:)`` if the states cannot be encoded.
    @discardableResult
    public func patch(from old: Element, to new: Element) async throws(APIError) -> Element {
        guard let endpoint = try endpoints.patch(from: old, to: new) else { return new }
        return try await endpoint.send()
    }
}

extension Singleton.Endpoints where Access: Deletable {
    /// Returns a DELETE request for the singleton.
    ///
    /// - Returns: the endpoint; nothing is sent yet.
    public func delete() -> Endpoint<Void> { context.endpoint(.delete, .delete, .ignoring) }
}

extension Singleton where Access: Deletable {
    /// Deletes the singleton.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` is true if it does not exist.
    public func delete() async throws(APIError) { try await endpoints.delete().send() }
}

extension Singleton: CustomStringConvertible, CustomReflectable {
    /// The word `singleton` and the path template, such as `singleton profile`.
    public var description: String { endpoints.context.scope.name }

    /// The client, the path and the settings, with secrets redacted.
    public var customMirror: Mirror { endpoints.context.mirror(self) }
}

extension API {
    /// Declares a singleton by its path and the clauses that differ from the client's defaults.
    ///
    /// - Parameters:
    ///   - path: the path of the singleton.
    ///   - type: the type of the singleton's value.
    ///   - clauses: the clauses for all operations; use ``On`` for clauses that apply to particular ones.
    /// - Returns: the singleton.
    public func singleton<Element, Access>(
        _ path: Route.Path,
        of type: Element.Type = Element.self,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Singleton<Element, Access> {
        Singleton(client: client, path: path, declaration: clauses())
    }
}
