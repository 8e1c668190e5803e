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
        var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
        var task: Task<Void, Never>?
        var result: TransferResult?
    }

    private struct State: Sendable {
        var nextNumber = 0
        var nextWaiter = 0
        var transfers: [Int: SharedTransfer] = [:]
        /// The transfers that further calls can join.
        var open: [TransferKey: Int] = [:]

        /// Removes a call from a transfer; returns the task to cancel if that was the transfer's last call.
        mutating func leave(_ number: Int) -> Task<Void, Never>? {
            guard var transfer = transfers[number] else { return nil }
            transfer.members -= 1
            transfers[number] = transfer
            guard transfer.members == 0 else { return nil }
            transfers[number] = nil
            if open[transfer.key] == number { open[transfer.key] = nil }
            return transfer.result == nil ? transfer.task : nil
        }
    }

    private let state = Locked(State())

    /// Returns the in-flight requests of a call's client.
    static func shared(by call: Call) -> InFlightRequests {
        call.context.storage.state(for: "coalescing") { InFlightRequests() }
    }

    /// Joins the open transfer with a key, or adds a new one.
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
    /// Each call that has joined must wait exactly once.
    func outcome(of number: Int) async -> Outcome {
        let (result, waiter) = state.withLock { state -> (TransferResult?, Int) in
            state.nextWaiter += 1
            // The transfer may have ended without suspending.
            guard !Task.isCancelled, let result = state.transfers[number]?.result else {
                return (nil, state.nextWaiter)
            }
            _ = state.leave(number)
            return (result, state.nextWaiter)
        }
        if let result { return .ended(result) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (outcome, task): (Outcome?, Task<Void, Never>?) = state.withLock { state in
                    // A cancellation after this check finds the waiter in the dictionary.
                    if Task.isCancelled { return (.left, state.leave(number)) }
                    if let result = state.transfers[number]?.result {
                        return (.ended(result), state.leave(number))
                    }
                    state.transfers[number]?.waiters[waiter] = continuation
                    return (nil, nil)
                }
                task?.cancel()
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let (waiter, task) = state.withLock { state in
                guard let waiter = state.transfers[number]?.waiters.removeValue(forKey: waiter) else {
                    return (CheckedContinuation<Outcome, Never>?.none, Task<Void, Never>?.none)
                }
                return (waiter, state.leave(number))
            }
            task?.cancel()
            waiter?.resume(returning: .left)
        }
    }

    /// Ends a transfer, and resumes the calls waiting for it.
    func end(_ number: Int, _ result: TransferResult) {
        let waiters = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
            guard var transfer = state.transfers[number] else { return [] }
            if state.open[transfer.key] == number { state.open[transfer.key] = nil }
            let waiters = Array(transfer.waiters.values)
            transfer.waiters = [:]
            transfer.members -= waiters.count
            transfer.result = result
            // Keep the result for a call that has joined but is not waiting yet.
            state.transfers[number] = transfer.members > 0 ? transfer : nil
            return waiters
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
