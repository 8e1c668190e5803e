import Dispatch

/// An alarm at the earliest of several times, of which only one is pending.
///
/// Setting a later alarm than the pending one has no effect; an earlier one replaces the pending alarm, which then does
/// not ring.
struct EarliestAlarm {
    /// The time of the pending alarm; the distant future if no alarm is pending.
    private(set) var time = DispatchTime.distantFuture
    private var number = 0

    /// Sets the alarm, unless one for the same or an earlier time is pending.
    ///
    /// - Returns: true if the alarm was set; the caller must then wait until ``time``.
    mutating func set(at time: DispatchTime) -> Bool {
        guard time < self.time else { return false }
        self.time = time
        number += 1
        return true
    }

    /// Handles the end of the wait for an alarm.
    ///
    /// - Parameter alarm: a copy of this value from when the alarm was set.
    /// - Returns: true if the alarm was still pending; false if an earlier one has replaced it.
    mutating func ring(_ alarm: EarliestAlarm) -> Bool {
        guard alarm.number == number else { return false }
        time = .distantFuture
        return true
    }
}
