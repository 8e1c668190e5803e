import Waybill

/// The state of one limit: the number of calls in flight, the times of the latest calls, the server's current hold, and
/// the windows of the server's quotas.
struct LimitCounter {
    let limit: Limit

    /// The number of calls waiting for this limit.
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

    // A ring buffer of the send times of the latest calls.
    private var starts: [Duration] = []
    private var oldest = 0

    /// The number of calls sent, if they are paced.
    private var sent = 0

    /// The windows of the server's quotas, most recently reported last; empty if calls are not paced.
    private var windows: [PacedWindow] = []

    /// The maximum number of windows, since a server can report arbitrarily many quota names.
    static var mostWindows: Int { 16 }

    init(_ limit: Limit) { self.limit = limit }

    /// Whether the maximum number of calls is in flight.
    var isFull: Bool {
        if case .concurrent(let most) = limit.kind { inFlight >= most } else { false }
    }

    /// Returns the earliest time, at least `now`, at which a call can be sent after the calls ahead of it, regardless
    /// of the calls in flight.
    func opening(behind ahead: Int = 0, now: Duration) -> Duration {
        Swift.max(unpacedOpening(behind: ahead, now: now), pacedOpening(behind: ahead, now: now)?.time ?? now)
    }

    private func unpacedOpening(behind ahead: Int, now: Duration) -> Duration {
        let free = Swift.max(now, heldUntil ?? now)
        guard case .rate(let most, let interval) = limit.kind else { return free }
        // Each call waits until one interval has passed since the call that was sent `most` calls earlier.
        let (rounds, turn) = ahead.quotientAndRemainder(dividingBy: most)
        let earlier = starts.count + turn - most
        let first = earlier < 0 ? free : Swift.max(free, starts[(oldest + earlier) % starts.count] + interval)
        return first + interval * rounds
    }

    /// Counts a sent call.
    ///
    /// - Returns: the number of the call, to pass to `pace(by:number:now:)` with the quotas in its response; 0 if calls
    ///   are not paced.
    @discardableResult
    mutating func enter(now: Duration) -> Int {
        inFlight += 1
        if let threshold = limit.pacedBelow {
            sent += 1
            windows = windows.compactMap { $0.current(now: now) }
            for index in windows.indices { windows[index].enter(threshold: threshold, now: now) }
        }
        guard case .rate(let most, _) = limit.kind else { return sent }
        if starts.count < most {
            starts.append(now)
        } else {
            starts[oldest] = now
            oldest = (oldest + 1) % most
        }
        return sent
    }

    /// Returns the time, at least `now`, at which the server's quotas permit a call after the calls ahead of it, and
    /// the time since which the strictest quota has paced calls; nil if no quota is known.
    func pacedOpening(behind ahead: Int, now: Duration) -> (time: Duration, since: Duration)? {
        guard !windows.isEmpty, let threshold = limit.pacedBelow else { return nil }
        return windows.lazy.compactMap { $0.current(now: now) }
            .map { $0.opening(behind: ahead, threshold: threshold, now: now) }
            .max { $0.time < $1.time }
    }

    /// Applies the quotas in the response to a call.
    ///
    /// Like resets, they are ignored during a hold from `Retry-After`.
    ///
    /// - Returns: whether waiting calls may be delayed further.
    @discardableResult
    mutating func pace(by quotas: [RateLimitQuota], number: Int, now: Duration) -> Bool {
        guard let threshold = limit.pacedBelow else { return false }
        if let hold, hold.end > now, hold.source == .retryAfter { return false }
        let earlier = pacedOpening(behind: waiting, now: now)?.time ?? now
        for quota in quotas {
            let known = windows.firstIndex { $0.name.hasSameBytes(as: quota.name) }.map { windows.remove(at: $0) }
            windows.append(
                known?.updated(quota, number: number, sent: sent, threshold: threshold, now: now)
                    ?? PacedWindow(quota, number: number, sent: sent, threshold: threshold, now: now)
            )
        }
        windows.removeFirst(Swift.max(0, windows.count - Self.mostWindows))
        return pacedOpening(behind: waiting, now: now)?.time ?? now > earlier
    }

    mutating func leave() { inFlight -= 1 }

    /// The end of the latest hold, which may have passed; nil if there was none.
    var heldUntil: Duration? { hold?.end }

    /// Returns the total duration of all holds until now.
    func heldTime(now: Duration) -> Duration {
        earlierHolds + (hold.map { Swift.max(.zero, Swift.min(now, $0.end) - $0.start) } ?? .zero)
    }

    /// Holds calls back for the duration in a hint, or until the end of the current hold if that is later.
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
        if hint.source == .retryAfter { windows = [] }
        earlierHolds = heldTime(now: now)
        hold = Hold(start: now, end: end, source: hint.source)
    }

    /// Whether the counter can be dropped without losing state.
    func isIdle(now: Duration) -> Bool {
        guard inFlight == 0, waiting == 0, heldUntil ?? now <= now else { return false }
        guard windows.allSatisfy({ $0.current(now: now) == nil }) else { return false }
        guard case .rate(let most, let interval) = limit.kind, !starts.isEmpty else { return true }
        let newest = starts.count < most ? starts.count - 1 : (oldest + most - 1) % most
        return starts[newest] + interval <= now
    }
}
