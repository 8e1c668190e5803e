import WaybillSystem

extension APIError {
    /// A call that was rejected on this side: by a limit on calls, or by an open circuit.
    ///
    /// Nothing was sent by this attempt.
    public struct RejectedFailure: CallFailure {
        /// The reason for the rejection.
        public enum Reason: Sendable {
            /// As many calls as may wait for a limit are waiting already.
            case tooManyWaiting(limit: Int)
            /// Its turn would come at a date for which it does not wait; `wait` is the time that it would wait in all.
            case rateLimited(until: Date, wait: Duration, bound: Bound)
            /// The calls before it have failed.
            case circuitOpen(OpenCircuit)
        }

        /// The limit on a call's wait for its turn.
        public enum Bound: Sendable, Hashable {
            /// The call's deadline comes first, after that time.
            case deadline(in: Duration)
            /// The call waits no longer than that in all for servers' limits.
            case longestWait(Duration)
        }

        /// The call that failed.
        public internal(set) var call: FailedCall

        /// The reason for the rejection.
        public let reason: Reason

        /// Creates a failure, for tests of what handles it.
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
            case .rateLimited(_, _, .longestWait): .busyServer
            case .circuitOpen: .unavailableServer
            }
        }

        private var headline: String {
            switch reason {
            case .tooManyWaiting(let limit): "its Limit has \(limit) calls waiting already"
            case .rateLimited(let date, _, .deadline): "a limit allows it at \(date.asWritten), after its deadline"
            case .rateLimited(let date, _, .longestWait): "the server wants no request before \(date.asWritten)"
            case .circuitOpen(let circuit): "the circuit to \(circuit.origin) is open"
            }
        }

        var details: [String] {
            switch reason {
            case .tooManyWaiting:
                return ["make fewer calls at once, or let more of them wait: Limit(…, waiting:)"]
            case .rateLimited(_, let wait, .deadline(let remaining)):
                return ["it would wait for \(wait.shown), and has \(remaining.shown) left"]
            case .rateLimited(_, let wait, .longestWait(let longest)):
                return ["it would wait for \(wait.shown); Limit(…, longestWait:) waits for up to \(longest.shown)"]
            case .circuitOpen(let circuit):
                let count = circuit.failures == 1 ? "1 failure" : "\(circuit.failures) failures in a row"
                let next =
                    circuit.isHalfOpen
                    ? "one call is being tried now" : "one call is tried at \(circuit.until.asWritten)"
                let cause = circuit.cause.description.prefix { !$0.isNewline }
                return ["\(count), the last at \(circuit.since.asWritten); \(next)", "the last: \(cause)"]
            }
        }
    }

    /// A circuit that lets no call through, because the calls before it have failed; see ``APIError/RejectedFailure``.
    public struct OpenCircuit: Sendable {
        /// The origin of the calls.
        public let origin: HTTPRequest.Origin

        /// The number of calls that have failed in a row.
        public let failures: Int

        /// The date of the last of these failures.
        public let since: Date

        /// The date at which a call is tried again.
        public let until: Date

        /// Whether the circuit is half-open: that call is in flight, and its outcome decides for the others.
        public let isHalfOpen: Bool

        /// The error of the last call that was sent.
        public let cause: APIError

        /// Creates a description.
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
    /// The date in UTC, to the second; a clock that is far out of order may return any date.
    fileprivate var asWritten: String {
        Swift.min(Swift.max(self, .distantPast), .distantFuture).formatted(.iso8601)
    }
}
