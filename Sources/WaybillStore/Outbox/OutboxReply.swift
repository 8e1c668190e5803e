import Waybill
import WaybillSystem

/// A classified reply to an outbox request.
struct OutboxReply: Sendable, Equatable {
    let kind: DeliveryState.Reply

    /// The delay before another attempt, requested by the server or by a rate limit; nil if none was requested.
    var retryDelay: Duration?

    init(_ kind: DeliveryState.Reply, retryDelay: Duration? = nil) {
        (self.kind, self.retryDelay) = (kind, retryDelay)
    }

    /// Classifies a failed call.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - operation: the operation of the write.
    ///   - now: the current date, for interpreting dates in the error.
    init(_ error: APIError, of operation: OutboxWrite.Operation, now: Date) {
        switch error {
        case .request, .middleware, .download, .upload: self.init(.rejected)
        case .authorization(let failure): self.init(failure.isAuthorizationServerOutage ? .notSent : .unauthorized)
        case .rejected(let failure): self.init(.notSent, retryDelay: failure.retryDelay(now: now))
        case .transport, .timeout, .cancelled: self.init(error.mayHaveTakenEffect ? .lost : .notSent)
        case .status(let failure):
            self.init(Self.kind(of: failure, operation), retryDelay: failure.retryDelay(now: now))
        case .decoding, .pagination, .items: self.init(.unreadable)
        }
    }

    private static func kind(
        of failure: APIError.StatusFailure,
        _ operation: OutboxWrite.Operation
    ) -> DeliveryState.Reply {
        switch (failure.equivalentStatus ?? failure.status).code {
        case 401: .unauthorized
        case 404, 410: operation == .delete ? .gone : operation == .create ? .rejected : .stale
        case 409: .conflicting
        case 412, 428: operation == .create ? .rejected : .stale
        case 408, 425, 429, 503, 507: .later
        // The server cannot handle the request at all.
        case 501, 505, 506, 508, 510, 511: .rejected
        case 500...599: .failed
        default: .rejected
        }
    }
}

extension APIError.AuthorizationFailure {
    /// Whether the credential is missing only because the authorization server is unavailable.
    fileprivate var isAuthorizationServerOutage: Bool {
        guard !wasRejected, let error = underlying as? APIError else { return false }
        switch error {
        case .transport, .timeout, .rejected: return true
        case .status(let failure): return failure.status.code >= 500 || failure.status.code == 429
        default: return false
        }
    }
}

extension APIError.RejectedFailure {
    /// Returns the time until the call is allowed; nil if unknown.
    fileprivate func retryDelay(now: Date) -> Duration? {
        switch reason {
        case .rateLimited(let date, _, _): .seconds(max(0, date.timeIntervalSince(now)))
        case .tooManyWaiting, .circuitOpen: nil
        }
    }
}

extension APIError.StatusFailure {
    /// Returns the delay in the `Retry-After` field; nil if there is no such field.
    fileprivate func retryDelay(now: Date) -> Duration? {
        guard let text = headerFields[.retryAfter] else { return nil }
        // Interpret a date in `Retry-After` by the server's clock.
        let date = headerFields[.date].flatMap { HTTPDate.date(from: $0) } ?? now
        return RetryAfter(text, now: date)?.wait(from: date)
    }
}
