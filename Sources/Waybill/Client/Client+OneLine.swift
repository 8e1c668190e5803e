import Foundation

/// Calls in one line, for trying an API out: nothing has to be declared first.
///
/// ```swift
/// let users = try await client.get("users", as: [User].self)
/// let bo = try await client.post("users", body: draft, as: User.self)
/// try await client.delete("users/\(bo.id)")
/// let page = try await client.get("users", as: JSONValue.self) { Query("page", 2) }
/// ```
///
/// They go the way of every declared call; each takes further clauses in a trailing closure. They run where they are
/// called from, so that the closure may use what belongs to the caller's actor.
extension Client {
    /// Fetches a value.
    public nonisolated(nonsending) func get<Value: Decodable & Sendable>(
        _ path: RequestPath,
        as type: Value.Type = Value.self,
        @ScopeBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.get, path, body: nil, .decoding(), clauses()).value
    }

    /// Sends a value by POST and takes a value from the answer.
    public nonisolated(nonsending) func post<Value: Decodable & Sendable>(
        _ path: RequestPath,
        body: some Encodable & Sendable,
        as type: Value.Type = Value.self,
        @ScopeBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.post, path, body: Body(body), .decoding(), clauses()).value
    }

    /// Sends a value by POST.
    public nonisolated(nonsending) func post(
        _ path: RequestPath,
        body: some Encodable & Sendable,
        @ScopeBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.post, path, body: Body(body), .ignoring, clauses())
    }

    /// Sends a POST without a body.
    public nonisolated(nonsending) func post(_ path: RequestPath, @ScopeBuilder _ clauses: () -> Scope = { Scope() })
        async throws(APIError)
    {
        _ = try await call(.post, path, body: nil, .ignoring, clauses())
    }

    /// Sends a value by PUT and takes a value from the answer.
    public nonisolated(nonsending) func put<Value: Decodable & Sendable>(
        _ path: RequestPath,
        body: some Encodable & Sendable,
        as type: Value.Type = Value.self,
        @ScopeBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.put, path, body: Body(body), .decoding(), clauses()).value
    }

    /// Sends a value by PUT.
    public nonisolated(nonsending) func put(
        _ path: RequestPath,
        body: some Encodable & Sendable,
        @ScopeBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.put, path, body: Body(body), .ignoring, clauses())
    }

    /// Sends a value by PATCH, as `application/json`, and takes a value from the answer.
    public nonisolated(nonsending) func patch<Value: Decodable & Sendable>(
        _ path: RequestPath,
        body: some Encodable & Sendable,
        as type: Value.Type = Value.self,
        @ScopeBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.patch, path, body: Body(body), .decoding(), clauses()).value
    }

    /// Sends a value by PATCH, as `application/json`.
    public nonisolated(nonsending) func patch(
        _ path: RequestPath,
        body: some Encodable & Sendable,
        @ScopeBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.patch, path, body: Body(body), .ignoring, clauses())
    }

    /// Deletes what is at a path.
    public nonisolated(nonsending) func delete(_ path: RequestPath, @ScopeBuilder _ clauses: () -> Scope = { Scope() })
        async throws(APIError)
    {
        _ = try await call(.delete, path, body: nil, .ignoring, clauses())
    }

    /// Fetches the head of what is at a path.
    public nonisolated(nonsending) func head(
        _ path: RequestPath,
        @ScopeBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Response<Void> {
        try await call(.head, path, body: nil, .ignoring, clauses())
    }

    private nonisolated(nonsending) func call<Value: Sendable>(
        _ method: HTTPRequest.Method,
        _ path: RequestPath,
        body: Body?,
        _ reader: ValueReader<Value>,
        _ clauses: Scope
    ) async throws(APIError) -> Response<Value> {
        var declaration = clauses
        Route(method, .path(path)).declare(in: &declaration)
        body?.declare(in: &declaration)
        return try await Endpoint(client: self, declaration: declaration, reader: reader).response()
    }
}
