import Foundation

/// Keeps calls from an origin to which they fail.
package struct CircuitBreakerStep: Middleware {
    /// The call on trial within which others are made.
    private struct Trial: Sendable {
        let circuits: Circuits
        let origin: Origin
        let pass: Circuit.Pass
    }

    @TaskLocal private static var trial: Trial?

    private let breaker: CircuitBreaker

    /// Makes the step; nil where there is no breaker.
    package init?(_ breaker: CircuitBreaker?) {
        guard let breaker, breaker.isSet else { return nil }
        self.breaker = breaker
    }

    /// Sends the request where the circuit lets it through.
    ///
    /// - Throws: ``APIError/refused(_:)`` where it does not.
    package func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        guard let origin = Origin(request.url) else { return try await next(request) }
        let context = call.context
        let circuits = context.shared.state(for: breaker) { Circuits(breaker) }
        let pass: Circuit.Pass
        let outer = Self.trial.flatMap { $0.circuits === circuits && $0.origin == origin ? $0.pass : nil }
        switch circuits.admit(to: origin, now: context.time.now, within: outer) {
        case .success(let admitted): pass = admitted
        case .failure(let refusal): throw call.failure(refusal, origin, breaker.time)
        }
        func end(_ outcome: Circuit.Outcome) {
            circuits.end(pass, to: origin, outcome, now: context.time.now, date: context.dates.now)
        }
        do throws(APIError) {
            var response: HTTPResponse
            if pass.role == .trial {
                response = try await Self.$trial.withValue(
                    Trial(circuits: circuits, origin: origin, pass: pass),
                    call: next,
                    with: request
                )
            } else {
                response = try await next(request)
            }
            // A body that breaks off is a failure like any other.
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
    fileprivate func failure(_ refusal: Circuit.Refusal, _ origin: Origin, _ time: Duration) -> APIError {
        let opening = refusal.opening
        let circuit = OpenCircuit(
            origin: origin,
            failures: opening.failures,
            since: opening.since,
            until: opening.since.addingTimeInterval(time / .seconds(1)),
            isOnTrial: refusal.isOnTrial,
            cause: opening.cause
        )
        return .refused(
            RefusedFailure(call: plan.failedCall(attempt: attempt), reason: .circuitOpen(circuit))
        )
    }

    fileprivate func outcome(of response: HTTPResponse, asked origin: Origin) -> Circuit.Outcome {
        // Where a redirect leads elsewhere, this origin has answered.
        guard response.url.map({ Origin($0) == origin }) ?? true else { return .success }
        guard (500...599).contains(response.status.code), !plan.isSuccess(response.status) else { return .success }
        // Without its body, which would be kept for as long as the circuit is open.
        let failure = StatusFailure(
            call: plan.failedCall(attempt: attempt),
            status: response.status,
            headerFields: response.headerFields
        )
        return .failure(.status(failure))
    }

    fileprivate func outcome(of error: APIError) -> Circuit.Outcome {
        switch error {
        case .transport(let failure) where failure.error.hasLeftOrigin: return .success
        case .transport(let failure) where failure.error.kind.isOfTheServer: return .failure(error)
        case .cancelled(let failure):
            // A call that is cancelled because its time is up has waited for the server in vain, if it did.
            guard failure.awaitedServer, let deadline = context.deadline, deadline.remaining() <= .zero else {
                return .nothing
            }
            return .failure(
                .timeout(TimeoutFailure(call: plan.failedCall(attempt: attempt), limit: deadline.limit))
            )
        default: return .nothing
        }
    }
}

extension TransportError.Kind {
    /// Whether the server, or the way to it, is at fault.
    fileprivate var isOfTheServer: Bool {
        switch self {
        case .cannotResolveHost, .cannotConnect, .secureConnectionFailed, .connectionLost, .timedOut, .invalidResponse,
            .headTooLarge, .other:
            true
        case .unsupportedRequest, .cancelled, .bodyTooLarge, .tooManyRedirects, .redirectLoop, .redirectRefused,
            .unavailable:
            false
        }
    }
}
