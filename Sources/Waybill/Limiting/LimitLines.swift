/// A limit, and the origin for which it counts alone.
struct LimitKey: Hashable {
    let limit: Limit
    let origin: Origin?
}

/// Who may go, who waits and in which order: the limits of a client, without the time and the tasks.
///
/// Calls with the same limits stand in one line. The one in front of a line goes as soon as all of its limits have a
/// place for it; of several in front, the one that came first.
struct LimitLines<Waiter> {
    /// A waiter's place.
    struct Ticket {
        fileprivate let keys: [LimitKey]
        fileprivate let place: WaitingLine<Waiting>.Ticket
    }

    /// What comes of asking.
    enum Entry {
        case passed
        case waits(Ticket)
        case refused(LimitRefusal)
    }

    fileprivate struct Waiting {
        let waiter: Waiter
        let arrival: Int
        let latest: Duration?
    }

    private var counters: [LimitKey: LimitCounter] = [:]
    private var lines: [[LimitKey]: WaitingLine<Waiting>] = [:]
    private var arrivals = 0

    /// Whether nobody waits and nobody is on the way.
    var isEmpty: Bool { lines.isEmpty && counters.values.allSatisfy { $0.inFlight == 0 && $0.waiting == 0 } }

    /// How many wait.
    var waitingCount: Int { lines.values.reduce(0) { $0 + $1.count } }

    /// How many limits something is remembered of.
    var counterCount: Int { counters.count }

    /// Asks to go, when those have gone that may; without a waiter it says what would be.
    ///
    /// - Parameters:
    ///   - latest: the moment by which its turn has to come.
    ///   - waiter: what is given back when its turn has come; nil to be refused a place in the line.
    /// - Returns: nil where it would have to wait and there is no waiter.
    mutating func enter(_ keys: [LimitKey], latest: Duration?, now: Duration, waiter: Waiter?) -> Entry? {
        if keys.contains(where: { counters[$0] == nil }) {
            // A new limit or origin is the moment to forget those that are not in use.
            counters = counters.filter { !$0.value.isIdle(now: now) }
        }
        for key in keys where counters[key] == nil { counters[key] = LimitCounter(key.limit) }
        let ahead = lines[keys]?.count ?? 0
        if ahead == 0, hasRoom(keys, now: now) {
            take(keys, now: now)
            return .passed
        }
        for key in keys {
            if let counter = counters[key], counter.waiting >= key.limit.waiting {
                return .refused(.tooManyWaiting(limit: key.limit.waiting))
            }
        }
        if let refusal = refusal(keys, ahead: ahead, latest: latest, now: now) { return .refused(refusal) }
        guard let waiter else { return nil }
        let waiting = Waiting(waiter: waiter, arrival: arrivals, latest: latest)
        let place = lines[keys, default: WaitingLine(startingAt: arrivals)].append(waiting)
        arrivals += 1
        for key in keys { counters[key]?.waiting += 1 }
        return .waits(Ticket(keys: keys, place: place))
    }

    /// Takes a waiter out of its line; nil where it waits no more.
    mutating func abandon(_ ticket: Ticket) -> Waiter? {
        guard let waiting = lines[ticket.keys]?.remove(ticket.place) else { return nil }
        left(ticket.keys)
        return waiting.waiter
    }

    /// Says that a call which had gone is over.
    mutating func leave(_ keys: [LimitKey]) {
        for key in keys { counters[key]?.leave() }
    }

    /// Holds calls back until a moment.
    ///
    /// - Returns: those that would wait for it in vain.
    mutating func hold(_ keys: [LimitKey], until moment: Duration, now: Duration) -> [(Waiter, LimitRefusal)] {
        for key in keys { counters[key, default: LimitCounter(key.limit)].hold(until: moment) }
        var refused: [(Waiter, LimitRefusal)] = []
        for (others, line) in lines where others.contains(where: keys.contains) {
            var line = line
            var refusals: [LimitRefusal] = []
            let removed = line.removeAll { waiting, ahead in
                let refusal = refusal(others, ahead: ahead, latest: waiting.latest, now: now)
                if let refusal { refusals.append(refusal) }
                return refusal != nil
            }
            lines[others] = line
            for (waiting, refusal) in zip(removed, refusals) {
                left(others)
                refused.append((waiting.waiter, refusal))
            }
        }
        return refused
    }

    /// Lets those go whose turn has come.
    mutating func admit(now: Duration) -> [Waiter] {
        var admitted: [Waiter] = []
        while let keys = nextLine(now: now), let waiting = lines[keys]?.popFirst() {
            left(keys)
            take(keys, now: now)
            admitted.append(waiting.waiter)
        }
        return admitted
    }

    /// The next moment at which somebody's turn comes by time alone; nil where all who wait wait for others to end.
    func nextOpening(now: Duration) -> Duration? {
        lines.keys.compactMap { keys in
            let counters = keys.compactMap { self.counters[$0] }
            return counters.contains(where: \.isFull) ? nil : counters.map { $0.opening(now: now) }.max()
        }.min()
    }

    /// The line whose first one may go; of several, the one with the first that came.
    private func nextLine(now: Duration) -> [LimitKey]? {
        var best: (keys: [LimitKey], arrival: Int)?
        for keys in lines.keys where hasRoom(keys, now: now) {
            guard let arrival = lines[keys]?.first?.arrival, arrival < best?.arrival ?? .max else { continue }
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

    /// Why a call with so many before it would wait in vain; nil where it would not, as far as is known.
    private func refusal(_ keys: [LimitKey], ahead: Int, latest: Duration?, now: Duration) -> LimitRefusal? {
        for key in keys {
            guard let held = counters[key]?.heldUntil, held - now > key.limit.longestWait else { continue }
            return .tooLate(wait: held - now, bound: .longestWait(key.limit.longestWait))
        }
        let opening = keys.compactMap { counters[$0]?.opening(behind: ahead, now: now) }.max() ?? now
        guard let latest, opening > now, opening >= latest else { return nil }
        return .tooLate(wait: opening - now, bound: .deadline(in: latest - now))
    }

    private mutating func take(_ keys: [LimitKey], now: Duration) {
        for key in keys { counters[key]?.enter(now: now) }
    }

    private mutating func left(_ keys: [LimitKey]) {
        for key in keys { counters[key]?.waiting -= 1 }
        if lines[keys]?.isEmpty == true { lines[keys] = nil }
    }
}

/// Why a call does not wait for its turn.
enum LimitRefusal {
    case tooManyWaiting(limit: Int)
    case tooLate(wait: Duration, bound: RefusedFailure.Bound)
}
