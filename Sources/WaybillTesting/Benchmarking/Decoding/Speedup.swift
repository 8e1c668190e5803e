/// The speed of a decoder as a multiple of the first one's of its case.
package struct Speedup: Sendable {
    package let caseName: String
    package let subject: String

    /// The multiple by the wall clock.
    package let byClock: Double

    /// The multiple by processor time, which other programs disturb less.
    package let byProcessor: Double

    package init(caseName: String, subject: String, byClock: Double, byProcessor: Double) {
        self.caseName = caseName
        self.subject = subject
        self.byClock = byClock
        self.byProcessor = byProcessor
    }

    /// Returns the speedups of all subjects that were measured beside another, in order.
    package static func all(_ measurements: [Measurement]) -> [Speedup] {
        measurements.compactMap { measurement in
            let first = measurements.first { $0.caseName == measurement.caseName }
            guard let first, first.subject != measurement.subject,
                let byClock = times(.milliseconds, first, measurement),
                let byProcessor = times(.processorMilliseconds, first, measurement)
            else { return nil }
            return Speedup(
                caseName: measurement.caseName,
                subject: measurement.subject,
                byClock: byClock,
                byProcessor: byProcessor
            )
        }
    }

    private static func times(_ metric: Metric, _ first: Measurement, _ other: Measurement) -> Double? {
        guard let first = first[metric]?.median, let other = other[metric]?.median, other > 0 else { return nil }
        return first / other
    }
}
