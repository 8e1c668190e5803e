import Waybill
import WaybillSystem

/// A step that joins a request to an identical one in flight.
package struct CoalescingStep: CallStep {
    private let inFlight: InFlightRequests

    /// Creates the step; nil if the clause is ``Coalesced/none``.
    package init?(_ clause: Coalesced, of call: Call) {
        guard clause.isOn else { return nil }
        inFlight = InFlightRequests.shared(by: call)
    }

    /// Sends a request, or waits for the response to an identical one.
    ///
    /// - Throws: the errors of the inner steps.
    package func handle(
        _ request: CallRequest,
        of call: Call,
        next: @escaping Next
    ) async throws(APIError) -> CallResponse {
        guard request.method.isSafe else {
            // A request that starts during or after this one must not receive an earlier response.
            inFlight.close(request.url)
            defer { inFlight.close(request.url) }
            return try await next(request)
        }
        // A call that blocks others must not wait for them, and a single-use body cannot be shared.
        let task = TaskContext.current
        guard call.context.bodyUse.isWhole, !task.isBehindLimit, !task.isRefreshing, request.hasCacheableContent,
            call.plan.control == nil,
            let caller = try await CallerIdentity(of: request, call)
        else { return try await next(request) }
        let key = TransferKey(request, of: call, by: caller)
        while true {
            let (number, isFirst) = inFlight.join(key)
            if isFirst { begin(number, with: request, of: call, next: next) }
            let outcome = await inFlight.outcome(of: number)
            switch outcome {
            case .left: throw left(call, isFirst: isFirst)
            case .ended(let transfer):
                if isFirst { return try transfer.result.get() }
                if Task.isCancelled { throw call.failure(CancellationError()) }
                // The first call ran out of time, but this one has not.
                if transfer.isLate, call.context.deadline.map({ $0.remaining() > .zero }) ?? true { continue }
                // An inner step may have changed the user, and a response for a different user must not be shared.
                if case .success(let response) = transfer.result,
                    response.request.map({ CallerIdentity(of: $0) != caller }) ?? true
                {
                    return try await next(request)
                }
                return try joined(transfer.result, for: request, of: call)
            }
        }
    }

    /// Returns the error of a cancelled call, which contains the failed attempts only if this call made them.
    private func left(_ call: Call, isFirst: Bool) -> APIError {
        var error = call.failure(CancellationError())
        let earlier = call.context.failedAttempts
        guard isFirst, let last = earlier.last else { return error }
        error.call.attempt = last.call.attempt + 1
        error.call.earlierFailures = earlier
        return error
    }

    private func begin(_ number: Int, with request: CallRequest, of call: Call, next: @escaping Next) {
        // Run in a separate task: the first call may end before the others.
        let task = ImmediateTask.start {
            await TaskContext.run(changing: { $0.deadline = nil }) {
                var transfer: TransferResult
                do throws(APIError) {
                    var response = try await next(request)
                    try await call.at(attempt: response.attempt).readBody(of: &response)
                    transfer = TransferResult(result: .success(response))
                    transfer.isLate = response.retryRejection.map(Self.isOfDeadline) ?? false
                } catch {
                    transfer = TransferResult(result: .failure(error))
                    let isOver = call.context.deadline.map { $0.remaining() <= .zero } ?? false
                    transfer.isLate = isOver || Self.isOfDeadline(error)
                }
                inFlight.end(number, transfer)
            }
        }
        inFlight.started(number, task)
    }

    /// Whether the error is due to the first call's deadline.
    private static func isOfDeadline(_ error: APIError) -> Bool {
        if case .rejected(let failure) = error, case .rateLimited(_, _, .deadline) = failure.reason { return true }
        return error.call.retryRejection.map(isOfDeadline) ?? false
    }

    private static func isOfDeadline(_ rejection: APIError.RetryRejection) -> Bool {
        if case .waitPassesDeadline = rejection { true } else { false }
    }

    /// Converts the result of a shared transfer to the result of this call.
    private func joined(
        _ result: Result<CallResponse, APIError>,
        for request: CallRequest,
        of call: Call
    ) throws(APIError) -> CallResponse {
        call.report(.cached(.shared))
        do throws(APIError) {
            var response = try result.get()
            // Errors of this call must redact its secrets.
            response.request?.secretNames.formUnion(request.secretNames)
            return response
        } catch {
            var (own, error) = (call.plan.failedCall(attempt: error.call.attempt), error)
            own.earlierFailures = error.call.earlierFailures
            own.retryRejection = error.call.retryRejection
            error.call = own
            throw error
        }
    }
}

/// The properties that must be equal in requests that share a transfer.
struct TransferKey: Sendable, Hashable {
    let method: HTTPRequest.Method
    let url: URL
    /// The body of a QUERY request.
    let body: Data?
    let headerFields: HTTPFields
    let caller: CallerIdentity
    /// The success statuses, which determine how much of the body is read.
    let success: HTTPResponse.StatusSet?
    let redirects: Redirects.Policy?
    /// The origin to which redirected requests are sent.
    let links: Route.Links.Target?
    let mostBytes: [Int?]
    /// Whether an overlong body is dropped; a call that needs the body cannot share such a transfer.
    let dropsLongBody: Bool
    /// The middleware around the attempts.
    ///
    /// It runs inside this step, so it can change the user of a request.
    let middlewares: [MiddlewareIdentity]

    init(_ request: CallRequest, of call: Call, by caller: CallerIdentity) {
        method = request.method
        url = request.url
        body = request.body?.bytes
        headerFields = request.headerFields
        self.caller = caller
        let settings = call.settings
        success = settings[Success.self]?.statuses
        redirects = settings[Redirects.self]?.policy
        links = settings[Route.Links.self]?.target
        let limits = settings[BodyLimits.self]
        mostBytes = [limits?.successBytes, limits?.failureBytes]
        dropsLongBody = call.dropsLongBody
        middlewares = settings[AttemptMiddlewareChain.self]?.elements.map(\.identity) ?? []
    }
}

extension Coalesced: CallOption {
    /// The clause itself.
    public var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        steps.add(CoalescingStep(self, of: call), at: .shared)
    }
}
