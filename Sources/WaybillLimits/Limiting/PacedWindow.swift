import Waybill

/// The window of a server's quota, with the client's estimate of the remaining requests.
///
/// A response reports the quota as of the time when the server handled the request. Requests sent later are subtracted,
/// and a response to an earlier request can only lower the estimate.
struct PacedWindow {
    let name: String
    private var remaining: Int
    private var end: Duration
    private let policy: RateLimitQuota.Policy?
    /// The number of the latest call whose response reported the quota.
    private let reporter: Int
    /// The number of later calls.
    private var unreported: Int
    /// The start of the interval over which the remaining requests are spread: the time of the latest request, or else
    /// of the first report.
    private var start: Duration
    /// The time since which requests have been spread; nil if enough of them remain.
    private var pacedSince: Duration?
    /// Whether this window follows the reported one.
    private var isRenewed = false

    /// Creates a window from its first report.
    ///
    /// - Parameters:
    ///   - quota: the reported quota.
    ///   - number: the number of the call whose response reported it.
    ///   - sent: the number of the latest call.
    ///   - threshold: the number of remaining requests below which they are spread.
    ///   - now: the current time.
    init(_ quota: RateLimitQuota, number: Int, sent: Int, threshold: Int, now: Duration) {
        name = quota.name
        unreported = sent - number
        remaining = max(0, quota.remaining - unreported)
        end = now + quota.reset
        policy = quota.policy
        reporter = number
        start = now
        if remaining < threshold { pacedSince = now }
    }

    /// Returns the window updated with a further report.
    func updated(_ quota: RateLimitQuota, number: Int, sent: Int, threshold: Int, now: Duration) -> PacedWindow {
        guard var window = current(now: now) else {
            return PacedWindow(quota, number: number, sent: sent, threshold: threshold, now: now)
        }
        if number < reporter {
            // The report may describe the previous window.
            if !window.isRenewed { window.remaining = min(window.remaining, quota.remaining) }
        } else {
            let (start, pacedSince) = (window.start, window.pacedSince)
            window = PacedWindow(quota, number: number, sent: sent, threshold: threshold, now: now)
            window.start = start
            window.pacedSince = window.pacedSince.map { min($0, pacedSince ?? $0) }
        }
        if window.remaining < threshold, window.pacedSince == nil { window.pacedSince = now }
        return window
    }

    /// Returns the window at the given time: this one, the next one if its quota is known, or nil.
    ///
    /// Only one window is assumed without a report, because the server may have dropped its policy.
    func current(now: Duration) -> PacedWindow? {
        if now < end { return self }
        guard let policy, !isRenewed, now < end + policy.window else { return nil }
        var next = self
        // The server may have counted later calls in the new window. At least one call is permitted, to obtain a
        // report.
        next.remaining = max(1, policy.quota - unreported)
        next.start = end
        next.end = end + policy.window
        next.pacedSince = nil
        next.isRenewed = true
        return next
    }

    /// Counts a sent call.
    mutating func enter(threshold: Int, now: Duration) {
        remaining = max(0, remaining - 1)
        unreported += 1
        start = now
        if remaining < threshold, pacedSince == nil { pacedSince = now }
    }

    /// Returns the time at which a call can be sent after the calls ahead of it, and the time since which this window
    /// has paced calls.
    func opening(behind ahead: Int, threshold: Int, now: Duration) -> (time: Duration, since: Duration) {
        let since = pacedSince ?? now
        let unpaced = max(0, remaining - threshold + 1)
        guard ahead >= unpaced else { return (now, since) }
        let (spread, place) = (remaining - unpaced, ahead - unpaced)
        guard place < spread else { return (max(now, end), since) }
        let first = unpaced > 0 ? now : start
        return (max(now, first + (end - first) * (place + 1) / (spread + 1)), since)
    }
}
