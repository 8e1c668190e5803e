import Foundation

/// As much of swift-log's `Logger`, declared as there, as the samples in Middleware.md use.
///
/// `@unchecked Sendable`: the lines are touched under the lock alone.
final class Logger: @unchecked Sendable {
    struct Message: ExpressibleByStringInterpolation {
        let text: String

        init(stringLiteral text: String) { self.text = text }
    }

    private let lock = NSLock()
    private var written: [String] = []

    var lines: [String] { lock.withLock { written } }

    func debug(_ message: @autoclosure () -> Message) { write("debug", message(), [:]) }

    func info(_ message: @autoclosure () -> Message, metadata: [String: String] = [:]) {
        write("info", message(), metadata)
    }

    func error(_ message: @autoclosure () -> Message) { write("error", message(), [:]) }

    private func write(_ level: String, _ message: Message, _ metadata: [String: String]) {
        let beside = metadata.map { " \($0.key)=\($0.value)" }.joined()
        lock.withLock { written.append("\(level) \(message.text)\(beside)") }
    }
}
