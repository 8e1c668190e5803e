import Waybill
import WaybillSystem

/// The result of an attempt to send a write.
enum SendingOutcome: Sendable, Equatable {
    /// It had its effect already: the item to delete is not there.
    case gone
    /// It waits, for the time that the server asks for, or for a time of the store's own.
    case wait(Duration?)
    /// It waits for a sign-in, and all other writes wait with it.
    case signedOut
    /// The server has another version.
    case conflict
    /// The server rejected it for good.
    case parked
    /// Whether it took effect is not known.
    case unknown

    /// Returns the outcome of a failure.
    ///
    /// - Parameters:
    ///   - error: the error of the call.
    ///   - operation: the operation.
    ///   - isRepeatable: whether a repetition takes effect once: by an idempotent method, a key or a condition.
    ///   - now: the date, to which `Retry-After` refers.
    init(_ error: APIError, of operation: OutboxWrite.Operation, isRepeatable: Bool, now: Date) {
        switch error {
        case .request, .middleware, .download, .upload: self = .parked
        case .authorization(let failure): self = failure.isForeignOutage ? .wait(nil) : .signedOut
        case .rejected(let failure): self = .wait(failure.wait(now: now))
        case .transport, .timeout, .cancelled:
            self = isRepeatable || !error.mayHaveTakenEffect ? .wait(nil) : .unknown
        case .status(let failure): self.init(failure, of: operation, isRepeatable: isRepeatable, now: now)
        case .decoding, .pagination, .items: self = .unknown
        }
    }

    private init(
        _ failure: APIError.StatusFailure,
        of operation: OutboxWrite.Operation,
        isRepeatable: Bool,
        now: Date
    ) {
        let wait = failure.retryAfter(now: now)
        switch (failure.equivalentStatus ?? failure.status).code {
        case 401: self = .signedOut
        case 404, 410: self = operation == .delete ? .gone : operation == .create ? .parked : .conflict
        case 409, 412, 428: self = operation == .create ? .parked : .conflict
        case 408, 425, 429, 503, 507: self = .wait(wait)
        // These say that the server cannot do it at all.
        case 501, 505, 506, 508, 510, 511: self = .parked
        case 500...599: self = isRepeatable ? .wait(wait) : .unknown
        default: self = .parked
        }
    }
}

extension APIError.AuthorizationFailure {
    /// Whether the credential is missing only because its server cannot be reached.
    fileprivate var isForeignOutage: Bool {
        guard !wasRejected, let error = underlying as? APIError else { return false }
        switch error {
        case .transport, .timeout, .rejected: return true
        case .status(let failure): return failure.status.code >= 500 || failure.status.code == 429
        default: return false
        }
    }
}

extension APIError.RejectedFailure {
    /// Returns the time until the call may be made; nil if it is not known.
    fileprivate func wait(now: Date) -> Duration? {
        switch reason {
        case .rateLimited(let date, _, _): .seconds(max(0, date.timeIntervalSince(now)))
        case .tooManyWaiting, .circuitOpen: nil
        }
    }
}

extension APIError.StatusFailure {
    /// Returns the time that the server asks to wait; nil if it does not.
    fileprivate func retryAfter(now: Date) -> Duration? {
        guard let text = headerFields[.retryAfter] else { return nil }
        // The server's dates refer to its own clock.
        let date = headerFields[.date].flatMap { HTTPDate.date(from: $0) } ?? now
        return RetryAfter(text, now: date)?.wait(from: date)
    }
}
