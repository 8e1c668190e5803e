import Waybill

/// The observers of a store's events and status.
final class StoreEvents: Sendable {
    private struct State {
        var nextID = 0
        var events: [Int: AsyncStream<StoreEvent>.Continuation] = [:]
        var statuses: [Int: AsyncStream<StoreStatus>.Continuation] = [:]
        var status = StoreStatus.idle
    }

    private let state = Locked(State())

    /// The events published from now on.
    var events: AsyncStream<StoreEvent> {
        AsyncStream { continuation in
            let id = state.withLock { state in
                state.nextID += 1
                state.events[state.nextID] = continuation
                return state.nextID
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.events.removeValue(forKey: id) }
            }
        }
    }

    /// The current status, followed by each change; a slow reader receives only the latest.
    var statuses: AsyncStream<StoreStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let (id, status) = state.withLock { state in
                state.nextID += 1
                state.statuses[state.nextID] = continuation
                return (state.nextID, state.status)
            }
            continuation.yield(status)
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.statuses.removeValue(forKey: id) }
            }
        }
    }

    var status: StoreStatus { state.withLock { $0.status } }

    /// Publishes an event to all observers.
    func publish(_ event: StoreEvent) {
        for continuation in state.withLock({ Array($0.events.values) }) { continuation.yield(event) }
    }

    /// Sets the status, and publishes it if it differs from the previous one.
    func updateStatus(to status: StoreStatus) {
        let continuations = state.withLock { state in
            defer { state.status = status }
            return state.status == status ? [] : Array(state.statuses.values)
        }
        for continuation in continuations { continuation.yield(status) }
    }

    func finish() {
        let (events, statuses) = state.withLock { state in
            defer { (state.events, state.statuses) = ([:], [:]) }
            return (Array(state.events.values), Array(state.statuses.values))
        }
        for continuation in events { continuation.finish() }
        for continuation in statuses { continuation.finish() }
    }
}
