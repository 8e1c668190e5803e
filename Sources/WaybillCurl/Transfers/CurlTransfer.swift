#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// A request and its response, between the loop and the task that sent the request.
    ///
    /// It ends once: when the response is complete, when it fails, or when it is stopped. Later events of libcurl are
    /// ignored. Continuations are resumed after the lock is released.
    ///
    /// `@unchecked Sendable`: private variables are only touched while `lock` is held, `loopState` only in the loop's
    /// turn, `place`, `deadline` and `controlObserver` only while the session's lock is held; `loop` is set once.
    final class CurlTransfer: BodyTransfer, @unchecked Sendable {
        let request: CurlRequest
        let limits: CurlTransport.Limits

        /// The state that only the loop uses.
        var loopState = LoopState()

        /// The session, which is kept until the transfer has ended, so that the loop is not shut down before.
        let session: CurlSession

        /// Its place, which is only used while the session's lock is held, as its deadline and its observer are.
        var place = CurlSession.Place.new
        /// The ticket of its deadline, if the time of the whole call is limited.
        var deadline: DeadlineQueue<CurlTransfer>.Ticket?
        var controlObserver: Int?

        /// Its loop, which is set once, before the loop gets the transfer.
        var loop: CurlLoop?

        /// The metrics; nil if they are not needed.
        let metrics: Locked<TransferReport.Metrics>?

        /// The counter of its bytes; nil for a request without a handle.
        let counter: TransferControl.Counter?

        private let lock = Lock()
        private var state: ResponseState
        private var head: [UInt8] = []
        private var trailer: [UInt8] = []
        /// Whether a piece of the body was not accepted, because enough was unread.
        private var wasFull = false

        init(_ request: CurlRequest, in session: CurlSession, counter: TransferControl.Counter? = nil) {
            self.counter = counter
            self.request = request
            self.session = session
            limits = session.configuration.limits
            metrics = request.options.report?.isMeasured == true ? Locked(TransferReport.Metrics()) : nil
            state = ResponseState(highWater: limits.bufferedBytes)
        }

        /// The highest version of HTTP that is spoken with its server.
        var version: CurlTransport.Versions.Version {
            let versions = session.configuration.versions
            return request.target.isSecure ? versions.overTLS : versions.withoutTLS
        }

        /// The host for messages, with its port if the URL has one.
        var host: String { request.target.host }
    }

    // MARK: - Events of the loop

    extension CurlTransfer {
        /// Stores the head; ``deliver()`` resumes its reader.
        func receive(head: [UInt8]) {
            lock.withLock {
                self.head = head
                state.receiveHead()
            }
        }

        /// Returns whether a piece of the body is accepted; if too much is unread, the reader continues the transfer
        /// later.
        func mayReceive() -> Bool {
            lock.withLock {
                wasFull = wasFull || state.end != nil || !state.hasRoom
                return state.end == nil && state.hasRoom
            }
        }

        /// Stores a piece of the body; ``deliver()`` resumes its reader.
        func receive(_ bytes: UnsafeRawBufferPointer) { lock.withLock { state.receive(bytes) } }

        /// Stores the lines after the body.
        func receive(trailer: [UInt8]) { lock.withLock { self.trailer = trailer } }

        /// Ends the transfer, unless it has ended; ``deliver()`` resumes its readers.
        func end(_ outcome: Result<Void, TransportError>) {
            lock.withLock { _ = state.end(outcome) }
            counter?.end()
        }

        /// Resumes the readers for which there is a result.
        func deliver() { lock.withLock { state.deliveries() }.perform() }

        /// Whether the transfer has ended.
        var hasEnded: Bool { lock.withLock { state.end != nil } }
    }

    // MARK: - Reads of the task

    extension CurlTransfer {
        /// Ends the transfer with an error, unless it has ended, and removes it from the loop.
        func stop(_ error: TransportError) {
            let (hadEnded, deliveries) = lock.withLock { (!state.end(.failure(error)), state.deliveries()) }
            deliveries.perform()
            counter?.end()
            if !hadEnded { session.stop(self) }
        }

        /// Stops the transfer when nothing can read its body any more, unless the whole body has arrived.
        func abandon() {
            if lock.withLock({ state.end == nil }) { stop(TransportError(.cancelled)) }
        }

        /// Waits for the head.
        ///
        /// Cancellation of the task stops the transfer.
        func head() async throws(TransportError) -> [UInt8] {
            try await result { continuation in lock.withLock { state.readHead(continuation) } }
            return lock.withLock { head }
        }

        /// Returns the whole body if it has arrived and no part of it was read; otherwise nil.
        func wholeBody() -> Data? { lock.withLock { state.takeWholeBody() } }

        /// Waits for a part of the body: all unread pieces that have arrived, none at the end.
        ///
        /// Cancellation of the task stops the transfer.
        func chunks() async throws(TransportError) -> [Data] {
            let (ready, wasFull) = lock.withLock { (state.readChunks(), takeFullness()) }
            if wasFull { loop?.post(.update(self)) }
            if let ready { return try ready.get() }
            defer { if lock.withLock({ takeFullness() }) { loop?.post(.update(self)) } }
            return try await result { continuation in lock.withLock { state.readChunks(continuation) } }
        }

        /// Returns whether a piece was not accepted since the last call, and there is room for it now.
        ///
        /// The lock is held.
        private func takeFullness() -> Bool {
            guard wasFull, state.unreadBytes == 0 else { return false }
            wasFull = false
            return true
        }

        /// The trailer fields; empty until the body has been read to its end.
        var trailerFields: HTTPFields {
            let trailer = lock.withLock { state.isReadToItsEnd ? self.trailer : [] }
            return trailer.isEmpty ? [] : CurlHead.fields(trailer[...])
        }
    }
#endif
