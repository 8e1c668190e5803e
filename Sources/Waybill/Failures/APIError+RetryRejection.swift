extension APIError {
    /// The reason for which a failure that is worth a retry was not retried, though attempts were left.
    public enum RetryRejection: Error, Sendable, Hashable {
        /// The method is not idempotent, something was sent, and the request has no idempotency key.
        case notIdempotent
        /// The body cannot be sent a second time.
        case bodyIsNotReplayable
        /// The budget that the calls of the client share is empty; see ``Retry/Budget``.
        case budgetIsEmpty
        /// The server asks to wait longer than the declaration allows.
        case waitIsTooLong(Duration, longest: Duration)
        /// The wait would have lasted longer than the call may; see ``Timeout``.
        case waitPassesDeadline(Duration, remaining: Duration)
    }
}

extension APIError.RetryRejection: CustomStringConvertible {
    /// The reason and the way out, in one line.
    public var description: String {
        switch self {
        case .notIdempotent:
            "it could take effect twice; declare IdempotencyKey() if the server supports keys"
        case .bodyIsNotReplayable:
            "its body cannot be sent a second time"
        case .budgetIsEmpty:
            "the retry budget is empty, because too many calls have failed"
        case .waitIsTooLong(let wait, let longest):
            "the server asks to wait \(wait.shown), and Retry(longestWait:) allows \(longest.shown)"
        case .waitPassesDeadline(let wait, let remaining):
            "the wait of \(wait.shown) would pass the deadline, which is \(remaining.shown) away"
        }
    }
}
