import Waybill
import WaybillSystem

/// The classified reply to a request of the outbox, and the delay that the server requests.
struct OutboxReply: Sendable, Equatable {
    let kind: EntryLife.Reply

    /// The delay that the server requests; nil if it requests no delay.
    var wait: Duration?

    init(_ kind: EntryLife.Reply, wait: Duration? = nil) { (self.kind, self.wait) = (kind, wait) }

    /// Classifies the failure of a call.
    ///
    /// - Parameters:
    ///   - error: the error of the call.
    ///   - operation: the operation of the write.
    ///   - now: the current date, used to interpret dates in the failure.
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
        // These mean that the server cannot handle the request at all.
        case 501, 505, 506, 508, 510, 511: .rejected
        case 500...599: .failed
        default: .rejected
        }
    }
}

extension APIError.AuthorizationFailure {
    /// Whether there is no credential only because the authorization server is unavailable.
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
    /// Returns the time until the call is allowed; nil if unknown.
    fileprivate func wait(now: Date) -> Duration? {
        switch reason {
        case .rateLimited(let date, _, _): .seconds(max(0, date.timeIntervalSince(now)))
        case .tooManyWaiting, .circuitOpen: nil
        }
    }
}

extension APIError.StatusFailure {
    /// Returns the delay that the server requests; nil if it requests no delay.
    fileprivate func retryAfter(now: Date) -> Duration? {
        guard let text = headerFields[.retryAfter] else { return nil }
        // Interpret `Retry-After` relative to the server's own date.
        let date = headerFields[.date].flatMap { HTTPDate.date(from: $0) } ?? now
        return RetryAfter(text, now: date)?.wait(from: date)
    }
}
