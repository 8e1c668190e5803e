import Foundation

// The parts of swift-metrics that the sample in ObservingWithSwiftMetrics.md uses, with the same declarations.

/// The recorded values, by label and dimensions.
///
/// `@unchecked Sendable`: the values are accessed only under the lock.
nonisolated final class MetricsRecords: @unchecked Sendable {
    /// The records of the running test.
    @TaskLocal static var current = MetricsRecords()

    private let lock = NSLock()
    private var values: [String] = []

    var all: [String] { lock.withLock { values } }

    func add(_ label: String, _ dimensions: [(String, String)], _ value: String) {
        let names = dimensions.map { "\($0)=\($1)" }.joined(separator: ",")
        lock.withLock { values.append("\(label){\(names)} \(value)") }
    }
}

nonisolated final class Counter: Sendable {
    let label: String
    let dimensions: [(String, String)]

    init(label: String, dimensions: [(String, String)]) {
        (self.label, self.dimensions) = (label, dimensions)
        MetricsRecords.current.add("made \(label)", dimensions, "counter")
    }

    func increment() { MetricsRecords.current.add(label, dimensions, "+1") }
}

nonisolated final class Recorder: Sendable {
    let label: String
    let dimensions: [(String, String)]

    init(label: String, dimensions: [(String, String)]) {
        (self.label, self.dimensions) = (label, dimensions)
        MetricsRecords.current.add("made \(label)", dimensions, "recorder")
    }

    func record(_ value: some BinaryInteger) { MetricsRecords.current.add(label, dimensions, "\(value)") }
}

/// The module as a namespace.
nonisolated enum Metrics {
    enum TimeUnit: String, Sendable { case seconds, milliseconds }

    final class Timer: Sendable {
        let label: String
        let dimensions: [(String, String)]

        init(label: String, dimensions: [(String, String)], preferredDisplayUnit unit: TimeUnit) {
            (self.label, self.dimensions) = (label, dimensions)
            MetricsRecords.current.add("made \(label)", dimensions, "timer in \(unit)")
        }

        func record(duration: Duration) { MetricsRecords.current.add(label, dimensions, "\(duration)") }
    }
}
