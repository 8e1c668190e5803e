import Foundation

/// A call that was held back on this side: by a limit on calls, or by an open circuit.
///
/// Nothing was sent: by this attempt, where the call has had several.
public struct RefusedFailure: Sendable, CustomStringConvertible, CustomReflectable, CallFailure {
    /// Why it was not sent.
    public enum Reason: Sendable {
        /// So many calls as may wait for a limit do already.
        case tooManyWaiting(limit: Int)
        /// Its turn would come at a date for which it does not wait.
        case rateLimited(until: Date, wait: Duration, bound: Bound)
        /// The calls before it have failed.
        case circuitOpen(OpenCircuit)
    }

    /// What keeps a call from waiting for its turn.
    public enum Bound: Sendable, Hashable {
        /// It has to be over by then.
        case deadline(in: Duration)
        /// The declared limit waits for a server no longer than that.
        case longestWait(Duration)
    }

    /// The call.
    public internal(set) var call: FailedCall

    /// Why it was not sent.
    public let reason: Reason

    /// Creates a failure.
    public init(call: FailedCall, reason: Reason) {
        self.call = call
        self.reason = reason
    }

    /// What was asked, and why it was not sent; secrets redacted.
    public var description: String {
        (["\(call) was not sent: \(headline)", call.detail] + details.map { "  \($0)" }).joined(separator: "\n")
    }

    /// The parts of the failure, secrets redacted.
    public var customMirror: Mirror {
        Mirror(self, children: ["call": call, "reason": reason], displayStyle: .struct)
    }

    private var headline: String {
        switch reason {
        case .tooManyWaiting(let limit): "its Limit has \(limit) calls waiting already"
        case .rateLimited(let date, _, .deadline): "its turn comes at \(date.asWritten), after its deadline"
        case .rateLimited(let date, _, .longestWait): "the server wants no request before \(date.asWritten)"
        case .circuitOpen(let circuit): "the circuit to \(circuit.origin) is open"
        }
    }

    private var details: [String] {
        switch reason {
        case .tooManyWaiting:
            return ["make fewer calls at once, or let more of them wait: Limit(…, waiting:)"]
        case .rateLimited(_, let wait, .deadline(let remaining)):
            return ["it would wait for \(wait), and has \(remaining) left"]
        case .rateLimited(_, let wait, .longestWait(let longest)):
            return ["that is in \(wait); Limit(…, longestWait:) waits for up to \(longest)"]
        case .circuitOpen(let circuit):
            let count = circuit.failures == 1 ? "1 failure" : "\(circuit.failures) failures in a row"
            let next =
                circuit.isOnTrial
                ? "one call is being tried now" : "one call is tried at \(circuit.until.asWritten)"
            let cause = circuit.cause.description.prefix { !$0.isNewline }
            return ["\(count), the last at \(circuit.since.asWritten); \(next)", "the last: \(cause)"]
        }
    }
}

extension Date {
    /// The date in UTC, to the second; a clock that is far out of order may say anything.
    fileprivate var asWritten: String {
        Swift.min(Swift.max(self, .distantPast), .distantFuture).formatted(.iso8601)
    }
}
