import Waybill

/// The window of a server's quota, and the requests that remain in it as far as the client knows.
///
/// A response reports the state of its quota when the server handled its request. Requests that were sent later have
/// to be subtracted, and a response to an earlier request can only lower the number.
struct PacedWindow {
    let name: String
    private var remaining: Int
    private var end: Duration
    private let policy: RateLimitQuota.Policy?
    /// The number of the latest call whose response reported the quota.
    private let reporter: Int
    /// The number of later calls.
    private var unreported: Int
    /// The time from which the remaining requests are spread: that of the latest one, or of the first report.
    private var start: Duration
    /// The time since which requests have been spread; nil if enough of them remain.
    private var pacedSince: Duration?
    /// Whether the window is the one after the reported window.
    private var isRenewed = false

    /// Creates the window of a first report.
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

    /// Returns the window after a further report.
    func updated(_ quota: RateLimitQuota, number: Int, sent: Int, threshold: Int, now: Duration) -> PacedWindow {
        guard var window = current(now: now) else {
            return PacedWindow(quota, number: number, sent: sent, threshold: threshold, now: now)
        }
        if number < reporter {
            // The report may be about the window before.
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

    /// Returns the window at a time: this one, the next one if its quota is known, or nil.
    ///
    /// Only one window follows without a report, because a server may have given up its policy.
    func current(now: Duration) -> PacedWindow? {
        if now < end { return self }
        guard let policy, !isRenewed, now < end + policy.window else { return nil }
        var next = self
        // The server may have counted later calls in the new window. One is left for a report.
        next.remaining = max(1, policy.quota - unreported)
        next.start = end
        next.end = end + policy.window
        next.pacedSince = nil
        next.isRenewed = true
        return next
    }

    /// Counts a call that is sent.
    mutating func enter(threshold: Int, now: Duration) {
        remaining = max(0, remaining - 1)
        unreported += 1
        start = now
        if remaining < threshold, pacedSince == nil { pacedSince = now }
    }

    /// Returns the time at which a call behind others can be sent, and the time since which it is the window that makes
    /// calls wait.
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
