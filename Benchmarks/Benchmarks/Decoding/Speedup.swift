import Foundation

/// The speed of a decoder as a multiple of the first one's of its case.
struct Speedup: Sendable {
    let caseName: String
    let subject: String

    /// The multiple by the wall clock.
    let byClock: Double

    /// The multiple by processor time, which other programs disturb less.
    let byProcessor: Double

    /// Returns the speedups of all subjects that were measured beside another, in order.
    static func all(_ measurements: [Measurement]) -> [Speedup] {
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

    /// Returns one geometric mean for each subject, over the documents that count for it.
    static func means(_ measurements: [Measurement]) -> [Speedup] {
        let names = Case.documents.map(\.name)
        let counted = all(measurements).filter { names.contains($0.caseName) }
        var subjects: [String] = []
        for each in counted where !subjects.contains(each.subject) { subjects.append(each.subject) }
        return subjects.map { subject in
            let ofSubject = counted.filter { $0.subject == subject }
            return Speedup(
                caseName: "geometric mean of \(ofSubject.count)",
                subject: subject,
                byClock: mean(ofSubject.map(\.byClock)),
                byProcessor: mean(ofSubject.map(\.byProcessor))
            )
        }
    }

    private static func times(_ metric: Metric, _ first: Measurement, _ other: Measurement) -> Double? {
        guard let first = first[metric]?.median, let other = other[metric]?.median, other > 0 else { return nil }
        return first / other
    }

    private static func mean(_ factors: [Double]) -> Double {
        exp(factors.map { log($0) }.reduce(0, +) / Double(factors.count))
    }
}
