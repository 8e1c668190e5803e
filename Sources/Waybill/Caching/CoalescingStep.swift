import Foundation

/// Joins a request to an identical one that is on its way.
package struct CoalescingStep: Middleware {
    private let flights: Flights

    /// The step that is declared for a call; nil where none is.
    package init?(of call: Call) {
        guard call.settings[Coalesced.self]?.isOn ?? false else { return nil }
        flights = Flights.shared(by: call)
    }

    /// A call whose attempts can be told though it leaves before they have come to an end.
    package static func prepared(_ call: Call) -> Call {
        guard call.settings[Coalesced.self]?.isOn ?? false else { return call }
        var context = call.context
        context.failedAttempts = Locked([])
        return Call(plan: call.plan, attempt: call.attempt, context: context)
    }

    /// Sends a request, or waits for the response of an identical one.
    ///
    /// - Throws: what the rest of the way throws.
    package func handle(
        _ request: HTTPRequest,
        of call: Call,
        next: @escaping Next
    ) async throws(APIError) -> HTTPResponse {
        guard request.method.isSafe else {
            // Whoever asks while this is on its way, or after it, may not get what was answered before.
            flights.close(request.url.value)
            defer { flights.close(request.url.value) }
            return try await next(request)
        }
        // What others wait for cannot wait for them.
        guard !Errand.isBehindLimit, !Errand.isRefresh, request.body == nil, request.control == nil,
            let caller = try await CallerIdentity(of: request, call)
        else { return try await next(request) }
        let key = FlightKey(request, call, caller)
        while true {
            let (number, isFirst) = flights.join(key)
            if isFirst { begin(number, request, call, next) }
            let outcome = await flights.outcome(of: number)
            switch outcome {
            case .left: throw left(call, isFirst: isFirst)
            case .landed(let landing):
                if isFirst { return try landing.result.get() }
                if Task.isCancelled { throw call.failure(CancellationError()) }
                // The deadline of the call that was first is its own.
                if landing.isLate, call.context.deadline.map({ $0.remaining() > .zero }) ?? true { continue }
                // A step below may have put in whoever asks: what was sent for somebody else is not this call's.
                if case .success(let response) = landing.result,
                    response.request.map({ CallerIdentity(of: $0) != caller }) ?? true
                {
                    return try await next(request)
                }
                return try joined(landing.result, request, call)
            }
        }
    }

    /// The failure of a call that does not wait any more: its own attempts are known, others' are not its.
    private func left(_ call: Call, isFirst: Bool) -> APIError {
        var error = call.failure(CancellationError())
        guard isFirst, let earlier = call.context.failedAttempts?.withLock({ $0 }), let last = earlier.last else {
            return error
        }
        error.call.attempt = last.call.attempt + 1
        error.call.earlierFailures = earlier
        return error
    }

    private func begin(_ number: Int, _ request: HTTPRequest, _ call: Call, _ next: @escaping Next) {
        // In a task of its own: the call that is first may leave before the others.
        let task = Task {
            await Deadline.$current.withValue(nil) {
                var landing: Landing
                do throws(APIError) {
                    var response = try await next(request)
                    try await call.at(attempt: response.attempt).readBody(of: &response)
                    landing = Landing(result: .success(response))
                    landing.isLate = response.retryRefusal.map(Self.isOfDeadline) ?? false
                } catch {
                    landing = Landing(result: .failure(error))
                    let isOver = call.context.deadline.map { $0.remaining() <= .zero } ?? false
                    landing.isLate = isOver || Self.isOfDeadline(error)
                }
                flights.land(number, landing)
            }
        }
        flights.started(number, task)
    }

    /// Whether it failed because the first call's deadline leaves no time.
    private static func isOfDeadline(_ error: APIError) -> Bool {
        if case .refused(let failure) = error, case .rateLimited(_, _, .deadline) = failure.reason { return true }
        return error.call.retryRefusal.map(isOfDeadline) ?? false
    }

    private static func isOfDeadline(_ refusal: any Sendable) -> Bool {
        if case .waitPassesDeadline? = refusal as? RetryRefusal { true } else { false }
    }

    /// What another call got, as this one's.
    private func joined(
        _ result: Result<HTTPResponse, APIError>,
        _ request: HTTPRequest,
        _ call: Call
    ) throws(APIError) -> HTTPResponse {
        call.report(.cached(.shared))
        do throws(APIError) {
            var response = try result.get()
            // What is secret to this call is not to be seen in its errors.
            response.request?.secretNames.formUnion(request.secretNames)
            return response
        } catch {
            var (own, error) = (call.plan.failedCall(attempt: error.call.attempt), error)
            own.earlierFailures = error.call.earlierFailures
            own.retryRefusal = error.call.retryRefusal
            error.call = own
            throw error
        }
    }
}

/// What makes two requests identical.
struct FlightKey: Sendable, Hashable {
    let method: HTTPRequest.Method
    let url: URL
    let headerFields: HTTPFields
    let caller: CallerIdentity
    /// How the answer is taken: what counts as success decides how much of the body is read.
    let manner: [String]
    /// What is around its attempts: below, and so unknown to whom else the answer may go.
    let middlewares: [Int]

    init(_ request: HTTPRequest, _ call: Call, _ caller: CallerIdentity) {
        method = request.method
        url = request.url.value
        headerFields = request.headerFields
        self.caller = caller
        let settings = call.settings
        manner = [
            settings[Success.self]?.summary ?? "", settings[Redirects.self]?.summary ?? "",
            settings[BodyLimits.self]?.summary ?? "",
        ]
        middlewares = settings[AttemptMiddlewareChain.self]?.numbers ?? []
    }
}
