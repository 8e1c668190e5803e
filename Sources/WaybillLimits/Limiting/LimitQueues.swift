import Waybill

/// A limit, with an origin if the limit applies to each origin separately.
struct LimitKey: Hashable {
    let limit: Limit
    let origin: HTTPRequest.Origin?
}

/// The queues of a client's limits, independent of clocks and tasks.
///
/// Calls with the same limits wait in one queue. The first call of a queue is admitted as soon as all of its limits
/// permit it; among several such calls, the earliest arrival goes first.
struct LimitQueues<Waiter> {
    /// A waiter's position in its FIFO queue.
    struct Ticket {
        fileprivate let keys: [LimitKey]
        fileprivate let position: FIFOQueue<Waiting>.Ticket
    }

    /// The result of a request for a permit.
    enum Entry {
        /// The call can be sent; the counters have assigned it these numbers.
        case passed([Int])
        case waits(Ticket)
        case rejected(LimitRejection)
    }

    fileprivate struct Waiting {
        let waiter: Waiter
        let arrival: Int
        let latest: Duration?
        let arrivalTime: Duration
        /// The total duration of holds, for each of the call's limits, when the call arrived.
        let heldTimes: [Duration]
    }

    private var counters: [LimitKey: LimitCounter] = [:]
    private var queues: [[LimitKey]: FIFOQueue<Waiting>] = [:]
    private var arrivals = 0

    /// Whether no call is waiting or in flight.
    var isEmpty: Bool { queues.isEmpty && counters.values.allSatisfy { $0.inFlight == 0 && $0.waiting == 0 } }

    /// The number of waiting calls.
    var waitingCount: Int { queues.values.reduce(0) { $0 + $1.count } }

    /// The number of stored counters.
    var counterCount: Int { counters.count }

    /// Requests a permit, behind all waiting calls with the same limits.
    ///
    /// - Parameters:
    ///   - keys: the call's limits.
    ///   - latest: the time by which the call's turn must come; nil if it has no deadline.
    ///   - now: the current time.
    ///   - waiter: the waiter to return when the call's turn has come; nil if the call should not be queued.
    /// - Returns: the permit, a position in a queue, or a rejection; nil if the call must wait but no waiter is passed.
    mutating func enter(_ keys: [LimitKey], latest: Duration?, now: Duration, waiter: Waiter?) -> Entry? {
        if keys.contains(where: { counters[$0] == nil }) {
            // For speed, idle counters are dropped only when a new limit or origin appears.
            counters = counters.filter { !$0.value.isIdle(now: now) }
            for key in keys where counters[key] == nil { counters[key] = LimitCounter(key.limit) }
        }
        // Usually no call is waiting, so avoid hashing the list of limits.
        let ahead = queues.isEmpty ? 0 : queues[keys]?.count ?? 0
        if ahead == 0, hasRoom(keys, now: now) {
            return .passed(take(keys, now: now))
        }
        for key in keys {
            if let counter = counters[key], counter.waiting >= key.limit.waiting {
                return .rejected(.tooManyWaiting(limit: key.limit.waiting))
            }
        }
        let heldTimes = keys.map { counters[$0]?.heldTime(now: now) ?? .zero }
        let rejection = rejection(keys, heldTimes, ahead: ahead, latest: latest, since: now, now: now)
        if let rejection { return .rejected(rejection) }
        guard let waiter else { return nil }
        let waiting = Waiting(
            waiter: waiter,
            arrival: arrivals,
            latest: latest,
            arrivalTime: now,
            heldTimes: heldTimes
        )
        let position = queues[keys, default: FIFOQueue(startingAt: arrivals)].append(waiting)
        arrivals += 1
        for key in keys { counters[key]?.waiting += 1 }
        return .waits(Ticket(keys: keys, position: position))
    }

    /// Removes a waiter from its queue; returns nil if it is no longer waiting.
    mutating func abandon(_ ticket: Ticket) -> Waiter? {
        guard let waiting = queues[ticket.keys]?.remove(ticket.position) else { return nil }
        left(ticket.keys)
        return waiting.waiter
    }

    /// Releases the permits of a call that has ended.
    mutating func leave(_ keys: [LimitKey]) {
        for key in keys { counters[key]?.leave() }
    }

    /// Holds calls back for as long as the server requests.
    ///
    /// - Returns: the waiters removed from their queues because they would wait too long.
    mutating func hold(_ keys: [LimitKey], as hint: RateLimitHint, now: Duration) -> [(Waiter, LimitRejection)] {
        for key in keys { counters[key, default: LimitCounter(key.limit)].hold(as: hint, now: now) }
        return rejectLate(keys, now: now)
    }

    /// Paces calls by the quotas in the response to a call.
    ///
    /// - Parameters:
    ///   - keys: the call's limits.
    ///   - numbers: the numbers assigned to the call when it was sent.
    ///   - quotas: the quotas.
    ///   - now: the current time.
    /// - Returns: the waiters removed from their queues because they would wait too long.
    mutating func pace(
        _ keys: [LimitKey],
        _ numbers: [Int],
        by quotas: [RateLimitQuota],
        now: Duration
    ) -> [(Waiter, LimitRejection)] {
        var isLater = false
        for (key, number) in zip(keys, numbers) {
            isLater = counters[key]?.pace(by: quotas, number: number, now: now) ?? false || isLater
        }
        // Most responses delay no calls, so avoid checking every waiting call.
        return isLater ? rejectLate(keys, now: now) : []
    }

    /// Removes and returns the waiters for any of the given limits that would wait too long.
    private mutating func rejectLate(_ keys: [LimitKey], now: Duration) -> [(Waiter, LimitRejection)] {
        var rejected: [(Waiter, LimitRejection)] = []
        for (others, queue) in queues where others.contains(where: keys.contains) {
            var queue = queue
            var rejections: [LimitRejection] = []
            let removed = queue.removeAll { waiting, ahead in
                let rejection = rejection(
                    others,
                    waiting.heldTimes,
                    ahead: ahead,
                    latest: waiting.latest,
                    since: waiting.arrivalTime,
                    now: now
                )
                if let rejection { rejections.append(rejection) }
                return rejection != nil
            }
            queues[others] = queue
            for (waiting, rejection) in zip(removed, rejections) {
                left(others)
                rejected.append((waiting.waiter, rejection))
            }
        }
        return rejected
    }

    /// Removes and returns the waiters whose turn has come, with their numbers.
    mutating func admitWaiters(now: Duration) -> [(waiter: Waiter, numbers: [Int])] {
        var admitted: [(waiter: Waiter, numbers: [Int])] = []
        while let keys = nextQueue(now: now), let waiting = queues[keys]?.popFirst() {
            left(keys)
            admitted.append((waiting.waiter, take(keys, now: now)))
        }
        return admitted
    }

    /// Returns the earliest time at which a waiting call can be admitted without waiting for a call in flight to end;
    /// nil without one.
    func nextOpening(now: Duration) -> Duration? {
        queues.keys.compactMap { keys in
            let counters = keys.compactMap { self.counters[$0] }
            return counters.contains(where: \.isFull) ? nil : counters.map { $0.opening(now: now) }.max()
        }.min()
    }

    /// Returns the queue with the earliest arrival among the first calls that can be admitted.
    private func nextQueue(now: Duration) -> [LimitKey]? {
        var best: (keys: [LimitKey], arrival: Int)?
        for keys in queues.keys where hasRoom(keys, now: now) {
            guard let arrival = queues[keys]?.first?.arrival, arrival < best?.arrival ?? .max else { continue }
            best = (keys, arrival)
        }
        return best?.keys
    }

    private func hasRoom(_ keys: [LimitKey], now: Duration) -> Bool {
        keys.allSatisfy { key in
            guard let counter = counters[key] else { return true }
            return !counter.isFull && counter.opening(now: now) <= now
        }
    }

    /// Returns the reason to reject a call that is certain to wait too long behind others; nil if it may wait.
    private func rejection(
        _ keys: [LimitKey],
        _ heldTimes: [Duration],
        ahead: Int,
        latest: Duration?,
        since arrival: Duration,
        now: Duration
    ) -> LimitRejection? {
        for (key, heldBefore) in zip(keys, heldTimes) {
            guard let counter = counters[key], let end = counter.heldUntil, end > now else { continue }
            // Consecutive holds by the server count as one wait.
            let wait = counter.heldTime(now: end) - heldBefore
            guard wait > key.limit.maximumWait else { continue }
            return .tooLate(in: end - now, wait: wait, bound: .maximumWait(key.limit.maximumWait))
        }
        for key in keys {
            guard let paced = counters[key]?.pacedOpening(behind: ahead, now: now), paced.time > now else { continue }
            let wait = paced.time - Swift.max(arrival, paced.since)
            guard wait > key.limit.maximumWait else { continue }
            return .tooLate(in: paced.time - now, wait: wait, bound: .maximumWait(key.limit.maximumWait))
        }
        let opening = keys.compactMap { counters[$0]?.opening(behind: ahead, now: now) }.max() ?? now
        guard let latest, opening > now, opening >= latest else { return nil }
        return .tooLate(in: opening - now, wait: opening - now, bound: .deadline(in: latest - now))
    }

    /// Counts a call, and returns its numbers; empty if it is not paced.
    private mutating func take(_ keys: [LimitKey], now: Duration) -> [Int] {
        guard keys.contains(where: { $0.limit.pacedBelow != nil }) else {
            for key in keys { counters[key]?.enter(now: now) }
            return []
        }
        return keys.map { counters[$0]?.enter(now: now) ?? 0 }
    }

    private mutating func left(_ keys: [LimitKey]) {
        for key in keys { counters[key]?.waiting -= 1 }
        if queues[keys]?.isEmpty == true { queues[keys] = nil }
    }
}

/// The reason to reject a call instead of queueing it.
enum LimitRejection {
    case tooManyWaiting(limit: Int)
    /// The call's turn would come too late, after the delay `in`; `wait` is the total wait, which exceeds `bound`.
    case tooLate(in: Duration, wait: Duration, bound: APIError.RejectedFailure.Bound)
}
