/// A call that is under way, as a ``Middleware`` sees it.
public struct Call: Sendable {
    /// The plan of the call.
    public let plan: Plan

    /// The number of this attempt, counted from 1.
    public let attempt: Int

    /// The context of the call.
    package let context: CallContext

    package init(plan: Plan, attempt: Int = 1, context: CallContext = CallContext()) {
        self.plan = plan
        self.attempt = attempt
        self.context = context
    }

    /// Returns the same call at another attempt.
    package func at(attempt: Int) -> Call {
        attempt == self.attempt ? self : Call(plan: plan, attempt: attempt, context: context)
    }

    /// The secrets of the declaration, and those of the requests whose responses the call's middlewares have seen.
    package var secrets: SecretNameSet {
        context.sentSecrets.reduce(into: plan.secrets.collected) { $0.formUnion($1.collected) }
    }

    /// The settings that hold for the call, an app's own included.
    public var settings: Scope.Settings { plan.settings }

    /// Returns the error with which a middleware gives up: an ``APIError`` as it is, any other as a
    /// ``APIError/MiddlewareFailure``.
    ///
    /// ```swift
    /// struct NoSuchProduct: Error {}
    ///
    /// struct Checked: Middleware {
    ///     func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
    ///         let response = try await next(request)
    ///         guard response.status != 404 else { throw call.failure(NoSuchProduct(), status: response.status) }
    ///         return response
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - error: the reason.
    ///   - status: the status of the response behind the error, so that ``APIError/status`` and
    ///     ``APIError/isNotFound`` have it; nil if there was none.
    /// - Returns: the error to throw.
    public func failure(_ error: any Error, status: HTTPResponse.Status? = nil) -> APIError {
        switch error {
        case let error as APIError: error
        case let error as TransportError: transportFailure(error)
        case is CancellationError: .cancelled(APIError.CancelledFailure(call: plan.failedCall(attempt: attempt)))
        default:
            .middleware(
                APIError.MiddlewareFailure(call: plan.failedCall(attempt: attempt), underlying: error, status: status)
            )
        }
    }

    /// Returns the failure of a request, with its secrets removed from the error's texts.
    // Not inlined: its values need no room for as long as a call waits.
    @inline(never)
    package func transportFailure(_ error: TransportError, sent request: CallRequest? = nil) -> APIError {
        var call = plan.failedCall(attempt: attempt)
        if let request { call.secrets = request.secrets }
        guard error.kind == .cancelled else {
            let secrets = (request?.secrets ?? plan.secrets).collected
            return .transport(APIError.TransportFailure(call: call, error: error.redacted(by: secrets)))
        }
        var failure = APIError.CancelledFailure(call: call)
        failure.awaitedServer = true
        return .cancelled(failure)
    }
}

extension Call: CustomStringConvertible, CustomReflectable {
    /// The request line and the header fields, secrets redacted.
    public var description: String { plan.description }

    /// The plan, secrets redacted, and the number of the attempt.
    public var customMirror: Mirror {
        Mirror(self, children: ["plan": plan, "attempt": attempt], displayStyle: .struct)
    }
}

extension Call {
    /// Returns what a transport gets to know of the transfer of a request.
    // Not inlined: its values need no room for as long as the transport works.
    @inline(never)
    package func options(of request: CallRequest, _ report: TransferReport) -> TransferOptions {
        var options = TransferOptions()
        options.template = plan.template
        options.control = plan.control
        options.attempt = request.attempt
        options.uploadPart = request.uploadPart
        options.report = report
        options.secretValues = request.declaredSecrets
        if let timeout = plan.settings[Timeout.self] {
            options.timeLimit = timeout.limit.map { .duration($0) } ?? TransferOptions.TimeLimit.none
        }
        return options
    }

    /// Does the work of the call until a deadline, which also holds for the calls within it, such as one for a token.
    ///
    /// The deadline cancels work that has not finished. The call waits for the end of that work, which never outlives
    /// the call.
    package func perform<Value: Sendable>(
        by deadline: Deadline,
        _ work: @escaping @Sendable () async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        // The work begins before the cancellation of the caller's task can reach it.
        guard !Task.isCancelled else { throw failure(CancellationError()) }
        let remaining = deadline.remaining()
        guard remaining > .zero else { throw timeout(deadline.limit) }
        // Computed before the work begins, because the work may take time before it first waits.
        let moment = deadline.moment(on: context.time, remaining: remaining)
        // A task of its own can be cancelled, and leaves the caller's as it is.
        let task = ImmediateTask.start { () -> Result<Value, APIError> in
            do throws(APIError) {
                return .success(try await TaskContext.run(changing: { $0.deadline = deadline }, work))
            } catch {
                return .failure(error)
            }
        }
        let number = context.deadlines.add(at: moment) { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        guard !context.deadlines.remove(number) else { return try result.get() }
        // Only its error has the progress of the call.
        throw timeout(deadline.limit, progress: { if case .failure(let error) = result { error.call } else { nil } })
    }

    // Not inlined: its values need no room for as long as the call waits.
    @inline(never)
    private func timeout(_ limit: Duration, progress: () -> APIError.FailedCall? = { nil }) -> APIError {
        .timeout(APIError.TimeoutFailure(call: progress() ?? plan.failedCall(), limit: limit))
    }
}

extension Call {
    /// Sends a request over a transport and tells the observers: of each request that goes out, and of each head that
    /// comes, those of redirects too.
    package func transfer(
        _ request: CallRequest,
        over transport: any Transport
    ) async throws(TransportError) -> CallResponse {
        if isObserved { reportSending(request) }
        let report = TransferReport(isMeasured: isObserved)
        let message = try await transport.send(request.message, options: options(of: request, report))
        let response = CallResponse(message, to: request, report)
        return isObserved ? reported(response, to: request) : response
    }

    // Not inlined: their values need no room for as long as the transport works.
    @inline(never)
    private func reportSending(_ request: CallRequest) {
        report(.sent(bodyBytes: request.body == nil ? 0 : request.body?.length), of: request)
    }

    @inline(never)
    private func reported(_ response: CallResponse, to request: CallRequest) -> CallResponse {
        var response = response
        response.url = response.url ?? request.url
        report(.head(response.status), of: response)
        return response
    }
}
