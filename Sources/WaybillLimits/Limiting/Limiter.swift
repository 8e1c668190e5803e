import Waybill

/// A limiter of a client's calls, which admits calls or makes them wait.
///
/// It needs no background task except for an alarm: a single sleeping task that admits calls when their time comes.
package final class Limiter: Sendable {
    /// The result of a request for a permit.
    enum Outcome {
        /// A permit, with the call's numbers.
        case passed([Int])
        case rejected(LimitRejection)
        case cancelled
    }

    fileprivate struct State {
        var queues = LimitQueues<Waiter>()
        var alarm: Alarm?
    }

    fileprivate let time: AnyClock
    fileprivate let state = Locked(State())

    package init(_ time: AnyClock) { self.time = time }

    /// Whether no call is waiting or in flight, and no alarm is set.
    package var isAtRest: Bool { state.withLock { $0.queues.isEmpty && $0.alarm == nil } }

    /// The number of waiting calls.
    package var waitingCount: Int { state.withLock { $0.queues.waitingCount } }

    /// Requests a permit without waiting.
    ///
    /// - Parameters:
    ///   - keys: the call's limits.
    ///   - remaining: the time within which the call's turn must come; nil if it has no deadline.
    /// - Returns: a permit or a rejection; nil if the call must wait.
    func enter(_ keys: [LimitKey], within remaining: Duration?) -> Outcome? {
        let outcome = update { queues, now in
            queues.enter(keys, latest: remaining.map { now + $0 }, now: now, waiter: nil)
        }
        return switch outcome {
        case .passed(let numbers): .passed(numbers)
        case .rejected(let rejection): .rejected(rejection)
        case .waits, nil: nil
        }
    }

    /// Waits for the call's turn.
    ///
    /// - Parameters:
    ///   - keys: the call's limits.
    ///   - remaining: the time within which the call's turn must come; nil if it has no deadline.
    /// - Returns: a permit, a rejection or a cancellation.
    func wait(_ keys: [LimitKey], within remaining: Duration?) async -> Outcome {
        let latest = remaining.map { time.now + $0 }
        let waiter = Waiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = update { queues, now in
                    // If the task is cancelled after this check, `onCancel` finds the waiter in its queue.
                    if Task.isCancelled { return .cancelled }
                    switch queues.enter(keys, latest: latest, now: now, waiter: waiter) {
                    case .passed(let numbers): return .passed(numbers)
                    case .rejected(let rejection): return .rejected(rejection)
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
            let left = update { queues, _ in waiter.ticket.flatMap { queues.abandon($0) } }
            left?.continuation?.resume(returning: .cancelled)
        }
    }

    /// Records the end of an admitted call.
    func leave(_ keys: [LimitKey]) { update { queues, _ in queues.leave(keys) } }

    /// Holds calls back for as long as the server requests.
    func hold(_ keys: [LimitKey], as hint: RateLimitHint) {
        reject(update { $0.hold(keys, as: hint, now: $1) })
    }

    /// Paces calls by the quotas in the response to a call.
    ///
    /// - Parameters:
    ///   - keys: the call's limits.
    ///   - numbers: the numbers in the call's permit.
    ///   - quotas: the quotas.
    func pace(_ keys: [LimitKey], _ numbers: [Int], by quotas: [RateLimitQuota]) {
        reject(update { $0.pace(keys, numbers, by: quotas, now: $1) })
    }

    private func reject(_ rejected: [(Waiter, LimitRejection)]) {
        for (waiter, rejection) in rejected { waiter.continuation?.resume(returning: .rejected(rejection)) }
    }

    /// Changes the queues, admits calls before and after the change, and sets the alarm for the next call.
    @discardableResult
    private func update<Result>(_ change: (inout LimitQueues<Waiter>, Duration) -> Result) -> Result {
        let now = time.now
        let (result, admitted, silenced) = state.withLock { state in
            var admitted = state.queues.admitWaiters(now: now)
            let result = change(&state.queues, now)
            admitted += state.queues.admitWaiters(now: now)
            return (result, admitted, state.setAlarm(for: state.queues.nextOpening(now: now), of: self))
        }
        // Resuming a waiter may run its code, which must not happen under the lock.
        silenced?.task.cancel()
        for (waiter, numbers) in admitted { waiter.continuation?.resume(returning: .passed(numbers)) }
        return result
    }
}

extension Limiter {
    /// A call waiting in a queue.
    ///
    /// `@unchecked Sendable`: the properties are written once, under the limiter's lock, before any other task can find
    /// the waiter in its queue; the ticket is read under the lock.
    final class Waiter: @unchecked Sendable {
        var ticket: LimitQueues<Waiter>.Ticket?
        var continuation: CheckedContinuation<Outcome, Never>?
    }

    /// A task that sleeps until the next call's turn.
    fileprivate struct Alarm {
        let moment: Duration
        let task: Task<Void, Never>
    }

    /// Admits calls when an alarm goes off.
    fileprivate func ring(_ moment: Duration) {
        state.withLock { state in
            if state.alarm?.moment == moment { state.alarm = nil }
        }
        update { _, _ in }
    }
}

extension Limiter.State {
    /// Sets the alarm to a time, or removes it if the time is nil.
    ///
    /// - Returns: the replaced alarm, which the caller cancels; nil if no alarm was replaced.
    fileprivate mutating func setAlarm(for moment: Duration?, of limiter: Limiter) -> Limiter.Alarm? {
        guard moment != alarm?.moment else { return nil }
        defer { alarm = moment.map { limiter.alarm(at: $0) } }
        return alarm
    }
}

extension Limiter {
    // Detached, because the alarm must not inherit the task-local values of the call that sets it.
    fileprivate func alarm(at moment: Duration) -> Alarm {
        Alarm(
            moment: moment,
            task: .detached { [weak self, time] in
                do {
                    try await time.sleep(for: moment - time.now)
                    self?.ring(moment)
                } catch {
                    // The alarm was cancelled.
                }
            }
        )
    }
}
