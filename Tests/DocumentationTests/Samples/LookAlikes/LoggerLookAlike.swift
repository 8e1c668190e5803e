import Foundation

/// The parts of swift-log's `Logger` that the samples use, with the same declarations.
///
/// `@unchecked Sendable`: the lines are accessed only under the lock.
nonisolated final class Logger: @unchecked Sendable {
    struct Message: ExpressibleByStringInterpolation {
        let text: String

        init(stringLiteral text: String) { self.text = text }
    }

    struct MetadataValue: ExpressibleByStringInterpolation {
        let text: String

        init(stringLiteral text: String) { self.text = text }
    }

    typealias Metadata = [String: MetadataValue]

    private let lock = NSLock()
    private var written: [String] = []

    var lines: [String] { lock.withLock { written } }

    func debug(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {
        write("debug", message(), metadata())
    }

    func notice(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {
        write("notice", message(), metadata())
    }

    func error(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {
        write("error", message(), metadata())
    }

    private func write(_ level: String, _ message: Message, _ metadata: Metadata?) {
        let beside = (metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value.text)" }.joined()
        lock.withLock { written.append("\(level) \(message.text)\(beside)") }
    }
}
