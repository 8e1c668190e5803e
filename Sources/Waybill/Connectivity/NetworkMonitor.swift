import WaybillSystem

/// Whether there is a network, as the system or the app says, and a wait for one.
///
/// ```swift
/// Client(url) { WaitsForConnectivity(upTo: .seconds(60)) }        // by NetworkMonitor.system
///
/// for await isConnected in NetworkMonitor.system.changes where !isConnected { showOffline() }
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
        let waiting = state.withLock { state -> [Int: CheckedContinuation<Void, Never>] in
            guard state.isConnected != isConnected else { return [:] }
            state.isConnected = isConnected
            // Under the lock, so that the last state that a reader gets is the last one.
            for reader in state.readers.values { reader.yield(isConnected) }
            guard isConnected else { return [:] }
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Whether there is a network, now and after each change; a slow reader gets the newest state.
    public var changes: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextNumber += 1
            state.readers[state.nextNumber] = continuation
            continuation.yield(state.isConnected)
            return state.nextNumber
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Waits until there is a network, or until the task is cancelled.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func waitUntilConnected() async -> Bool {
        // The network may be gone again when the wait is over.
        while !isConnected {
            guard !Task.isCancelled else { return false }
            await waitOnce()
        }
        return true
    }

    private func waitOnce() async {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // A cancellation that has come before finds no one who waits.
                    guard !state.isConnected, !Task.isCancelled else { return false }
                    state.waiting[number] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }

    /// The number of those who wait, for tests.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }
}
