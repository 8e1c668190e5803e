extension CallEvent {
    /// An observer that is a sequence of events, for a task that reads them in its own time.
    ///
    /// ```swift
    /// let events = CallEvent.Stream(bufferingNewest: 1000)
    /// let client = Client(url) { Observe(events) }
    ///
    /// Task {
    ///     for await event in events { print(event) }
    /// }
    /// ```
    ///
    /// Calls never wait for it: if too many events are unread, the oldest one is dropped. Each event goes to one
    /// reader; if several tasks iterate, they share them out. The sequence ends after ``finish()``, or when neither a
    /// client nor any other code holds it.
    public final class Stream: CallObserver, AsyncSequence {
        /// The type of the elements.
        public typealias Element = CallEvent

        /// Nothing goes wrong.
        public typealias Failure = Never

        private let stream: AsyncStream<CallEvent>
        private let continuation: AsyncStream<CallEvent>.Continuation
        private let dropped = Locked(0)

        /// Creates a sequence that keeps a number of events until they are read.
        ///
        /// - Parameter limit: the most events that are kept; less than 1 counts as 1.
        public init(bufferingNewest limit: Int) {
            (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Swift.max(1, limit)))
        }

        deinit { continuation.finish() }

        /// The number of events that were dropped unread.
        public var droppedCount: Int { dropped.withLock { $0 } }

        /// Stores an event for a reader.
        public func observe(_ event: CallEvent) {
            if case .dropped = continuation.yield(event) { dropped.withLock { $0 += 1 } }
        }

        /// Ends the sequence: stored events are still read, later ones are dropped.
        public func finish() { continuation.finish() }

        /// Starts reading.
        public func makeAsyncIterator() -> AsyncStream<CallEvent>.Iterator { stream.makeAsyncIterator() }
    }
}
