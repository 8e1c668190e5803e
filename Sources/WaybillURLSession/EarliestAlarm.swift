import Dispatch

/// The earliest moment at which something is due, on a timer that can only wait for one.
///
/// An alarm that is set for a later moment than one that is pending changes nothing; one for an earlier moment replaces
/// it, and the replaced one no longer rings.
struct EarliestAlarm {
    /// The moment of the pending alarm; in the far future if none is pending.
    private(set) var moment = DispatchTime.distantFuture
    private var number = 0

    /// Sets the alarm, unless one for the same moment or an earlier one is pending.
    ///
    /// - Returns: whether it is set: the caller then waits until ``moment``.
    mutating func set(at moment: DispatchTime) -> Bool {
        guard moment < self.moment else { return false }
        self.moment = moment
        number += 1
        return true
    }

    /// Ends the wait for an alarm.
    ///
    /// - Parameter alarm: a copy of the alarm from the time when it was set.
    /// - Returns: whether it was still pending; false if an earlier one has replaced it.
    mutating func ring(_ alarm: EarliestAlarm) -> Bool {
        guard alarm.number == number else { return false }
        moment = .distantFuture
        return true
    }
}
