#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// A request and its response, shared by the loop and the task that sent the request.
    ///
    /// A transfer ends once: when the response is complete, when it fails, or when it is stopped. Later events from
    /// libcurl are ignored. Continuations are resumed after the lock has been released.
    ///
    /// `@unchecked Sendable`: private variables are only accessed while `lock` is held, `loopState` only in the loop's
    /// turn, and `stage`, `deadline` and `controlObserver` only while the session's lock is held; `loop` is set once.
    final class CurlTransfer: BodyTransfer, @unchecked Sendable {
        let request: CurlRequest
        let limits: CurlTransport.Limits

        /// The part of the state that only the loop uses.
        var loopState = LoopState()

        /// The session, retained until the transfer has ended, so that the loop does not shut down earlier.
        let session: CurlSession

        /// The stage in the session; like the deadline and the observer, it is only accessed while the session's lock
        /// is held.
        var stage = CurlSession.Stage.new
        /// The ticket of the deadline; nil if the whole call has no time limit.
        var deadline: DeadlineQueue<CurlTransfer>.Ticket?
        var controlObserver: Int?

        /// The loop, set once before it receives the transfer.
        var loop: CurlLoop?

        /// The metrics; nil if they are not needed.
        let metrics: Locked<TransferOptions.Report.Metrics>?

        /// The counter of transferred bytes; nil for a request without a handle.
        let counter: TransferControl.Counter?

        private let lock = Lock()
        private var state: ResponseState
        private var head: [UInt8] = []
        private var trailer: [UInt8] = []
        /// Whether a piece of the body has been rejected because too many bytes were unread.
        private var wasFull = false

        init(_ request: CurlRequest, in session: CurlSession, counter: TransferControl.Counter? = nil) {
            self.counter = counter
            self.request = request
            self.session = session
            limits = session.configuration.limits
            metrics = request.options.report?.isMeasured == true ? Locked(TransferOptions.Report.Metrics()) : nil
            state = ResponseState(highWater: limits.bufferedBytes)
        }

        /// The highest HTTP version to use with the server.
        var version: CurlTransport.Versions.Version {
            let versions = session.configuration.versions
            return request.target.isSecure ? versions.overTLS : versions.withoutTLS
        }

        /// The host, with its port if the URL has one, for error messages.
        var host: String { request.target.host }
    }

    // MARK: - Loop events

    extension CurlTransfer {
        /// Stores the head; ``deliver()`` resumes its reader.
        func receive(head: [UInt8]) {
            lock.withLock {
                self.head = head
                state.receiveHead()
            }
        }

        /// Returns whether a piece of the body can be accepted; if too many bytes are unread, reading them resumes the
        /// transfer.
        func mayReceive() -> Bool {
            lock.withLock {
                wasFull = wasFull || state.end != nil || !state.hasRoom
                return state.end == nil && state.hasRoom
            }
        }

        /// Stores a piece of the body; ``deliver()`` resumes its reader.
        func receive(_ bytes: UnsafeRawBufferPointer) { lock.withLock { state.receive(bytes) } }

        /// Stores the lines of the trailer section.
        func receive(trailer: [UInt8]) { lock.withLock { self.trailer = trailer } }

        /// Ends the transfer, unless it has already ended; ``deliver()`` resumes its readers.
        func end(_ outcome: Result<Void, TransportError>) {
            lock.withLock { _ = state.end(outcome) }
            counter?.end()
        }

        /// Resumes the readers whose results are available.
        func deliver() { lock.withLock { state.deliveries() }.perform() }

        /// Whether the transfer has ended.
        var hasEnded: Bool { lock.withLock { state.end != nil } }
    }

    // MARK: - Reading from the task

    extension CurlTransfer {
        /// Ends the transfer with an error, unless it has already ended, and removes it from the loop.
        func stop(_ error: TransportError) {
            let (hadEnded, deliveries) = lock.withLock { (!state.end(.failure(error)), state.deliveries()) }
            deliveries.perform()
            counter?.end()
            if !hadEnded { session.stop(self) }
        }

        /// Stops the transfer because its body can no longer be read, unless the transfer has ended.
        func abandon() {
            if lock.withLock({ state.end == nil }) { stop(TransportError(.cancelled)) }
        }

        /// Waits for the head.
        ///
        /// Cancelling the task stops the transfer.
        func head() async throws(TransportError) -> [UInt8] {
            try await result { continuation in lock.withLock { state.readHead(continuation) } }
            return lock.withLock { head }
        }

        /// Returns the whole body if it has arrived; otherwise nil.
        ///
        /// Call it before any other read of the body.
        func wholeBody() -> Data? { lock.withLock { state.takeWholeBody() } }

        /// Waits for the next part of the body, and returns all unread pieces, or none at the end.
        ///
        /// Cancelling the task stops the transfer.
        func chunks() async throws(TransportError) -> [Data] {
            let (ready, wasFull) = lock.withLock { (state.readChunks(), takeFullness()) }
            if wasFull { loop?.post(.update(self)) }
            if let ready { return try ready.get() }
            defer { if lock.withLock({ takeFullness() }) { loop?.post(.update(self)) } }
            return try await result { continuation in lock.withLock { state.readChunks(continuation) } }
        }

        /// Returns whether a piece has been rejected and all stored bytes have been read since; if so, resets the flag.
        ///
        /// The caller must hold the lock.
        private func takeFullness() -> Bool {
            guard wasFull, state.unreadBytes == 0 else { return false }
            wasFull = false
            return true
        }

        /// The trailer fields; empty until the body has been read to its end.
        var trailerFields: HTTPFields {
            let trailer = lock.withLock { state.isReadToEnd ? self.trailer : [] }
            return trailer.isEmpty ? [] : CurlHead.fields(trailer[...])
        }
    }
#endif
