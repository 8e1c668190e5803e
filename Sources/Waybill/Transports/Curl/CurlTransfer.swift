#if os(Linux)
    import Foundation

    /// One request and its response, between the loop, which brings what arrives, and the task that sent it.
    ///
    /// It ends once: when the response is complete, when it fails, or when it is stopped. What libcurl has to say
    /// afterwards counts for nothing. Continuations are resumed after the lock is given back.
    ///
    /// `@unchecked Sendable`: `state` is only touched while `lock` is held, `course` only while the loop's turn is;
    /// nothing else changes.
    final class CurlTransfer: @unchecked Sendable {
        let request: CurlRequest
        let limits: CurlTransport.Limits

        /// What the loop alone knows of it.
        var course = Course()

        /// Kept until it has ended, so that the loop is not shut down before.
        let session: CurlSession

        /// What is measured; nil where nobody wants to know.
        let metrics: Locked<TransferMetrics>?
        private let lock = NSLock()
        private var state: State

        init(_ request: CurlRequest, in session: CurlSession) {
            self.request = request
            self.session = session
            limits = session.configuration.limits
            metrics = request.isMeasured ? Locked(TransferMetrics()) : nil
            state = State(highWater: limits.bufferedBytes)
        }

        /// The host, with its port where the URL has one, for messages.
        var host: String { request.target.host }
    }

    // MARK: - What the loop tells

    extension CurlTransfer {
        /// Takes the head; whoever waits for it is told by ``deliver()``.
        func receive(head: [UInt8]) { lock.withLock { state.head = head } }

        /// Whether more of the body can be taken; if too much is unread, the reader asks for more later.
        func mayReceive() -> Bool { lock.withLock { state.mayReceive() } }

        /// Takes a piece of the body; whoever waits for it is told by ``deliver()``.
        func receive(_ bytes: UnsafeRawBufferPointer) { lock.withLock { state.receive(bytes) } }

        /// Takes the lines behind the body.
        func receive(trailer: [UInt8]) { lock.withLock { state.trailer = trailer } }

        /// Ends it, unless it has ended; whoever waits is told by ``deliver()``.
        func end(_ outcome: Result<Void, TransportError>) { lock.withLock { _ = state.end(outcome) } }

        /// Resumes whoever waits for what is there.
        func deliver() { lock.withLock { state.deliveries() }.perform() }

        /// Whether nothing more can come.
        var hasEnded: Bool { lock.withLock { state.end != nil } }

        /// Whether there is room for more of the body.
        var hasRoom: Bool { lock.withLock { state.hasRoom } }
    }

    // MARK: - What the task reads

    extension CurlTransfer {
        /// Ends the transfer with an error, unless it has ended, and has the loop stop it.
        func stop(_ error: TransportError) {
            let (hadEnded, deliveries) = lock.withLock { (!state.end(.failure(error)), state.deliveries()) }
            deliveries.perform()
            if !hadEnded { session.loop.post(.stop(self)) }
        }

        /// Stops the transfer when nobody can read its body any more, unless all of it is there.
        func abandon() {
            if lock.withLock({ state.end == nil }) { stop(TransportError(.cancelled)) }
        }

        /// Waits for the head.
        ///
        /// Cancelling the task stops the transfer.
        func head() async throws(TransportError) -> [UInt8] {
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let head = lock.withLock { state.readHead(continuation) }
                    if let head { continuation.resume(returning: head) }
                }
            } onCancel: {
                stop(TransportError(.cancelled))
            }
            return try result.get()
        }

        /// All of the body, where it has arrived and none of it was read.
        func wholeBody() -> Data? { lock.withLock { state.takeWholeBody() } }

        /// Waits for a part of the body: everything that has arrived and was not read yet, nothing at the end.
        ///
        /// Cancelling the task stops the transfer.
        func chunks() async throws(TransportError) -> [Data] {
            let (ready, wasFull) = lock.withLock { (state.readChunks(), state.takeFullness()) }
            if wasFull { session.loop.post(.goOn(self)) }
            if let ready { return try ready.get() }
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let chunks = lock.withLock { state.readChunks(continuation) }
                    if let chunks { continuation.resume(returning: chunks) }
                }
            } onCancel: {
                stop(TransportError(.cancelled))
            }
            if lock.withLock({ state.takeFullness() }) { session.loop.post(.goOn(self)) }
            return try result.get()
        }

        /// The fields behind the body, where it has been read to its end.
        var trailerFields: HTTPFields {
            let trailer = lock.withLock { state.isReadToItsEnd ? state.trailer : [] }
            return trailer.isEmpty ? [] : CurlHead.fields(trailer[...])
        }
    }
#endif
