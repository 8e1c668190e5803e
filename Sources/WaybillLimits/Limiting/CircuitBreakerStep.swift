import Waybill
import WaybillSystem

/// A step that rejects calls to an origin whose circuit is open.
package struct CircuitBreakerStep: CallStep {
    /// A trial call in progress; its circuit also admits the calls made on its behalf.
    private struct Trial: Sendable {
        let circuits: Circuits
        let origin: HTTPRequest.Origin
        let permit: Circuit.Permit
    }

    @TaskLocal private static var trial: Trial?

    private let breaker: CircuitBreaker

    /// Creates the step; nil if there is no breaker.
    package init?(_ breaker: CircuitBreaker?) {
        guard let breaker, breaker.isSet else { return nil }
        self.breaker = breaker
    }

    /// Sends the request if the circuit admits it.
    ///
    /// - Throws: `APIError.rejected` if it does not; the errors of the inner steps.
    package func handle(_ request: CallRequest, of call: Call, next: Next) async throws(APIError) -> CallResponse {
        guard let origin = HTTPRequest.Origin(request.url) else { return try await next(request) }
        let context = call.context
        let circuits = context.storage.state(for: breaker) { Circuits(breaker) }
        let permit: Circuit.Permit
        let outer = Self.trial.flatMap { $0.circuits === circuits && $0.origin == origin ? $0.permit : nil }
        switch circuits.admit(to: origin, now: context.time.now, within: outer) {
        case .success(let admitted): permit = admitted
        case .failure(let rejection): throw call.failure(rejection, of: origin, openFor: breaker.time)
        }
        func end(_ outcome: Circuit.Outcome) {
            circuits.end(permit, to: origin, outcome, now: context.time.now, date: context.dates.now)
        }
        do throws(APIError) {
            var response: CallResponse
            if permit.role == .trial {
                response = try await Self.$trial.withValue(
                    Trial(circuits: circuits, origin: origin, permit: permit),
                    call: next,
                    with: request
                )
            } else {
                response = try await next(request)
            }
            // An error while reading the body counts as a failure, too.
            try await call.readBody(of: &response)
            end(call.outcome(of: response, asked: origin))
            return response
        } catch {
            end(call.outcome(of: error))
            throw error
        }
    }
}

extension Call {
    fileprivate func failure(_ rejection: Circuit.Rejection, of origin: HTTPRequest.Origin, openFor time: Duration)
        -> APIError
    {
        let opening = rejection.opening
        let circuit = APIError.OpenCircuit(
            origin: origin,
            failures: opening.failures,
            since: opening.since,
            until: opening.since.addingTimeInterval(time / .seconds(1)),
            isHalfOpen: rejection.isHalfOpen,
            cause: opening.cause
        )
        return .rejected(
            APIError.RejectedFailure(call: plan.failedCall(attempt: attempt), reason: .circuitOpen(circuit))
        )
    }

    fileprivate func outcome(of response: CallResponse, asked origin: HTTPRequest.Origin) -> Circuit.Outcome {
        // A redirect to another origin counts as a success of this one.
        guard response.url.map({ HTTPRequest.Origin($0) == origin }) ?? true else { return .success }
        guard (500...599).contains(response.status.code), !plan.isSuccess(response.status) else { return .success }
        // Omit the body, which would stay in memory while the circuit is open.
        let failure = APIError.StatusFailure(
            call: plan.failedCall(attempt: attempt),
            status: response.status,
            headerFields: response.headerFields
        )
        return .failure(.status(failure))
    }

    fileprivate func outcome(of error: APIError) -> Circuit.Outcome {
        switch error {
        case .transport(let failure) where failure.hasLeftOrigin: return .success
        case .transport(let failure) where failure.error.kind.isOfTheServer: return .failure(error)
        case .cancelled(let failure):
            // A call that times out while waiting for the server indicates that the server is too slow.
            guard failure.awaitedServer, let deadline = context.deadline, deadline.remaining() <= .zero else {
                return .nothing
            }
            return .failure(
                .timeout(APIError.TimeoutFailure(call: plan.failedCall(attempt: attempt), limit: deadline.limit))
            )
        default: return .nothing
        }
    }
}

extension TransportError.Kind {
    /// Whether the error is due to the server or the network path to it.
    fileprivate var isOfTheServer: Bool {
        switch self {
        case .cannotResolveHost, .cannotConnect, .secureConnectionFailed, .connectionLost, .timedOut, .invalidResponse,
            .headTooLarge, .other:
            true
        case .notConnected, .unsupportedRequest, .cancelled, .bodyTooLarge, .tooManyRedirects, .redirectLoop,
            .redirectRejected,
            .unavailable:
            false
        }
    }
}

extension CircuitBreaker: CallOption {
    /// The clause itself.
    public var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        steps.add(CircuitBreakerStep(self), at: .admission)
    }
}
