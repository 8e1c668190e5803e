import Waybill
import WaybillSystem

/// A monitor of network availability, updated by the system or by the app.
///
/// ```swift
/// Client(url) { WaitsForConnectivity(maximumWait: .seconds(60)) }        // by NetworkMonitor.system
///
/// for await isConnected in NetworkMonitor.system.changes where !isConnected { showOffline() }
///
/// let network = NetworkMonitor(isConnected: false)                // in a test
/// network.update(isConnected: true)
/// ```
///
/// An available network does not mean that a server is reachable.
public final class NetworkMonitor: Sendable {
    private struct State: Sendable {
        var isConnected: Bool
        var waiting = Waiters<Void>()
        /// The continuations of the change streams, by number.
        var readers: [Int: AsyncStream<Bool>.Continuation] = [:]
        var nextReader = 0
    }

    private let state: Locked<State>

    /// Creates a monitor that the app updates, for tests or for a network that the system does not monitor.
    ///
    /// - Parameter isConnected: whether a network is available initially.
    public init(isConnected: Bool) { state = Locked(State(isConnected: isConnected)) }

    /// Whether a network is available.
    public var isConnected: Bool { state.withLock { $0.isConnected } }

    /// Sets whether a network is available, and resumes waiting calls if it is.
    ///
    /// For ``system``, the next change reported by the system overrides the value.
    ///
    /// - Parameter isConnected: whether a network is available.
    public func update(isConnected: Bool) {
        let waiting = state.withLock { state -> [Waiter<Void>] in
            guard state.isConnected != isConnected else { return [] }
            state.isConnected = isConnected
            // Yield with the lock held, so each reader receives the latest state last.
            for reader in state.readers.values { reader.yield(isConnected) }
            return isConnected ? state.waiting.removeAll() : []
        }
        for waiter in waiting { waiter.resume(returning: ()) }
    }

    /// A stream of the current availability and its changes; a slow reader receives only the latest value.
    public var changes: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextReader += 1
            state.readers[state.nextReader] = continuation
            continuation.yield(state.isConnected)
            return state.nextReader
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Waits until a network is available or the task is cancelled.
    ///
    /// - Returns: whether a network is available; false if the task was cancelled first.
    @discardableResult
    public func waitUntilConnected() async -> Bool {
        // The network may have become unavailable again by the end of a wait.
        while !isConnected {
            guard !Task.isCancelled else { return false }
            await state.wait(cancelled: ()) { state, waiter in
                if state.isConnected { return () }
                state.waiting.add(waiter)
                return nil
            } removing: { state, id in
                state.waiting.remove(id)
            }
        }
        return true
    }

    /// The number of waiting calls, for tests.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }
}
