import Foundation
import WaybillStore

/// A SQLite library that kills the process at a given call.
final class KillingLibrary: @unchecked Sendable {  // every access to the counter holds the lock
    private let lock = NSLock()
    private var count = 0
    private var isCounting = true
    private let number: Int
    private let isAfter: Bool
    private let onlySteps: Bool

    /// - Parameters:
    ///   - number: the number of the call, starting at 1.
    ///   - isAfter: whether the process is killed after the call instead of before it.
    init(killingAt number: Int, isAfter: Bool) {
        self.number = number
        self.isAfter = isAfter
        onlySteps = false
    }

    /// Creates a library that counts only calls that execute statements, starting with ``begin()``.
    ///
    /// - Parameter number: the number of the call, starting at 1; the process is killed before it.
    init(killingAtStep number: Int) {
        self.number = number
        isAfter = false
        onlySteps = true
        isCounting = false
    }

    /// Starts counting.
    func begin() { lock.withLock { isCounting = true } }

    var library: SQLiteLibrary {
        SQLiteLibrary { [self] call, make in
            if onlySteps, call.function != .step { return make() }
            let isLast = next() == number
            if isLast, !isAfter { kill(getpid(), SIGKILL) }
            let code = make()
            if isLast { kill(getpid(), SIGKILL) }
            return code
        }
    }

    private func next() -> Int {
        lock.withLock {
            if isCounting { count += 1 }
            return count
        }
    }
}
