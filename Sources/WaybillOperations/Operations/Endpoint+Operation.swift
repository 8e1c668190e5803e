import Waybill

extension Endpoint {
    /// Sends a call declared with ``LongRunning``, reports each status, and returns the result of the operation.
    ///
    /// ```swift
    /// let saved = try? JSONDecoder().decode(LongRunning.Token.self, from: Data(contentsOf: file))
    /// let report = try await shop.makeReport("2026-11").send(continuing: saved) { status in
    ///     try? JSONEncoder().encode(status.token).write(to: file)
    ///     bar.update(status.fractionDone ?? 0)
    /// }
    /// ```
    ///
    /// With a token, the call requests only the status and the result, with the call's credential. Cancelling the call
    /// cancels the operation only if the clause declares a cancellation request.
    ///
    /// To allow pausing the transfer of the first request's body, declare `Control`:
    /// `makeReport(month).with { Control(with: control) }.send { … }`.
    ///
    /// - Parameters:
    ///   - token: the token of an operation in progress; nil for a new one. A token for another endpoint is a
    ///     declaration error: nothing is sent.
    ///   - follow: a closure that receives each status. The first one is reported before the first wait, so that its
    ///     token can be saved; its state may be nil.
    /// - Returns: the result of the operation.
    /// - Throws: `APIError`; a declaration error if the endpoint does not declare the clause.
    @discardableResult
    public func send(
        continuing token: LongRunning.Token? = nil,
        following follow: @escaping @Sendable (LongRunning.Status) async -> Void
    ) async throws(APIError) -> Value {
        try await response(continuing: token, following: follow).value
    }

    /// Sends a call declared with ``LongRunning``, reports each status, and returns the whole response with the result
    /// of the operation.
    ///
    /// - Parameters:
    ///   - token: the token of an operation in progress; nil for a new one. A token for another endpoint is a
    ///     declaration error: nothing is sent.
    ///   - follow: a closure that receives each status, the first one before the first wait.
    /// - Returns: the response that contains the result.
    /// - Throws: `APIError`; a declaration error if the endpoint does not declare the clause.
    public func response(
        continuing token: LongRunning.Token? = nil,
        following follow: @escaping @Sendable (LongRunning.Status) async -> Void
    ) async throws(APIError) -> Response<Value> {
        var clauses = Scope()
        clauses.declare(OperationContinuation(token: token, follow: follow))
        let plan = try planForCall(Scope.call(clauses))
        guard plan.settings.operation != nil else {
            throw .request(
                APIError.RequestFailure(
                    plan.failedCall(),
                    clause: "LongRunning",
                    because: "the endpoint does not declare it, so it has no operation to follow; send() or response()"
                        + " sends it"
                )
            )
        }
        return try await response(of: plan)
    }
}

/// The token passed by the caller, and the closure that receives each status.
struct OperationContinuation: Setting {
    static var clauseName: String { "LongRunning" }

    let token: LongRunning.Token?
    let follow: @Sendable (LongRunning.Status) async -> Void

    var summary: String { token.map { "\($0)" } ?? "a new operation" }
}
