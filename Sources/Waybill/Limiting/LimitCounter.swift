/// What is counted for one limit: how many calls are on their way, when the last ones were sent, and until when the server
/// wants none.
struct LimitCounter {
    let limit: Limit

    /// How many calls wait that it holds for.
    var waiting = 0

    private(set) var inFlight = 0

    /// The moment before which the server wants no request.
    private(set) var heldUntil: Duration?

    // A ring: when it is full, the oldest gives way.
    private var starts: [Duration] = []
    private var oldest = 0

    init(_ limit: Limit) { self.limit = limit }

    /// Whether so many calls are on their way that another one has to wait for one of them.
    var isFull: Bool {
        if case .concurrent(let most) = limit.kind { inFlight >= most } else { false }
    }

    /// The earliest moment for a call that has so many before it, as far as time decides; not before now.
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

    /// No call is sent before a moment, or a later one that holds already.
    mutating func hold(until moment: Duration) { heldUntil = Swift.max(moment, heldUntil ?? moment) }

    /// Whether nothing would be lost with it.
    func isIdle(now: Duration) -> Bool {
        guard inFlight == 0, waiting == 0, heldUntil ?? now <= now else { return false }
        guard case .rate(let most, let interval) = limit.kind, !starts.isEmpty else { return true }
        let newest = starts.count < most ? starts.count - 1 : (oldest + most - 1) % most
        return starts[newest] + interval <= now
    }
}
