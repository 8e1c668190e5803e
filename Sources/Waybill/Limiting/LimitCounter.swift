/// The state of one limit: the number of calls in flight, the moments at which the last ones were sent, and the moment
/// until which the server wants none.
struct LimitCounter {
    let limit: Limit

    /// The number of calls that wait for it.
    var waiting = 0

    private(set) var inFlight = 0

    /// The time in which the server accepts no request.
    private struct Hold {
        let start: Duration
        let end: Duration
        let source: RateLimitHint.Source
    }

    private var hold: Hold?

    /// The time for which earlier holds have lasted.
    private var earlierHolds = Duration.zero

    // A ring: when it is full, the oldest gives way.
    private var starts: [Duration] = []
    private var oldest = 0

    init(_ limit: Limit) { self.limit = limit }

    /// Whether as many calls are in flight as the limit permits.
    var isFull: Bool {
        if case .concurrent(let most) = limit.kind { inFlight >= most } else { false }
    }

    /// Returns the earliest moment for a call after others, as far as time decides; not before now.
    func opening(behind ahead: Int = 0, now: Duration) -> Duration {
        let free = Swift.max(now, heldUntil ?? now)
        guard case .rate(let most, let interval) = limit.kind else { return free }
        // What is sent in its turn takes the place of the one that was sent `most` calls earlier.
        let (rounds, turn) = ahead.quotientAndRemainder(dividingBy: most)
        let earlier = starts.count + turn - most
        let first = earlier < 0 ? free : Swift.max(free, starts[(oldest + earlier) % starts.count] + interval)
        return first + interval * rounds
    }

    mutating func enter(now: Duration) {
        inFlight += 1
        guard case .rate(let most, _) = limit.kind else { return }
        if starts.count < most {
            starts.append(now)
        } else {
            starts[oldest] = now
            oldest = (oldest + 1) % most
        }
    }

    mutating func leave() { inFlight -= 1 }

    /// The moment before which the server accepts no request.
    var heldUntil: Duration? { hold?.end }

    /// Returns the time for which the server has wanted no request, all in all.
    func heldTime(now: Duration) -> Duration {
        earlierHolds + (hold.map { Swift.max(.zero, Swift.min(now, $0.end) - $0.start) } ?? .zero)
    }

    /// Sends no call for a while, or until the later moment that holds already.
    ///
    /// `Retry-After` takes the place of a limit's reset, and a reset says nothing while `Retry-After` holds: that is
    /// about this client, and a reset is about everything that shares the limit.
    mutating func hold(as hint: RateLimitHint, now: Duration) {
        var end = now + hint.wait
        if let hold, hold.end > now {
            switch (hint.source, hold.source) {
            case (.reset, .retryAfter): return
            case (.retryAfter, .reset): break
            default: end = Swift.max(end, hold.end)
            }
        }
        earlierHolds = heldTime(now: now)
        hold = Hold(start: now, end: end, source: hint.source)
    }

    /// Whether nothing would be lost with it.
    func isIdle(now: Duration) -> Bool {
        guard inFlight == 0, waiting == 0, heldUntil ?? now <= now else { return false }
        guard case .rate(let most, let interval) = limit.kind, !starts.isEmpty else { return true }
        let newest = starts.count < most ? starts.count - 1 : (oldest + most - 1) % most
        return starts[newest] + interval <= now
    }
}
