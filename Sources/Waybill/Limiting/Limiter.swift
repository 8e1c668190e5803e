/// The limits of a client's calls: lets tasks through, or has them wait.
///
/// Between calls nothing of it runs. While tasks wait for a moment, one sleeping task wakes them.
package final class Limiter: Sendable {
    /// What comes of asking to go.
    enum Outcome {
        case passed
        case refused(LimitRefusal)
        case cancelled
    }

    fileprivate struct State {
        var lines = LimitLines<Waiter>()
        var alarm: Alarm?
    }

    fileprivate let time: Timeline
    fileprivate let state = Locked(State())

    package init(_ time: Timeline) { self.time = time }

    /// Whether nobody waits, nobody is on the way, and nothing sleeps.
    package var isAtRest: Bool { state.withLock { $0.lines.isEmpty && $0.alarm == nil } }

    /// How many calls wait.
    package var waitingCount: Int { state.withLock { $0.lines.waitingCount } }

    /// Waits for the call's turn.
    ///
    /// - Parameters:
    ///   - remaining: the time by which its turn has to come.
    ///   - queued: called before it waits, where it has to.
    func enter(_ keys: [LimitKey], within remaining: Duration?, queued: () -> Void) async -> Outcome {
        let now = time.now
        let latest = remaining.map { now + $0 }
        switch update({ $0.enter(keys, latest: latest, now: $1, waiter: nil) }) {
        case .passed: return .passed
        case .refused(let refusal): return .refused(refusal)
        case .waits, nil: break
        }
        queued()
        let waiter = Waiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = update { lines, now in
                    // A cancellation that comes after this question finds the waiter in its line.
                    if Task.isCancelled { return .cancelled }
                    switch lines.enter(keys, latest: latest, now: now, waiter: waiter) {
                    case .passed: return .passed
                    case .refused(let refusal): return .refused(refusal)
                    case .waits(let ticket):
                        waiter.ticket = ticket
                        waiter.continuation = continuation
                        return nil
                    case nil: return .cancelled
                    }
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let left = update { lines, _ in waiter.ticket.flatMap { lines.abandon($0) } }
            left?.continuation?.resume(returning: .cancelled)
        }
    }

    /// Says that a call is over which was let through.
    func leave(_ keys: [LimitKey]) { update { lines, _ in lines.leave(keys) } }

    /// Lets no call through for a while.
    func hold(_ keys: [LimitKey], for wait: Duration) {
        let refused = update { $0.hold(keys, until: $1 + wait, now: $1) }
        for (waiter, refusal) in refused { waiter.continuation?.resume(returning: .refused(refusal)) }
    }

    /// Changes the lines between two looks at who may go, and sets the alarm for the next one.
    @discardableResult
    private func update<Result>(_ change: (inout LimitLines<Waiter>, Duration) -> Result) -> Result {
        let now = time.now
        let (result, admitted, silenced) = state.withLock { state in
            var admitted = state.lines.admit(now: now)
            let result = change(&state.lines, now)
            admitted += state.lines.admit(now: now)
            return (result, admitted, state.setAlarm(for: state.lines.nextOpening(now: now), of: self))
        }
        // Whoever is woken runs code of its own, which must not happen under the lock.
        silenced?.task.cancel()
        for waiter in admitted { waiter.continuation?.resume(returning: .passed) }
        return result
    }
}

extension Limiter {
    /// A task in a line.
    ///
    /// `@unchecked Sendable`: what it has is written once, under the limiter's lock, before anybody finds it in its line;
    /// a ticket is read under the lock.
    final class Waiter: @unchecked Sendable {
        var ticket: LimitLines<Waiter>.Ticket?
        var continuation: CheckedContinuation<Outcome, Never>?
    }

    /// A task that sleeps until somebody's turn comes.
    fileprivate struct Alarm {
        let moment: Duration
        let task: Task<Void, Never>
    }

    /// Looks at the lines when an alarm has gone off.
    fileprivate func ring(_ moment: Duration) {
        state.withLock { state in
            if state.alarm?.moment == moment { state.alarm = nil }
        }
        update { _, _ in }
    }
}

extension Limiter.State {
    /// Sets the alarm to a moment, or to none.
    ///
    /// - Returns: an alarm to be stopped, which was set to another moment.
    fileprivate mutating func setAlarm(for moment: Duration?, of limiter: Limiter) -> Limiter.Alarm? {
        guard moment != alarm?.moment else { return nil }
        defer { alarm = moment.map { limiter.alarm(at: $0) } }
        return alarm
    }
}

extension Limiter {
    // Not a child of the call that happens to set it: it has neither its deadline nor its end.
    fileprivate func alarm(at moment: Duration) -> Alarm {
        Alarm(
            moment: moment,
            task: .detached { [weak self, time] in
                do {
                    try await time.sleep(for: moment - time.now)
                    self?.ring(moment)
                } catch {
                    // It was stopped.
                }
            }
        )
    }
}
