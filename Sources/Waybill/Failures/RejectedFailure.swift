import WaybillSystem

extension APIError {
    /// A rejection by the client: by a limit on calls or by an open circuit.
    ///
    /// This attempt sent nothing.
    public struct RejectedFailure: CallFailure {
        /// A reason for the rejection.
        public enum Reason: Sendable {
            /// The maximum number of calls are already waiting for a limit.
            case tooManyWaiting(limit: Int)
            /// A limit would delay the call until a date beyond the bound. `wait` is the total waiting time.
            case rateLimited(until: Date, wait: Duration, bound: Bound)
            /// The circuit is open because earlier calls failed.
            case circuitOpen(OpenCircuit)
        }

        /// The bound that the waiting time would exceed.
        public enum Bound: Sendable, Hashable {
            /// The call's deadline, as the time remaining until then.
            case deadline(in: Duration)
            /// The declared maximum of the total wait for the server's rate limits.
            case maximumWait(Duration)
        }

        /// The call that failed.
        public package(set) var call: FailedCall

        /// The reason for the rejection.
        public let reason: Reason

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - reason: the reason for the rejection.
        public init(call: FailedCall, reason: Reason) {
            self.call = call
            self.reason = reason
        }

        var apiError: APIError { .rejected(self) }
        var outcome: String { "was not sent: \(headline)" }
        var properties: [Mirror.Child] { [("reason", reason)] }
        var brief: String { "a rejected call" }

        var sentence: ErrorSentence {
            switch reason {
            case .tooManyWaiting, .rateLimited(_, _, .deadline): .tooManyRequests
            case .rateLimited(_, _, .maximumWait): .busyServer
            case .circuitOpen: .unavailableServer
            }
        }

        private var headline: String {
            switch reason {
            case .tooManyWaiting(let limit): "its Limit already has \(limit) calls waiting"
            case .rateLimited(let date, _, .deadline): "a limit allows it at \(date.asWritten), after its deadline"
            case .rateLimited(let date, _, .maximumWait): "the server accepts no request before \(date.asWritten)"
            case .circuitOpen(let circuit): "the circuit to \(circuit.origin) is open"
            }
        }

        var details: [String] {
            switch reason {
            case .tooManyWaiting:
                return ["make fewer calls at once, or allow more to wait: Limit(…, waiting:)"]
            case .rateLimited(_, let wait, .deadline(let remaining)):
                return ["it would wait for \(wait.shown), but has only \(remaining.shown) left"]
            case .rateLimited(_, let wait, .maximumWait(let longest)):
                return ["the wait would be \(wait.shown); Limit(…, maximumWait:) allows at most \(longest.shown)"]
            case .circuitOpen(let circuit):
                let count = circuit.failures == 1 ? "1 failure" : "\(circuit.failures) failures in a row"
                let next =
                    circuit.isHalfOpen
                    ? "a trial call is in progress" : "the next call is let through at \(circuit.until.asWritten)"
                let cause = circuit.cause.description.prefix { !$0.isNewline }
                return ["\(count), the last at \(circuit.since.asWritten); \(next)", "the last: \(cause)"]
            }
        }
    }

    /// A circuit that blocks calls because earlier calls failed; see ``APIError/RejectedFailure``.
    public struct OpenCircuit: Sendable {
        /// The origin of the calls.
        public let origin: HTTPRequest.Origin

        /// The number of consecutive failed calls.
        public let failures: Int

        /// The date of the most recent failure.
        public let since: Date

        /// The date of the next trial call.
        public let until: Date

        /// Whether the circuit is half-open: a trial call is in flight, whose outcome determines whether the circuit
        /// closes.
        public let isHalfOpen: Bool

        /// The error of the most recent failed call.
        public let cause: APIError

        /// Creates a description of an open circuit.
        ///
        /// - Parameters:
        ///   - origin: the origin of the calls.
        ///   - failures: the number of consecutive failed calls.
        ///   - since: the date of the most recent failure.
        ///   - until: the date of the next trial call.
        ///   - isHalfOpen: whether a trial call is in flight.
        ///   - cause: the error of the most recent failed call.
        public init(
            origin: HTTPRequest.Origin,
            failures: Int,
            since: Date,
            until: Date,
            isHalfOpen: Bool = false,
            cause: APIError
        ) {
            self.origin = origin
            self.failures = failures
            self.since = since
            self.until = until
            self.isHalfOpen = isHalfOpen
            self.cause = cause
        }
    }
}

extension Date {
    /// The date in UTC, to the second.
    ///
    /// It is clamped to a range that can be formatted, because an incorrect clock can produce any date.
    var asWritten: String {
        Swift.min(Swift.max(self, .distantPast), .distantFuture).formatted(.iso8601)
    }
}
