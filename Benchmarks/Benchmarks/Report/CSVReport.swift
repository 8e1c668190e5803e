import Foundation

/// Medians and quartiles as CSV, with one line per suite, case, subject and metric.
enum CSVReport {
    /// Writes the report, omitting metrics that could not be measured.
    static func write(_ measurements: [Measurement], to path: String) throws {
        let names = ["suite", "case", "subject", "metric", "rounds", "median", "lower quartile", "upper quartile"]
        let rows = measurements.flatMap { measurement in
            measurement.metrics.compactMap { metric, distribution in
                distribution.map {
                    [
                        measurement.suite, measurement.caseName, measurement.subject, metric.name, "\($0.count)",
                        "\($0.median)", "\($0.lowerQuartile)", "\($0.upperQuartile)",
                    ]
                }
            }
        }
        try Data(CSV.text([names] + rows).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
