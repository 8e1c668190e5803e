/// The events of a call on their way to its observers, by which the last one comes last: other tasks than the call's
/// own, a shared transfer's for one, may still have something to tell when the call ends.
///
/// No lock is held while an observer's code runs: what comes after the end is dropped, and the end waits for what is
/// being told.
package final class EventDeliveries: Sendable {
    private struct State: Sendable {
        /// How many events observers are being told of.
        var count = 0
        /// Whether the call's last event has come.
        var isOver = false
        /// The call's end, which waits.
        var end: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    package init() {}

    /// Whether the last event waits until nothing else is being told.
    var isEnding: Bool { state.withLock { $0.end != nil } }

    /// Has observers told of an event; not after the last one has come.
    func deliver(_ tell: () -> Void) {
        let mayBegin = state.withLock { state in
            if !state.isOver { state.count += 1 }
            return !state.isOver
        }
        guard mayBegin else { return }
        tell()
        let end = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return CheckedContinuation<Void, Never>?.none }
            defer { state.end = nil }
            return state.end
        }
        end?.resume()
    }

    /// Has observers told of the last event, when nothing else is being told any more; a second last one is none.
    func deliverLast(_ tell: () -> Void) async {
        let (isFirst, isQuiet) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.count == 0)
        }
        guard isFirst else { return }
        if !isQuiet {
            await withCheckedContinuation { end in
                let isQuiet = state.withLock { state in
                    if state.count > 0 { state.end = end }
                    return state.count == 0
                }
                if isQuiet { end.resume() }
            }
        }
        tell()
    }
}
