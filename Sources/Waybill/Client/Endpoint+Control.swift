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
