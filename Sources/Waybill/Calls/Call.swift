/// A call in progress, as passed to a ``Middleware``.
public struct Call: Sendable {
    /// The call's plan.
    public let plan: Call.Plan

    /// The number of this attempt, starting at 1.
    public let attempt: Int

    package let context: CallContext

    package init(plan: Call.Plan, attempt: Int = 1, context: CallContext = CallContext()) {
        self.plan = plan
        self.attempt = attempt
        self.context = context
    }

    /// Returns this call with another attempt number.
    package func at(attempt: Int) -> Call {
        attempt == self.attempt ? self : Call(plan: plan, attempt: attempt, context: context)
    }

    /// The secrets of the declaration and of all requests whose responses a middleware has received.
    package var secrets: SecretNameSet {
        context.sentSecrets.reduce(into: plan.secrets.collected) { $0.formUnion($1.collected) }
    }

    /// The settings that apply to the call, including app-defined ones.
    public var settings: Scope.Settings { plan.settings }

    /// Returns the error for a middleware to throw.
    ///
    /// An ``APIError`` is returned unchanged; any other error is converted.
    ///
    /// A `TransportError` becomes the failure of the transfer, and a `CancellationError` becomes an
    /// ``APIError/CancelledFailure``. Other errors are wrapped in an ``APIError/MiddlewareFailure``.
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
    ///   - error: the cause of the failure.
    ///   - status: the response status that caused the failure, if any. ``APIError/status`` returns it, and
    ///     ``APIError/isNotFound`` depends on it.
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

    /// Returns the error for a failed transfer, with the request's secrets redacted.
    @inline(never)  // keeps frames small: see Architecture.md
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
    /// The request line and the header fields, with secrets redacted.
    public var description: String { plan.description }

    /// The plan, with secrets redacted, and the attempt number.
    public var customMirror: Mirror {
        Mirror(self, children: ["plan": plan, "attempt": attempt], displayStyle: .struct)
    }
}

extension Call {
    /// Returns the transfer options for a request.
    @inline(never)  // keeps frames small: see Architecture.md
    package func options(of request: CallRequest, _ report: TransferOptions.Report) -> TransferOptions {
        var options = TransferOptions()
        options.template = plan.template
        options.control = plan.control
        options.attempt = request.attempt
        options.uploadPart = request.uploadPart
        options.report = report
        options.secretValues = request.declaredSecrets.declared
        if let timeout = plan.settings[Timeout.self] {
            options.timeout = timeout.limit.map { .duration($0) } ?? TransferOptions.Timeout.none
        }
        return options
    }

    /// Performs the call's work with a deadline, which also applies to nested calls, such as one for a token.
    ///
    /// Unfinished work is cancelled at the deadline. The call waits for the work to end, so work never outlives its
    /// call.
    package func perform<Value: Sendable>(
        by deadline: Deadline,
        _ work: @escaping @Sendable () async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        // The task below starts its work before it can be cancelled.
        guard !Task.isCancelled else { throw failure(CancellationError()) }
        let remaining = deadline.remaining()
        guard remaining > .zero else { throw timeout(deadline.limit) }
        // Computed before starting the work, which may run for a while before it first suspends.
        let moment = deadline.moment(on: context.time, remaining: remaining)
        // A separate task can be cancelled without cancelling the caller's task.
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
        // Only the work's error contains the call's progress.
        throw timeout(deadline.limit, progress: { if case .failure(let error) = result { error.call } else { nil } })
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private func timeout(_ limit: Duration, progress: () -> APIError.FailedCall? = { nil }) -> APIError {
        .timeout(APIError.TimeoutFailure(call: progress() ?? plan.failedCall(), limit: limit))
    }
}

extension Call {
    /// Sends a request using a transport, reporting the request and the response head to observers.
    package func transfer(
        _ request: CallRequest,
        over transport: any Transport
    ) async throws(TransportError) -> CallResponse {
        if isObserved { reportSending(request) }
        let report = TransferOptions.Report(isMeasured: isObserved)
        let message = try await transport.send(request.message, options: options(of: request, report))
        let response = CallResponse(message, to: request, report)
        return isObserved ? reported(response, to: request) : response
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private func reportSending(_ request: CallRequest) {
        report(.sent(bodyBytes: request.body == nil ? 0 : request.body?.length), of: request)
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private func reported(_ response: CallResponse, to request: CallRequest) -> CallResponse {
        var response = response
        response.url = response.url ?? request.url
        report(.head(response.status), of: response)
        return response
    }
}
