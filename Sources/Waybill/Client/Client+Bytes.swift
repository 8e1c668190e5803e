import WaybillSystem

// `Data` is `Encodable`, so the general methods accept it, but fail at run time. The compiler prefers these overloads
// and warns. It would skip unavailable overloads in favor of the general methods, so a compile-time error is not
// possible.

extension Client {
    /// Fails without sending anything, because bytes need a content type.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - bytes: the bytes.
    ///   - type: the type of the response value.
    ///   - clauses: further clauses of the call.
    /// - Returns: the response value.
    /// - Throws: ``APIError/request(_:)``.
    @available(
        *,
        deprecated,
        message: "give the content type of the bytes: endpoint { POST(path); Body(bytes, contentType: \"image/png\") }"
    )
    public nonisolated(nonsending) func post<Value: Decodable & Sendable>(
        _ path: Route.Path,
        body bytes: Data,
        as type: Value.Type = Value.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.post, path, body: Body(.value(bytes)), reader: .decoding(), clauses: clauses()).value
    }

    /// Fails without sending anything, because bytes need a content type.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - bytes: the bytes.
    ///   - type: `Void`; the response body is ignored.
    ///   - clauses: further clauses of the call.
    /// - Throws: ``APIError/request(_:)``.
    @available(
        *,
        deprecated,
        message: "give the content type of the bytes: endpoint { POST(path); Body(bytes, contentType: \"image/png\") }"
    )
    public nonisolated(nonsending) func post(
        _ path: Route.Path,
        body bytes: Data,
        as type: Void.Type = Void.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.post, path, body: Body(.value(bytes)), reader: .ignoring, clauses: clauses())
    }

    /// Fails without sending anything, because bytes need a content type.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - bytes: the bytes.
    ///   - type: the type of the response value.
    ///   - clauses: further clauses of the call.
    /// - Returns: the response value.
    /// - Throws: ``APIError/request(_:)``.
    @available(
        *,
        deprecated,
        message: "give the content type of the bytes: endpoint { PUT(path); Body(bytes, contentType: \"image/png\") }"
    )
    public nonisolated(nonsending) func put<Value: Decodable & Sendable>(
        _ path: Route.Path,
        body bytes: Data,
        as type: Value.Type = Value.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.put, path, body: Body(.value(bytes)), reader: .decoding(), clauses: clauses()).value
    }

    /// Fails without sending anything, because bytes need a content type.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - bytes: the bytes.
    ///   - type: `Void`; the response body is ignored.
    ///   - clauses: further clauses of the call.
    /// - Throws: ``APIError/request(_:)``.
    @available(
        *,
        deprecated,
        message: "give the content type of the bytes: endpoint { PUT(path); Body(bytes, contentType: \"image/png\") }"
    )
    public nonisolated(nonsending) func put(
        _ path: Route.Path,
        body bytes: Data,
        as type: Void.Type = Void.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.put, path, body: Body(.value(bytes)), reader: .ignoring, clauses: clauses())
    }

    /// Fails without sending anything, because bytes need a content type.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - bytes: the bytes.
    ///   - type: the type of the response value.
    ///   - clauses: further clauses of the call.
    /// - Returns: the response value.
    /// - Throws: ``APIError/request(_:)``.
    @available(
        *,
        deprecated,
        message: "give the content type of the bytes: endpoint { PATCH(path); Body(bytes, contentType: \"image/png\") }"
    )
    public nonisolated(nonsending) func patch<Value: Decodable & Sendable>(
        _ path: Route.Path,
        body bytes: Data,
        as type: Value.Type = Value.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) -> Value {
        try await call(.patch, path, body: Body(.value(bytes)), reader: .decoding(), clauses: clauses()).value
    }

    /// Fails without sending anything, because bytes need a content type.
    ///
    /// - Parameters:
    ///   - path: the path below the base URL.
    ///   - bytes: the bytes.
    ///   - type: `Void`; the response body is ignored.
    ///   - clauses: further clauses of the call.
    /// - Throws: ``APIError/request(_:)``.
    @available(
        *,
        deprecated,
        message: "give the content type of the bytes: endpoint { PATCH(path); Body(bytes, contentType: \"image/png\") }"
    )
    public nonisolated(nonsending) func patch(
        _ path: Route.Path,
        body bytes: Data,
        as type: Void.Type = Void.self,
        @Scope.CallBuilder _ clauses: () -> Scope = { Scope() }
    ) async throws(APIError) {
        _ = try await call(.patch, path, body: Body(.value(bytes)), reader: .ignoring, clauses: clauses())
    }
}
