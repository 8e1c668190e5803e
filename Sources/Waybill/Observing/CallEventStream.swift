/// An observer that is a sequence of what happens to calls, for a task that looks at it in its own time.
///
/// ```swift
/// let events = CallEventStream(bufferingNewest: 1000)
/// let client = Client(url) { Observe(events) }
///
/// Task {
///     for await event in events { print(event) }
/// }
/// ```
///
/// Calls never wait for it: where so many events are unread, the oldest one is dropped. Each event goes to one reader;
/// where several tasks iterate, they share them out. The sequence ends when ``finish()`` is called, or when neither a
/// client nor anybody else has it any more.
public final class CallEventStream: CallObserver, AsyncSequence {
    /// What happens to calls.
    public typealias Element = CallEvent

    /// Nothing goes wrong.
    public typealias Failure = Never

    private let stream: AsyncStream<CallEvent>
    private let continuation: AsyncStream<CallEvent>.Continuation
    private let dropped = Locked(0)

    /// A sequence that keeps events until they are read, but no more than so many.
    ///
    /// - Parameter limit: the most events that are kept; less than 1 stands for 1.
    public init(bufferingNewest limit: Int) {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Swift.max(1, limit)))
    }

    deinit { continuation.finish() }

    /// How many events were dropped so far, because nobody had read them.
    public var droppedCount: Int { dropped.withLock { $0 } }

    /// Keeps an event for whoever reads.
    public func observe(_ event: CallEvent) {
        if case .dropped = continuation.yield(event) { dropped.withLock { $0 += 1 } }
    }

    /// Ends the sequence: what is kept is read to its end, what comes later is not kept.
    public func finish() { continuation.finish() }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncStream<CallEvent>.Iterator { stream.makeAsyncIterator() }
}
