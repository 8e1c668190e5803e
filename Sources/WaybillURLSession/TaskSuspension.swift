import WaybillHTTP
import WaybillTransports

/// The state of a task that is suspended while its request is paused or too many bytes of its response are unread.
///
/// `URLSession` counts suspensions, so a task must be suspended only once, even for two reasons. New tasks start out
/// suspended.
struct TaskSuspension {
    /// The call to make on the task.
    enum Change {
        case suspend, resume
    }

    /// Whether a task can be suspended after it has started.
    ///
    /// On Linux, `URLSession` would send the request again when the task resumes.
    static var isPossible: Bool {
        #if canImport(FoundationNetworking)
            false
        #else
            true
        #endif
    }

    /// Whether the task is currently suspended.
    private(set) var isSuspended = true

    private let isPossible: Bool

    init(isPossible: Bool = Self.isPossible) { self.isPossible = isPossible }

    /// Returns the call that changes the state of the task; nil if no change is needed or possible.
    ///
    /// - Parameter isDue: whether the task should be suspended.
    /// - Returns: the call.
    mutating func change(toSuspended isDue: Bool) -> Change? {
        guard isDue != isSuspended, !isDue || isPossible else { return nil }
        isSuspended = isDue
        return isDue ? .suspend : .resume
    }
}
