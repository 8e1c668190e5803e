import Waybill

/// The state of one limit: the number of calls in flight, the times of the latest calls, and the time until which the
/// server accepts no requests.
struct LimitCounter {
    let limit: Limit

    /// The number of calls that wait for this limit.
    var waiting = 0

    private(set) var inFlight = 0

    /// A period in which the server accepts no requests.
    private struct Hold {
        let start: Duration
        let end: Duration
        let source: RateLimitHint.Source
    }

    private var hold: Hold?

    /// The total duration of earlier holds.
    private var earlierHolds = Duration.zero

    // A ring buffer of the times at which the latest calls were sent.
    private var starts: [Duration] = []
    private var oldest = 0

    init(_ limit: Limit) { self.limit = limit }

    /// Whether the maximum number of calls is in flight.
    var isFull: Bool {
        if case .concurrent(let most) = limit.kind { inFlight >= most } else { false }
    }

    /// Returns the earliest time at which a call behind others can be sent, regardless of the calls in flight; at least
    /// `now`.
    func opening(behind ahead: Int = 0, now: Duration) -> Duration {
        let free = Swift.max(now, heldUntil ?? now)
        guard case .rate(let most, let interval) = limit.kind else { return free }
        // Each call waits until one interval has passed since the call that was sent `most` calls earlier.
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

    /// The time before which the server accepts no requests.
    var heldUntil: Duration? { hold?.end }

    /// Returns the total time for which the server has accepted no requests.
    func heldTime(now: Duration) -> Duration {
        earlierHolds + (hold.map { Swift.max(.zero, Swift.min(now, $0.end) - $0.start) } ?? .zero)
    }

    /// Holds calls back for the time in a hint, or until the end of the current hold if that is later.
    ///
    /// A hold from `Retry-After` replaces one from a limit's reset, and a reset is ignored during a hold from
    /// `Retry-After`. `Retry-After` is addressed to this client, but a reset applies to all clients that share the
    /// limit.
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

    /// Whether the counter can be dropped without losing state.
    func isIdle(now: Duration) -> Bool {
        guard inFlight == 0, waiting == 0, heldUntil ?? now <= now else { return false }
        guard case .rate(let most, let interval) = limit.kind, !starts.isEmpty else { return true }
        let newest = starts.count < most ? starts.count - 1 : (oldest + most - 1) % most
        return starts[newest] + interval <= now
    }
}
