import Dispatch

/// An alarm that rings at the earliest of several moments, using a timer that can wait for only one.
///
/// Setting an alarm later than the pending one changes nothing; setting an earlier one replaces it, and the replaced
/// alarm does not ring.
struct EarliestAlarm {
    /// The moment of the pending alarm; the distant future if no alarm is pending.
    private(set) var moment = DispatchTime.distantFuture
    private var number = 0

    /// Sets the alarm, unless one for the same or an earlier moment is pending.
    ///
    /// - Returns: true if the alarm was set; the caller then waits until ``moment``.
    mutating func set(at moment: DispatchTime) -> Bool {
        guard moment < self.moment else { return false }
        self.moment = moment
        number += 1
        return true
    }

    /// Ends the wait for an alarm.
    ///
    /// - Parameter alarm: a copy of the alarm, made when it was set.
    /// - Returns: true if the alarm was still pending; false if an earlier one has replaced it.
    mutating func ring(_ alarm: EarliestAlarm) -> Bool {
        guard alarm.number == number else { return false }
        moment = .distantFuture
        return true
    }
}
