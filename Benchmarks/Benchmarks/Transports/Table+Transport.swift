import Foundation

extension Table {
    /// Returns the measurements of transports as text, with one table for each kind of case that was run.
    static func transports(_ measurements: [Measurement]) -> String {
        var kinds: [[Metric]] = []
        for kind in measurements.map({ $0.metrics.map(\.metric) }) where !kinds.contains(kind) { kinds.append(kind) }
        return kinds.map { kind in
            Table(measurements.filter { $0.metrics.map(\.metric) == kind }).text
        }.joined(separator: "\n\n")
    }
}
