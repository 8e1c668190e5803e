import WaybillSystem

/// A handle for pausing and resuming requests and for reading their progress.
///
/// ```swift
/// let control = TransferControl()
/// let response = try await transport.send(request, options: TransferOptions(control: control))
/// control.pause()      // flow control of TCP or HTTP/2 makes the server wait
/// control.resume()
/// ```
///
/// While a request is paused, nothing is read from the connection and no body bytes are written to it; the connection
/// stays open, and idle timeouts are suspended. A request that is paused before it is sent waits until it is resumed.
/// To stop a request permanently, cancel its task.
///
/// Several requests can share a handle. Transports that cannot pause requests ignore it; on Linux,
/// `URLSessionTransport` can only delay a request that has not been sent.
public final class TransferControl: Sendable {
    struct State {
        var isPaused = false
        var observers: [Int: @Sendable () -> Void] = [:]
        var nextObserver = 0
        var progress = ProgressState()
    }

    let state = Locked(State())

    /// Creates a handle that is not paused.
    public init() {}

    /// Whether transfers are paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Pauses the transfers until ``resume()`` is called.
    public func pause() { set(true) }

    /// Resumes the transfers.
    public func resume() { set(false) }

    private func set(_ isPaused: Bool) {
        let observers: [@Sendable () -> Void] = state.withLock { state in
            guard state.isPaused != isPaused else { return [] }
            state.isPaused = isPaused
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Registers an observer, which is called on the thread that makes a change.
    ///
    /// Concurrent changes can call it in any order, so it must read the current state from ``isPaused``.
    ///
    /// - Parameter observer: a closure called after each change.
    /// - Returns: the identifier to pass to ``removeObserver(_:)``.
    package func observe(_ observer: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = observer
            return state.nextObserver
        }
    }

    /// Accesses the progress while holding the lock.
    func withProgress<Value>(_ body: (inout ProgressState) -> Value) -> Value { state.withLock { body(&$0.progress) } }

    /// Removes an observer.
    package func removeObserver(_ id: Int) { state.withLock { $0.observers[id] = nil } }
}
