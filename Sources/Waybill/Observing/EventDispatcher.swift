/// A dispatcher that delivers a call's events to its observers, with the last event after all others.
///
/// Other tasks, such as that of a shared transfer, may still report events when the call ends. No lock is held while an
/// observer runs; instead, events after the last one are dropped, and `deliverLast(_:)` waits for deliveries in
/// progress.
package final class EventDispatcher: Sendable {
    private struct State: Sendable {
        /// The number of deliveries in progress.
        var count = 0
        /// Whether the call's last event has been reported.
        var isOver = false
        /// The continuation for delivering the last event, while it waits for other deliveries.
        var end: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    package init() {}

    /// Whether the last event is waiting for deliveries in progress.
    var isEnding: Bool { state.withLock { $0.end != nil } }

    /// Delivers an event unless the last one has already been reported.
    func deliver(_ tell: () -> Void) {
        let mayBegin = state.withLock { state in
            if !state.isOver { state.count += 1 }
            return !state.isOver
        }
        guard mayBegin else { return }
        tell()
        let waiting = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? state.end.take() : nil
        }
        waiting?.resume()
    }

    /// Delivers the last event without waiting for deliveries in progress.
    func deliverLastAtOnce(_ tell: () -> Void) {
        if end().isFirst { tell() }
    }

    /// Delivers the last event after all others; later attempts to deliver a last event are dropped.
    func deliverLast(_ tell: () -> Void) async {
        let (isFirst, isQuiet) = end()
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

    /// Records that the last event has been reported.
    ///
    /// - Returns: whether this is the first report of a last event, and whether no delivery is in progress.
    private func end() -> (isFirst: Bool, isQuiet: Bool) {
        state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.count == 0)
        }
    }
}
