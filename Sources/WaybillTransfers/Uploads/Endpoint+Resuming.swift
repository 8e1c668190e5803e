import Waybill

extension Endpoint {
    /// Starts or resumes a resumable upload, and returns the value of its response.
    ///
    /// ```swift
    /// let place = photo.appendingPathExtension("token")
    /// let saved = try? JSONDecoder().decode(Resumable.Token.self, from: Data(contentsOf: place))
    /// let item = try await shop.upload(photo, title: "Dawn").send(resuming: saved) { token in
    ///     try? JSONEncoder().encode(token).write(to: place)
    /// }
    /// ```
    ///
    /// The endpoint must declare the upload protocol with ``Resumable``. Without a token, the call creates an upload.
    /// When the server returns the upload's URL, the closure receives a token, for example to save it. With a token,
    /// the call asks the server for the offset and sends the remaining bytes, even in another process. A token contains
    /// no credential, so the call provides one. If the server has removed the upload, the call fails with
    /// `APIError.UploadFailure.Reason.expired`; send it again without the token.
    ///
    /// - Parameters:
    ///   - token: the token of an interrupted upload; nil for a new one. A token for another endpoint, protocol, length
    ///     or content is an `APIError.upload`, and nothing is sent.
    ///   - control: a handle for pausing the upload; its `progress` counts only bytes acknowledged by the server.
    ///   - save: a closure that receives the token of a new upload, once. If the protocol creates uploads without
    ///     content, the body is sent only after the closure has returned.
    /// - Returns: the value of the response.
    /// - Throws: `APIError`.
    @discardableResult
    public func send(
        resuming token: Resumable.Token?,
        controlledBy control: TransferControl? = nil,
        saving save: @escaping @Sendable (Resumable.Token) async -> Void = { _ in }
    ) async throws(APIError) -> Value {
        try await response(resuming: token, controlledBy: control, saving: save).value
    }

    /// Starts or resumes a resumable upload, and returns the whole response.
    ///
    /// - Parameters:
    ///   - token: the token of an interrupted upload; nil for a new one.
    ///   - control: a handle for pausing the upload; its `progress` counts only bytes acknowledged by the server.
    ///   - save: a closure that receives the token of a new upload, once.
    /// - Returns: the response to the last request of the upload.
    /// - Throws: `APIError`.
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
