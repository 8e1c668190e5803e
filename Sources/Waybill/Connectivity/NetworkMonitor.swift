import WaybillSystem

/// Whether there is a network, as the system or the app says, and a wait for one.
///
/// ```swift
/// Client(url) { WaitsForConnectivity(upTo: .seconds(60)) }        // by NetworkMonitor.system
///
/// for await isConnected in NetworkMonitor.system.changes { banner.isHidden = isConnected }
///
/// let network = NetworkMonitor(isConnected: false)                // in a test
/// network.update(isConnected: true)
/// ```
///
/// That there is a network does not mean that a server can be reached.
public final class NetworkMonitor: Sendable {
    private struct State: Sendable {
        var isConnected: Bool
        var nextNumber = 0
        /// The calls that wait, by their numbers.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The readers of changes, by their numbers.
        var readers: [Int: AsyncStream<Bool>.Continuation] = [:]
    }

    private let state: Locked<State>

    /// Creates a monitor whose state the app sets, for a test or for a network that the system does not know.
    ///
    /// - Parameter isConnected: whether there is a network at first.
    public init(isConnected: Bool) { state = Locked(State(isConnected: isConnected)) }

    /// Whether there is a network.
    public var isConnected: Bool { state.withLock { $0.isConnected } }

    /// Sets whether there is a network; calls that wait for it go on.
    ///
    /// The next change of the system replaces what is set for ``system``.
    public func update(isConnected: Bool) {
        let (before, after) = state.withLock { state in
            let before = state
            state.isConnected = isConnected
            if isConnected { state.waiting = [:] }
            return (before, state)
        }
        guard before.isConnected != isConnected else { return }
        for reader in after.readers.values { reader.yield(isConnected) }
        if isConnected { for continuation in before.waiting.values { continuation.resume() } }
    }

    /// Whether there is a network, now and after each change; a slow reader gets the newest state.
    public var changes: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let (number, isConnected) = state.withLock { state in
            state.nextNumber += 1
            state.readers[state.nextNumber] = continuation
            return (state.nextNumber, state.isConnected)
        }
        continuation.yield(isConnected)
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Waits until there is a network, or until the task is cancelled.
    ///
    /// - Returns: whether there is one.
    @discardableResult
    public func waitUntilConnected() async -> Bool {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // The cancellation may have come before, and finds nobody then.
                    guard !state.isConnected, !Task.isCancelled else { return false }
                    state.waiting[number] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        return isConnected
    }

    /// The number of those who wait, for tests.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }
}
