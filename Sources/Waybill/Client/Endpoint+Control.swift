extension Endpoint {
    /// Sends the call with a handle that pauses it and tells its progress, and returns its value.
    ///
    /// ```swift
    /// let control = TransferControl()
    /// async let item = shop.upload(photo, title: "Dawn").send(controlledBy: control)
    /// for await progress in control.progress { bar.update(progress.fractionSent ?? 0) }
    /// ```
    ///
    /// The short form of ``Control`` for one call.
    ///
    /// - Parameter control: the handle, whose `progress` ends with the call.
    /// - Returns: the value.
    /// - Throws: ``APIError``.
    @discardableResult
    public func send(controlledBy control: TransferControl) async throws(APIError) -> Value {
        try await response(controlledBy: control).value
    }

    /// Sends the call with a handle that pauses it and tells its progress, and returns the whole response.
    ///
    /// - Parameter control: the handle, whose `progress` ends with the call.
    /// - Returns: the response.
    /// - Throws: ``APIError``.
    public func response(controlledBy control: TransferControl) async throws(APIError) -> Response<Value> {
        var clauses = Scope()
        Control(with: control).declare(in: &clauses)
        return try await response(of: try planForCall(Scope.call(clauses)))
    }
}

extension Endpoint {
    /// Sends a resumable upload, or what the server does not have of it yet, and returns the value of the call.
    ///
    /// ```swift
    /// let place = photo.appendingPathExtension("token")
    /// let saved = try? JSONDecoder().decode(Resumable.Token.self, from: Data(contentsOf: place))
    /// let item = try await shop.upload(photo, title: "Dawn").send(resuming: saved) { token in
    ///     try? JSONEncoder().encode(token).write(to: place)
    /// }
    /// ```
    ///
    /// The endpoint declares the protocol by ``Resumable``. A call without a token creates an upload; as soon as the
    /// server has given its URL, the token is passed to the closure, which may write it to a file. A call with a token
    /// asks the server for the offset and sends the rest, in any process, with a credential of its own. If the server
    /// has removed the upload, the error is ``APIError/UploadFailure/Reason/expired(_:)``: send the call without it.
    ///
    /// - Parameters:
    ///   - token: the token of an upload that has begun; nil for a new one. One of another endpoint, protocol, length
    ///     or content is an ``APIError/upload(_:)``, and nothing is sent.
    ///   - control: the handle, whose `progress` has the bytes that the server has acknowledged.
    ///   - save: receives the token of a new upload once. With a creation without content, no byte of the body is sent
    ///     before the closure has returned.
    /// - Returns: the value.
    /// - Throws: ``APIError``.
    @discardableResult
    public func send(
        resuming token: Resumable.Token?,
        controlledBy control: TransferControl? = nil,
        saving save: @escaping @Sendable (Resumable.Token) async -> Void = { _ in }
    ) async throws(APIError) -> Value {
        try await response(resuming: token, controlledBy: control, saving: save).value
    }

    /// Sends a resumable upload, or what the server does not have of it yet, and returns the whole response.
    ///
    /// - Parameters:
    ///   - token: the token of an upload that has begun; nil for a new one.
    ///   - control: the handle, whose `progress` has the bytes that the server has acknowledged.
    ///   - save: receives the token of a new upload once.
    /// - Returns: the response to the last request of the upload.
    /// - Throws: ``APIError``.
    public func response(
        resuming token: Resumable.Token?,
        controlledBy control: TransferControl? = nil,
        saving save: @escaping @Sendable (Resumable.Token) async -> Void = { _ in }
    ) async throws(APIError) -> Response<Value> {
        var clauses = Scope()
        if let control { Control(with: control).declare(in: &clauses) }
        UploadResumption(token: token, save: save).declare(in: &clauses)
        return try await response(of: try planForCall(Scope.call(clauses)))
    }
}

extension Endpoint {
    /// Returns the same call with further clauses, as its innermost scope.
    ///
    /// ```swift
    /// let fresh = try await shop.search("lamp").with { Cached.Policy(.reload) }.send()
    /// ```
    ///
    /// A route, a body or an operation does not compile here. One in a prebuilt ``Scope`` is a declaration error, and
    /// nothing is sent.
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
    /// Returns the scopes that a single call declares, outermost first.
    package static func call(_ clauses: Scope) -> [Scope] {
        var scope = clauses
        scope.name = "call"
        scope.isForOneCall = true
        scope.rejectRouteAndBody()
        scope.rejectOperations()
        return scope.flattened
    }
}
