import Foundation
import WaybillStore

/// SQLite that ends the process at one of its calls.
final class KillingLibrary: @unchecked Sendable {  // every access to the counter holds the lock
    private let lock = NSLock()
    private var count = 0
    private var isCounting = true
    private let number: Int
    private let isAfter: Bool
    private let onlySteps: Bool

    /// - Parameters:
    ///   - number: the number of the call, from 1.
    ///   - isAfter: whether the call is made before.
    init(killingAt number: Int, isAfter: Bool) {
        self.number = number
        self.isAfter = isAfter
        onlySteps = false
    }

    /// Creates a library that counts calls that run statements, as soon as it is told to.
    ///
    /// - Parameter number: the number of the call, from 1, which is not made.
    init(killingAtStep number: Int) {
        self.number = number
        isAfter = false
        onlySteps = true
        isCounting = false
    }

    /// Counts from now on.
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
