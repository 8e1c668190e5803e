import Foundation
import WaybillHTTP
import WaybillTransports

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` with a limit on requests in flight, an idle timeout, and a queue for starting and cancelling tasks.
///
/// The time that a request waits because of the limit does not count toward timeouts.
///
/// Starting or cancelling a task waits for an internal queue of the session, which in a cancellation handler could
/// block the threads of other tasks. The separate queue avoids this and preserves the order of both operations.
///
/// `@unchecked Sendable`: `limit` and `idleCheck` are only accessed on `queue`; all other properties are constants.
final class TransferSession: @unchecked Sendable {
    private let session: URLSession
    private let delegate: TransferDelegate
    private let queue: DispatchQueue
    let idleTimeout: Duration?
    private var limit: InFlightLimit<HTTPRequest.Origin, Transfer>
    private var idleCheck = EarliestAlarm()

    /// The origins that have sent a response head, so that a connection to them may still be open.
    ///
    /// If such a connection turns out to be closed after a request was sent, a session silently opens another one. If
    /// that fails, the error describes only the second connection.
    let reached = Locked(ReachedOrigins())

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - configuration: the configuration of the `URLSession`.
    ///   - settings: the other settings of the transport.
    /// - Throws: `TransportError` of kind `TransportError.Kind.unavailable` if the configuration is for a background
    ///   session.
    init(configuration: URLSessionConfiguration, settings: URLSessionSettings) throws(TransportError) {
        // A background session accepts neither data tasks nor uploads of streams or of bytes in memory.
        if let identifier = configuration.identifier {
            throw TransportError(
                .unavailable,
                "a background session (\"\(identifier)\") only uploads and downloads files; "
                    + "use URLSessionTransport.defaultConfiguration"
            )
        }
        queue = DispatchQueue(label: "Waybill.URLSessionTransport", qos: .userInitiated)
        delegate = TransferDelegate(queue: queue, settings: settings)
        limit = InFlightLimit(configuration.httpMaximumConnectionsPerHost)
        idleTimeout = settings.idleTimeout
        let delegateQueue = DelegateQueue()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    }

    // A session keeps itself and its delegate alive until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    /// Starts a transfer as soon as the limit allows it.
    func submit(_ transfer: Transfer) {
        queue.async { [self] in
            if let ticket = limit.enter(transfer, at: transfer.origin) {
                transfer.admission = .queued(ticket)
            } else {
                start(transfer)
            }
        }
    }

    /// Releases the resources of a transfer that has ended.
    ///
    /// - Parameters:
    ///   - transfer: the transfer.
    ///   - isCancelled: whether the task is still running and must be cancelled.
    func finish(_ transfer: Transfer, isCancelled: Bool) {
        queue.async { [self] in
            switch transfer.admission {
            case .outside: return
            case .queued(let ticket): limit.abandon(ticket, at: transfer.origin)
            case .inFlight(let task, let observer):
                if let observer { transfer.control?.removeObserver(observer) }
                if let task {
                    delegate.forget(task)
                    if isCancelled { task.cancel() }
                }
                #if !canImport(FoundationNetworking)
                    // The stream is closed after the cancellation, because its end must not complete the request.
                    transfer.closeBodyStream()
                #endif
                if let next = limit.leave(transfer.origin) { start(next) }
            }
            transfer.admission = .outside
        }
    }

    private func start(_ transfer: Transfer) {
        guard !transfer.hasEnded else { return transfer.admission = .inFlight(nil, controlObserver: nil) }
        let task = task(for: transfer)
        let observer = transfer.control?.observe { [weak self, weak transfer] in
            if let transfer { self?.adjust(transfer) }
        }
        transfer.admission = .inFlight(task, controlObserver: observer)
        delegate.expect(transfer, for: task)
        perform(transfer.dueChange(), on: task)
        checkIdleness(after: transfer.idleTimeout)
    }

    private func task(for transfer: Transfer) -> URLSessionDataTask {
        #if !canImport(FoundationNetworking)
            if transfer.upload != nil { return session.uploadTask(withStreamedRequest: transfer.request) }
        #else
            if let body = transfer.request.httpBody, body.count > Self.largestBodyOnSharedConnection {
                return taskOnSeparateConnection(for: transfer)
            }
        #endif
        return session.dataTask(with: transfer.request)
    }

    #if canImport(FoundationNetworking)
        /// The size of libcurl's smallest buffer, in bytes; a body that fits into it is read at once.
        private static let largestBodyOnSharedConnection = 16_384

        /// Returns a task with a separate connection.
        ///
        /// If a reused connection breaks, libcurl resends the request, but continues the body where it stopped reading,
        /// so a server could store wrong bytes. ``TransferDelegate`` stops such a transfer, but libcurl may have sent
        /// more by then. A body that was read at once has no more bytes to send.
        private func taskOnSeparateConnection(for transfer: Transfer) -> URLSessionDataTask {
            let session = URLSession(
                configuration: session.configuration,
                delegate: delegate,
                delegateQueue: session.delegateQueue
            )
            // The task still runs to its end, after which the session is released.
            defer { session.finishTasksAndInvalidate() }
            return session.dataTask(with: transfer.request)
        }
    #endif

    /// Suspends or resumes a transfer's task if necessary.
    ///
    /// The queue reads the transfer's current state, so changes can be reported in any order.
    func adjust(_ transfer: Transfer) {
        queue.async { [self] in
            if case .inFlight(let task?, _) = transfer.admission { perform(transfer.dueChange(), on: task) }
        }
    }

    private func perform(_ change: TaskSuspension.Change?, on task: URLSessionDataTask) {
        switch change {
        case .suspend: task.suspend()
        case .resume: task.resume()
        case nil: break
        }
    }
}

extension TransferSession {
    /// Checks for idle transfers after a delay, unless an earlier check is scheduled.
    ///
    /// - Parameter delay: the time until the check; nil if silence is not limited.
    private func checkIdleness(after delay: Duration?) {
        guard let delay, idleCheck.set(at: .now() + .nanoseconds(delay.wholeNanoseconds)) else { return }
        let check = idleCheck
        queue.asyncAfter(deadline: check.time) { [weak self] in
            guard let self, idleCheck.ring(check) else { return }
            // The check runs after all pending events, so it measures only the server's silence.
            session.delegateQueue.addOperation { self.stopIdleTransfers() }
        }
    }

    private func stopIdleTransfers() {
        let now = DispatchTime.now()
        let rests = delegate.transfers.compactMap { transfer -> Duration? in
            guard let limit = transfer.idleTimeout else { return nil }
            let rest = limit - transfer.idleTime(at: now)
            if rest > .zero { return rest }
            transfer.stop(TransportError(.timedOut, "\(transfer.host) was silent for \(limit.shown)"))
            return nil
        }
        queue.async { [self] in checkIdleness(after: rests.min()) }
    }
}

/// A serial queue for delegate calls.
///
/// A dispatch queue gets a thread even if compute-bound tasks occupy the thread pool, so events are not delayed.
private final class DelegateQueue: OperationQueue, @unchecked Sendable {  // nothing changes after `init`
    // The superclass does not retain the queue.
    private let queue = DispatchQueue(label: "Waybill.URLSessionTransport.delegate", qos: .userInitiated)

    override init() {
        super.init()
        underlyingQueue = queue
        maxConcurrentOperationCount = 1
    }
}

extension Duration {
    /// The duration in whole nanoseconds, rounded up; at most about 292 years.
    fileprivate var wholeNanoseconds: Int {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowsToo) = product.addingReportingOverflow((attoseconds + 999_999_999) / 1_000_000_000)
        return overflows || overflowsToo ? .max : max(0, Int(clamping: sum))
    }
}

/// The origins that have responded; beyond 1,000, all origins count as having responded.
struct ReachedOrigins {
    private static let limit = 1000

    private var origins: Set<HTTPRequest.Origin> = []
    private var isFull = false

    mutating func insert(_ origin: HTTPRequest.Origin) {
        guard !isFull else { return }
        origins.insert(origin)
        guard origins.count > Self.limit else { return }
        isFull = true
        origins = []
    }

    func contains(_ origin: HTTPRequest.Origin) -> Bool { isFull || origins.contains(origin) }
}
