import Foundation

/// Medians as JSON: an array with one object per suite, case, subject and metric.
enum JSONReport {
    private struct Row: Encodable {
        let suite: String
        let `case`: String
        let subject: String
        let metric: String
        let value: Double
    }

    /// Writes the report, omitting metrics that could not be measured.
    static func write(_ measurements: [Measurement], to path: String) throws {
        let rows = measurements.flatMap { measurement in
            measurement.metrics.compactMap { metric, distribution in
                distribution.map {
                    Row(
                        suite: measurement.suite,
                        case: measurement.caseName,
                        subject: measurement.subject,
                        metric: metric.name,
                        value: $0.median
                    )
                }
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(rows).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
