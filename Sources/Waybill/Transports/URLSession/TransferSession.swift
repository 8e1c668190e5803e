import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` with what it lacks: a limit on the requests in flight that does not time out those that wait, an idle
/// timeout, and a queue on which tasks are started and cancelled.
///
/// Starting and cancelling both wait for the session's own queue. Done where a task's cancellation is noticed, that can
/// block the threads on which everything else depends; done on a queue of its own, it also gives them an order.
///
/// `@unchecked Sendable`: `limit` and `isWatching` are only touched on `queue`, and nothing else changes.
final class TransferSession: @unchecked Sendable {
    private let session: URLSession
    private let delegate: TransferDelegate
    private let queue: DispatchQueue
    private let idleTimeout: Duration?
    private var limit: InFlightLimit<Origin, Transfer>
    private var isWatching = false

    /// The origins from which a head has come: to these a connection may be open still.
    ///
    /// A session that finds such a connection closed behind a request connects anew without a word. Where that fails,
    /// it tells of the connecting alone.
    let reached = Locked(ReachedOrigins())

    init(configuration: URLSessionConfiguration, idleTimeout: Duration?) {
        queue = DispatchQueue(label: "Waybill.URLSessionTransport", qos: .userInitiated)
        delegate = TransferDelegate(queue: queue)
        limit = InFlightLimit(configuration.httpMaximumConnectionsPerHost)
        self.idleTimeout = idleTimeout
        let delegateQueue = DelegateQueue()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    }

    // A session keeps itself and its delegate alive until it is told that no more tasks will come.
    deinit { session.finishTasksAndInvalidate() }

    /// Starts a transfer as soon as the limit lets it.
    func submit(_ transfer: Transfer) {
        queue.async { [self] in
            if let ticket = limit.enter(transfer, at: transfer.origin) {
                transfer.place = .waiting(ticket)
            } else {
                start(transfer)
            }
        }
    }

    /// Gives back what a transfer holds which has come to its end.
    ///
    /// - Parameter isCancelled: whether its task is still running and has to be cancelled.
    func finish(_ transfer: Transfer, isCancelled: Bool) {
        queue.async { [self] in
            switch transfer.place {
            case .outside: return
            case .waiting(let ticket): limit.abandon(ticket, at: transfer.origin)
            case .inFlight(let task):
                if let task {
                    delegate.forget(task)
                    if isCancelled { task.cancel() }
                }
                if let next = limit.leave(transfer.origin) { start(next) }
            }
            transfer.place = .outside
        }
    }

    private func start(_ transfer: Transfer) {
        guard !transfer.hasEnded else { return transfer.place = .inFlight(nil) }
        let task = session.dataTask(with: transfer.request)
        transfer.place = .inFlight(task)
        delegate.expect(transfer, for: task)
        transfer.touch()
        task.resume()
        watch(after: idleTimeout)
    }
}

extension TransferSession {
    /// Looks for idle transfers after a while; one look is planned at a time, and none while there are no transfers.
    private func watch(after delay: Duration?) {
        guard let delay, !isWatching else { return }
        isWatching = true
        queue.asyncAfter(deadline: .now() + .nanoseconds(delay.wholeNanoseconds)) { [weak self] in
            guard let self else { return }
            // Behind everything that has arrived and was not passed on yet: only the server may be at fault.
            session.delegateQueue.addOperation { self.stopIdleTransfers() }
        }
    }

    private func stopIdleTransfers() {
        guard let idleTimeout else { return }
        let now = DispatchTime.now()
        let rests = delegate.transfers.compactMap { transfer -> Duration? in
            let rest = idleTimeout - transfer.idleTime(at: now)
            if rest > .zero { return rest }
            transfer.stop(TransportError(.timedOut, "\(transfer.host) was silent for \(idleTimeout)"))
            return nil
        }
        queue.async { [self] in
            isWatching = false
            // One that was started meanwhile is among the transfers, but not among the rests.
            if !delegate.transfers.isEmpty { watch(after: rests.min() ?? idleTimeout) }
        }
    }
}

/// The queue on which a delegate is called back, one call at a time.
///
/// It has a queue of dispatch below it: that gets a thread even where tasks that compute keep the pool's busy, so that
/// what arrives is not held up.
private final class DelegateQueue: OperationQueue, @unchecked Sendable {  // nothing changes after `init`
    // The superclass does not keep it alive.
    private let queue = DispatchQueue(label: "Waybill.URLSessionTransport.delegate", qos: .userInitiated)

    override init() {
        super.init()
        underlyingQueue = queue
        maxConcurrentOperationCount = 1
    }
}

extension Duration {
    /// In whole nanoseconds, rounded up, and at most some 292 years.
    fileprivate var wholeNanoseconds: Int {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowsToo) = product.addingReportingOverflow((attoseconds + 999_999_999) / 1_000_000_000)
        return overflows || overflowsToo ? .max : max(0, Int(clamping: sum))
    }
}
