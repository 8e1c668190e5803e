import Waybill
import WaybillSystem

/// The answer to a request of the outbox, and the time until the next attempt that comes with it.
struct OutboxReply: Sendable, Equatable {
    let kind: EntryLife.Reply

    /// The wait that the server asks for; nil if it does not.
    var wait: Duration?

    init(_ kind: EntryLife.Reply, wait: Duration? = nil) { (self.kind, self.wait) = (kind, wait) }

    /// Classifies the failure of a call.
    ///
    /// - Parameters:
    ///   - error: the error of the call.
    ///   - operation: the operation.
    ///   - now: the date, to which `Retry-After` refers.
    init(_ error: APIError, of operation: OutboxWrite.Operation, now: Date) {
        switch error {
        case .request, .middleware, .download, .upload: self.init(.rejected)
        case .authorization(let failure): self.init(failure.isForeignOutage ? .notSent : .unauthorized)
        case .rejected(let failure): self.init(.notSent, wait: failure.wait(now: now))
        case .transport, .timeout, .cancelled: self.init(error.mayHaveTakenEffect ? .lost : .notSent)
        case .status(let failure):
            self.init(Self.kind(of: failure, operation), wait: failure.retryAfter(now: now))
        case .decoding, .pagination, .items: self.init(.unreadable)
        }
    }

    private static func kind(
        of failure: APIError.StatusFailure,
        _ operation: OutboxWrite.Operation
    ) -> EntryLife.Reply {
        switch (failure.equivalentStatus ?? failure.status).code {
        case 401: .unauthorized
        case 404, 410: operation == .delete ? .gone : operation == .create ? .rejected : .stale
        case 409: .conflicting
        case 412, 428: operation == .create ? .rejected : .stale
        case 408, 425, 429, 503, 507: .later
        // These say that the server cannot do it at all.
        case 501, 505, 506, 508, 510, 511: .rejected
        case 500...599: .failed
        default: .rejected
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
