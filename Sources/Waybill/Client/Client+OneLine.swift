import WaybillSystem

/// One-line calls, for exploring an API without declaring it.
///
/// ```swift
/// let users = try await client.get("users", as: [User].self)
/// let bo = try await client.post("users", body: draft, as: User.self)
/// try await client.post("ratings", body: ["user": .string(bo.id), "stars": 5] as JSONValue)
/// try await client.delete("users/\(bo.id)")
/// try await client.get("ping", as: Void.self)             // ignores the body
/// let page = try await client.get("users", as: JSONValue.self) { Query("page", 2) }
/// ```
///
/// These methods work like declared calls, and accept further clauses in a trailing closure. They run on the caller's
/// actor, so the closure can use the actor's state.
extension Client {
    /// Sends a GET request and returns the response value.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - type: the type of the response value.
    ///   - clauses: further clauses of the call.
    /// - Returns: the response value.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func get<Value: Decodable & Sendable>(
        _ path: Route.Path,
        as type: Value.Type = Value.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.get, path, body: nil, reader: .decoding(), clauses: clauses()).value
    }

    /// Sends a GET request and ignores the response body.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - type: `Void`; the response body is ignored.
    ///   - clauses: further clauses of the call.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func get(
        _ path: Route.Path,
        as type: Void.Type,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.get, path, body: nil, reader: .ignoring, clauses: clauses())
    }

    /// Does not compile: neither the call nor its context specifies the value's type.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - clauses: the clauses of the call.
    /// - Throws: `APIError`.
    @available(
        *,
        unavailable,
        message: "name the type of the value: as: User.self; as: Void.self ignores the body"
    )
    public nonisolated(nonsending) func get(
        _ path: Route.Path,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {}

    /// Sends a POST request with a value as its body, and returns the response value.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - body: the value to encode as the body, with the scope's encoder.
    ///   - type: the type of the response value.
    ///   - clauses: further clauses of the call.
    /// - Returns: the response value.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func post<Value: Decodable & Sendable>(
        _ path: Route.Path,
        body: some Encodable & Sendable,
        as type: Value.Type = Value.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.post, path, body: Body(body), reader: .decoding(), clauses: clauses()).value
    }

    /// Sends a POST request with a value as its body, and ignores the response body.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - body: the value to encode as the body, with the scope's encoder.
    ///   - type: `Void`; the response body is ignored.
    ///   - clauses: further clauses of the call.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func post(
        _ path: Route.Path,
        body: some Encodable & Sendable,
        as type: Void.Type = Void.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.post, path, body: Body(body), reader: .ignoring, clauses: clauses())
    }

    /// Sends a POST request without a body, and returns the response value.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - type: the type of the response value.
    ///   - clauses: further clauses of the call.
    /// - Returns: the response value.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func post<Value: Decodable & Sendable>(
        _ path: Route.Path,
        as type: Value.Type,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.post, path, body: nil, reader: .decoding(), clauses: clauses()).value
    }

    /// Sends a POST request without a body, and ignores the response body.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - type: `Void`; the response body is ignored.
    ///   - clauses: further clauses of the call.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func post(
        _ path: Route.Path,
        as type: Void.Type = Void.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.post, path, body: nil, reader: .ignoring, clauses: clauses())
    }

    /// Sends a PUT request with a value as its body, and returns the response value.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - body: the value to encode as the body, with the scope's encoder.
    ///   - type: the type of the response value.
    ///   - clauses: further clauses of the call.
    /// - Returns: the response value.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func put<Value: Decodable & Sendable>(
        _ path: Route.Path,
        body: some Encodable & Sendable,
        as type: Value.Type = Value.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.put, path, body: Body(body), reader: .decoding(), clauses: clauses()).value
    }

    /// Sends a PUT request with a value as its body, and ignores the response body.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - body: the value to encode as the body, with the scope's encoder.
    ///   - type: `Void`; the response body is ignored.
    ///   - clauses: further clauses of the call.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func put(
        _ path: Route.Path,
        body: some Encodable & Sendable,
        as type: Void.Type = Void.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.put, path, body: Body(body), reader: .ignoring, clauses: clauses())
    }

    /// Sends a PATCH request with a value as its `application/json` body, and returns the response value.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - body: the value to encode as the body, with the scope's encoder.
    ///   - type: the type of the response value.
    ///   - clauses: further clauses of the call.
    /// - Returns: the response value.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func patch<Value: Decodable & Sendable>(
        _ path: Route.Path,
        body: some Encodable & Sendable,
        as type: Value.Type = Value.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.patch, path, body: Body(body), reader: .decoding(), clauses: clauses()).value
    }

    /// Sends a PATCH request with a value as its `application/json` body, and ignores the response body.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - body: the value to encode as the body, with the scope's encoder.
    ///   - type: `Void`; the response body is ignored.
    ///   - clauses: further clauses of the call.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func patch(
        _ path: Route.Path,
        body: some Encodable & Sendable,
        as type: Void.Type = Void.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.patch, path, body: Body(body), reader: .ignoring, clauses: clauses())
    }

    /// Sends a DELETE request.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - clauses: further clauses of the call.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func delete(
        _ path: Route.Path,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    )
        async throws(APIError)
    {
        _ = try await call(.delete, path, body: nil, reader: .ignoring, clauses: clauses())
    }

    /// Sends a HEAD request and returns the response, which has neither a body nor a value.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - clauses: further clauses of the call.
    /// - Returns: the response.
    /// - Throws: ``APIError``.
    public nonisolated(nonsending) func head(
        _ path: Route.Path,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Response<Void> {
        try await call(.head, path, body: nil, reader: .ignoring, clauses: clauses())
    }

    nonisolated(nonsending) func call<Value: Sendable>(
        _ method: HTTPRequest.Method,
        _ path: Route.Path,
        body: Body?,
        reader: ValueReader<Value>,
        clauses: Scope
    ) async throws(APIError) -> Response<Value> {
        var declaration = clauses
        Route(method, .path(path)).declare(in: &declaration)
        body?.declare(in: &declaration)
        return try await Endpoint(client: self, declaration: declaration, reader: reader).response()
    }
}
