extension Endpoint {
    /// Sends the call with a handle for pausing it and observing its progress, and returns its value.
    ///
    /// ```swift
    /// let control = TransferControl()
    /// async let item = shop.upload(photo, title: "Dawn").send(controlledBy: control)
    /// for await progress in control.progress { bar.update(progress.fractionSent ?? 0) }
    /// ```
    ///
    /// This is shorthand for declaring ``Control`` on a single call.
    ///
    /// - Parameter control: the handle; its `progress` ends with the call.
    /// - Returns: the response value.
    /// - Throws: ``APIError``.
    @discardableResult
    public func send(controlledBy control: TransferControl) async throws(APIError) -> Value {
        try await response(controlledBy: control).value
    }

    /// Sends the call with a handle for pausing it and observing its progress, and returns the whole response.
    ///
    /// - Parameter control: the handle; its `progress` ends with the call.
    /// - Returns: the response.
    /// - Throws: ``APIError``.
    public func response(controlledBy control: TransferControl) async throws(APIError) -> Response<Value> {
        var clauses = Scope()
        Control(with: control).declare(in: &clauses)
        return try await response(of: try planForCall(Scope.call(clauses)))
    }
}

// WaybillTransfers and WaybillOperations also declare these methods. If a product is not imported, the error message
// names it.
extension Endpoint {
    /// Does not compile without `import WaybillTransfers`, which declares this method.
    ///
    /// - Parameters:
    ///   - token: the saved token of an interrupted upload; nil for a new upload.
    ///   - control: the handle that pauses the call and reports its progress.
    ///   - save: receives each new token.
    /// - Returns: the response value.
    /// - Throws: `APIError`.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that resumes uploads")
    @discardableResult
    public func send(
        resuming token: (any Sendable)?,
        controlledBy control: TransferControl? = nil,
        saving save: @escaping @Sendable (Any) async -> Void = { _ in }
    ) async throws(APIError) -> Value { try await send() }

    /// Does not compile without `import WaybillTransfers`, which declares this method.
    ///
    /// - Parameters:
    ///   - token: the saved token of an interrupted upload; nil for a new upload.
    ///   - control: the handle that pauses the call and reports its progress.
    ///   - save: receives each new token.
    /// - Returns: the response.
    /// - Throws: `APIError`.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that resumes uploads")
    public func response(
        resuming token: (any Sendable)?,
        controlledBy control: TransferControl? = nil,
        saving save: @escaping @Sendable (Any) async -> Void = { _ in }
    ) async throws(APIError) -> Response<Value> { try await response() }

    /// Does not compile without `import WaybillOperations`, which declares this method.
    ///
    /// - Parameters:
    ///   - token: the saved token of a started operation; nil for a new one.
    ///   - follow: receives the progress of the operation.
    /// - Returns: the response value.
    /// - Throws: `APIError`.
    @available(
        *,
        unavailable,
        message:
            "add `import WaybillOperations`, the product that follows operations; for transfers, pass `controlledBy:`"
    )
    @discardableResult
    public func send(
        continuing token: (any Sendable)? = nil,
        following follow: @escaping @Sendable (Any) async -> Void
    ) async throws(APIError) -> Value { try await send() }

    /// Does not compile without `import WaybillOperations`, which declares this method.
    ///
    /// - Parameters:
    ///   - token: the saved token of a started operation; nil for a new one.
    ///   - follow: receives the progress of the operation.
    /// - Returns: the response.
    /// - Throws: `APIError`.
    @available(
        *,
        unavailable,
        message:
            "add `import WaybillOperations`, the product that follows operations; for transfers, pass `controlledBy:`"
    )
    public func response(
        continuing token: (any Sendable)? = nil,
        following follow: @escaping @Sendable (Any) async -> Void
    ) async throws(APIError) -> Response<Value> { try await response() }
}

extension Endpoint {
    /// Returns the same call with an additional innermost scope.
    ///
    /// ```swift
    /// let hits = try await shop.search("lamp").with { Timeout(.seconds(5)) }.send()
    /// ```
    ///
    /// Declaring a route, a body or an operation here does not compile. If a prebuilt ``Scope`` contains one, it is a
    /// declaration error, and nothing is sent.
    ///
    /// - Parameter clauses: the clauses of the scope.
    /// - Returns: the changed call.
    public func with(@Scope.CallBuilder _ clauses: () -> Scope) -> Endpoint {
        Endpoint(
            client: client,
            scopes: scopes + Scope.call(clauses()),
            target: target,
            reader: reader,
            reread: reread
        )
    }
}

extension Scope {
    /// Returns the scopes for clauses declared on a single call, outermost first.
    package static func call(_ clauses: Scope) -> [Scope] {
        var scope = clauses
        scope.name = "call"
        scope.isForOneCall = true
        scope.rejectRouteAndBody()
        scope.rejectOperations()
        return scope.flattened
    }
}
