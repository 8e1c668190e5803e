/// An observer of call events.
///
/// ```swift
/// struct Counts: CallObserver {
///     let failures: FailureCounter
///
///     func observe(_ event: CallEvent) {
///         if case .failed(let error) = event.kind { failures.add(event.template, error) }
///     }
/// }
///
/// Client(url) { Observe(Counts(failures: failures)) }
/// ```
public protocol CallObserver: Sendable {
    /// Receives an event on one of the call's tasks, which continues once the method returns.
    ///
    /// The last event of a call is delivered after observers have returned from all earlier ones, so an observer that
    /// waits here for the call to end deadlocks. If the response body is abandoned before its end, however, the last
    /// event is delivered immediately. No event is delivered after it, except for deliveries already in progress.
    ///
    /// - Parameter event: the event, with secrets redacted.
    func observe(_ event: CallEvent)
}

/// A clause that observes calls; multiple observers are called in order.
///
/// ```swift
/// Client(url) {
///     Observe { event in
///         if case .retried(let wait, _) = event.kind { print("\(event.template) retrying in \(wait)") }
///     }
/// }
/// Observe.none                // without the observers of outer scopes
/// ```
///
/// The observers of outer scopes are called first. Without this clause, no events are created.
public struct Observe: Scope.RepeatableClause {
    private let observers: CallObservers

    /// A clause that removes the observers of outer scopes, such as loggers and drift detectors.
    ///
    /// Observers declared in the same scope or an inner one remain, regardless of their order.
    public static let none = Observe(observers: .none)

    private init(observers: CallObservers) { self.observers = observers }

    /// Creates the clause with an observer.
    ///
    /// - Parameter observer: the observer of all calls in the scope.
    public init(_ observer: some CallObserver) {
        observers = CallObservers([observer], inspectors: (observer as? any ResponseInspector).map { [$0] } ?? [])
    }

    /// Creates the clause with a function.
    ///
    /// - Parameter observe: receives the events on the calls' tasks, which continue once it returns.
    public init(_ observe: @escaping @Sendable (CallEvent) -> Void) {
        observers = CallObservers([FunctionObserver(observe: observe)], inspectors: [])
    }

    /// Declares the observer.
    ///
    /// - Parameter scope: the scope whose calls are observed.
    public func declare(in scope: inout Scope) { scope.declare(observers) }
}

/// The observers of a call.
package struct CallObservers: ReplacingSetting {
    package static let clauseName = "Observe"

    package let elements: [any CallObserver]

    /// The observers that inspect responses instead of receiving events.
    package let inspectors: [any ResponseInspector]

    package let replacesOuter: Bool

    package init(_ elements: [any CallObserver], replacesOuter: Bool) {
        let inspectors = elements.compactMap { $0 as? any ResponseInspector }
        self.init(elements, inspectors: inspectors, replacesOuter: replacesOuter)
    }

    // The inspectors are determined once per declaration, because casting to a protocol is slow.
    fileprivate init(
        _ elements: [any CallObserver],
        inspectors: [any ResponseInspector],
        replacesOuter: Bool = false
    ) {
        self.elements = elements
        self.inspectors = inspectors
        self.replacesOuter = replacesOuter
    }

    package func merged(over outer: Self) -> Self {
        replacesOuter ? self : adding(to: outer, replacesOuter: outer.replacesOuter)
    }

    package func joined(after earlier: Self) -> Self {
        adding(to: earlier, replacesOuter: replacesOuter || earlier.replacesOuter)
    }

    private func adding(to first: Self, replacesOuter: Bool) -> Self {
        Self(
            first.elements + elements,
            inspectors: first.inspectors + inspectors,
            replacesOuter: replacesOuter
        )
    }

    /// The observers that receive events; nil if all of them only inspect responses.
    var listeners: [any CallObserver]? {
        if inspectors.isEmpty { return elements }
        let listeners = elements.filter { !($0 is any ResponseInspector) }
        return listeners.isEmpty ? nil : listeners
    }

    package static func summary(of observer: any CallObserver) -> String { "\(type(of: observer))" }
}

private struct FunctionObserver: CallObserver {
    let observe: @Sendable (CallEvent) -> Void

    func observe(_ event: CallEvent) { observe(event) }
}

extension CallEvent {
    /// An observer that provides the events as an asynchronous sequence, to be read at any pace.
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
    /// Calls never wait for a reader: if the buffer is full, the oldest event is dropped. Each event is delivered to a
    /// single reader; concurrent iterations share the events. The sequence ends after ``finish()``, or when it is no
    /// longer referenced by a client or other code.
    public final class Stream: CallObserver, AsyncSequence {
        /// The element type.
        public typealias Element = CallEvent

        /// The error type; reading never fails.
        public typealias Failure = Never

        private let stream: AsyncStream<CallEvent>
        private let continuation: AsyncStream<CallEvent>.Continuation
        private let dropped = Locked(0)

        /// Creates a sequence that buffers events until they are read.
        ///
        /// - Parameter limit: the maximum number of buffered events; a value below 1 counts as 1.
        public init(bufferingNewest limit: Int) {
            (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Swift.max(1, limit)))
        }

        deinit { continuation.finish() }

        /// The number of events that were dropped because the buffer was full.
        public var droppedCount: Int { dropped.withLock { $0 } }

        /// Buffers an event for a reader; if the buffer is full, drops the oldest event.
        ///
        /// - Parameter event: the event.
        public func observe(_ event: CallEvent) {
            if case .dropped = continuation.yield(event) { dropped.withLock { $0 += 1 } }
        }

        /// Ends the sequence; buffered events can still be read, and later ones are ignored.
        public func finish() { continuation.finish() }

        /// Returns an iterator over the events.
        ///
        /// - Returns: the iterator.
        public func makeAsyncIterator() -> AsyncStream<CallEvent>.Iterator { stream.makeAsyncIterator() }
    }
}
