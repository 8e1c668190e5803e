import Foundation

// As much of swift-metrics, declared as there, as the sample in ObservingWithSwiftMetrics.md uses.

/// What was recorded, by label and dimensions.
///
/// `@unchecked Sendable`: the values are touched under the lock alone.
final class MetricsRecords: @unchecked Sendable {
    /// Those of the test that runs.
    @TaskLocal static var current = MetricsRecords()

    private let lock = NSLock()
    private var values: [String] = []

    var all: [String] { lock.withLock { values } }

    func add(_ label: String, _ dimensions: [(String, String)], _ value: String) {
        let names = dimensions.map { "\($0)=\($1)" }.joined(separator: ",")
        lock.withLock { values.append("\(label){\(names)} \(value)") }
    }
}

struct Counter {
    let label: String
    let dimensions: [(String, String)]

    func increment() { MetricsRecords.current.add(label, dimensions, "+1") }
}

struct Recorder {
    let label: String
    let dimensions: [(String, String)]

    func record(_ value: some BinaryInteger) { MetricsRecords.current.add(label, dimensions, "\(value)") }
}

/// The module.
enum Metrics {
    struct Timer {
        let label: String
        let dimensions: [(String, String)]

        func record(duration: Duration) { MetricsRecords.current.add(label, dimensions, "\(duration)") }
    }
}
