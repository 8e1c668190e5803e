import Foundation

/// A handle with which a request on its way is paused and goes on.
///
/// ```swift
/// let control = TransferControl()
/// request.control = control
/// let response = try await transport.send(request)
/// control.pause()      // the server is held back by TCP's or HTTP/2's flow control
/// control.resume()
/// ```
///
/// While it is paused, nothing is read from the connection and nothing of the body is written to it; the connection
/// stays open, and limits on silence do not count. A request that was paused before it was sent is held back until it
/// is resumed. To stop a request for good, cancel its task.
///
/// A transport that cannot pause ignores it: ``URLSessionTransport`` does. Several requests may share one handle.
public final class TransferControl: Sendable {
    private struct State {
        var isPaused = false
        var observers: [Int: @Sendable () -> Void] = [:]
        var nextObserver = 0
    }

    private let state = Locked(State())

    /// Creates a handle that does not pause.
    public init() {}

    /// Whether transfers are held back.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Holds the transfers back, until ``resume()``.
    public func pause() { set(true) }

    /// Lets the transfers go on.
    public func resume() { set(false) }

    private func set(_ isPaused: Bool) {
        let observers: [@Sendable () -> Void] = state.withLock { state in
            guard state.isPaused != isPaused else { return [] }
            state.isPaused = isPaused
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Has an observer told of changes, on the thread that makes them.
    ///
    /// Two changes at the same time may be told in any order: what holds is what ``isPaused`` says then.
    package func observe(_ observer: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = observer
            return state.nextObserver
        }
    }

    /// Tells an observer nothing any more.
    package func forget(_ id: Int) { state.withLock { $0.observers[id] = nil } }
}
