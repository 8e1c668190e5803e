import Waybill
import WaybillSystem

/// The result of a shared transfer.
struct TransferResult: Sendable {
    let result: Result<CallResponse, APIError>
    /// Whether the transfer ended early because the first call ran out of time.
    var isLate = false
}

/// The shareable transfers of a client, and the calls waiting for them.
final class InFlightRequests: Sendable {
    /// The outcome of waiting for a transfer.
    enum Outcome: Sendable {
        case ended(TransferResult)
        /// The waiting task was cancelled.
        case left
    }

    private struct SharedTransfer: Sendable {
        let key: TransferKey
        /// The number of calls that share it.
        var members = 1
        var waiters = Waiters<Outcome>()
        var task: Task<Void, Never>?
        var result: TransferResult?
    }

    private struct State: Sendable {
        var nextNumber = 0
        var transfers: [Int: SharedTransfer] = [:]
        /// The transfers that further calls can join.
        var open: [TransferKey: Int] = [:]

        /// Removes a call from a transfer; returns the task to cancel if that was the transfer's last call.
        mutating func leave(_ number: Int) -> Task<Void, Never>? {
            transfers[number]?.members -= 1
            guard transfers[number]?.members == 0, let transfer = transfers.removeValue(forKey: number) else {
                return nil
            }
            if open[transfer.key] == number { open[transfer.key] = nil }
            return transfer.result == nil ? transfer.task : nil
        }
    }

    private let state = Locked(State())

    /// Returns the in-flight requests of a call's client.
    static func shared(by call: Call) -> InFlightRequests {
        call.context.storage.state(for: "coalescing") { InFlightRequests() }
    }

    /// Joins the open transfer with the given key, or adds a new one.
    func join(_ key: TransferKey) -> (number: Int, isFirst: Bool) {
        state.withLock { state in
            if let number = state.open[key] {
                state.transfers[number]?.members += 1
                return (number, false)
            }
            state.nextNumber += 1
            state.transfers[state.nextNumber] = SharedTransfer(key: key)
            state.open[key] = state.nextNumber
            return (state.nextNumber, true)
        }
    }

    /// Sets the task of a transfer.
    func started(_ number: Int, _ task: Task<Void, Never>) {
        state.withLock { $0.transfers[number]?.task = task }
    }

    /// Waits for a transfer to end.
    ///
    /// Each joined call must wait exactly once, and leaves the transfer when its wait ends.
    func outcome(of number: Int) async -> Outcome {
        // If the transfer has already ended, possibly without suspending, there is nothing to wait for.
        let ended = state.withLock { state -> Outcome? in
            guard !Task.isCancelled, let result = state.transfers[number]?.result else { return nil }
            _ = state.leave(number)
            return .ended(result)
        }
        if let ended { return ended }
        let outcome = await state.wait(cancelled: Outcome.left) { state, waiter in
            if let result = state.transfers[number]?.result { return .ended(result) }
            state.transfers[number]?.waiters.add(waiter)
            return nil
        } removing: { state, id in
            state.transfers[number]?.waiters.remove(id)
        }
        state.withLock { $0.leave(number) }?.cancel()
        return outcome
    }

    /// Ends a transfer, and resumes the calls waiting for it.
    func end(_ number: Int, _ result: TransferResult) {
        let waiters = state.withLock { state -> [Waiter<Outcome>] in
            guard let key = state.transfers[number]?.key else { return [] }
            if state.open[key] == number { state.open[key] = nil }
            // The last call to leave removes the transfer, because a joined call may not be waiting yet.
            state.transfers[number]?.result = result
            return state.transfers[number]?.waiters.removeAll() ?? []
        }
        for waiter in waiters { waiter.resume(returning: .ended(result)) }
    }

    /// Prevents further calls from joining the transfers for a URL.
    func close(_ url: URL) {
        state.withLock { state in
            for key in state.open.keys where key.url == url { state.open[key] = nil }
        }
    }

    /// The number of calls that share each transfer.
    var memberCounts: [Int] { state.withLock { $0.transfers.values.map(\.members) } }
}
