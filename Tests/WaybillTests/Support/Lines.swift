import Foundation

/// Lines that something wrote, from any task.
///
/// `@unchecked Sendable`: the lines are touched under the lock alone.
final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    var all: [String] { lock.withLock { lines } }

    func add(_ line: String) { lock.withLock { lines.append(line) } }
}
