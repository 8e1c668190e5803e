import Foundation

/// Warnings about figures that another run may not reproduce.
package enum NoiseWarnings {
    /// The minimum number of rounds for meaningful quartiles.
    package static let minimumRounds = 15

    /// The maximum interquartile range, as a fraction of the median, for meaningful ratios.
    package static let maximumSpread = 0.05

    /// Returns the warnings about measurements, each on one line; empty if there were enough rounds and little noise.
    ///
    /// - Parameters:
    ///   - measurements: the measurements.
    ///   - metrics: the metrics to check; nil for all.
    ///   - minimumRounds: the minimum number of rounds without a warning.
    /// - Returns: the warnings.
    package static func all(
        _ measurements: [Measurement],
        of metrics: [Metric]? = nil,
        minimumRounds: Int = Self.minimumRounds
    ) -> [String] {
        let figures = measurements.flatMap { measurement in
            measurement.metrics.compactMap { metric, distribution -> Figure? in
                guard let distribution, metrics?.contains(metric) ?? true else { return nil }
                return Figure(measurement: measurement, metric: metric, distribution: distribution)
            }
        }
        return [tooFewRounds(figures, minimumRounds), tooWideSpread(figures)].compactMap { $0 }
    }

    private struct Figure {
        let measurement: Measurement
        let metric: Metric
        let distribution: Distribution
    }

    private static func tooFewRounds(_ figures: [Figure], _ minimumRounds: Int) -> String? {
        guard let fewest = figures.min(by: { $0.distribution.count < $1.distribution.count }) else { return nil }
        let rounds = fewest.distribution.count
        guard rounds < minimumRounds else { return nil }
        return "Warning: \(rounds) round\(rounds == 1 ? "" : "s") of \(fewest.measurement.caseName)"
            + " \(rounds == 1 ? "is" : "are") too few to show the noise; run at least \(minimumRounds)."
    }

    private static func tooWideSpread(_ figures: [Figure]) -> String? {
        let noisy = figures.filter { $0.distribution.count > 1 && $0.distribution.spread > maximumSpread }
        guard let worst = noisy.max(by: { $0.distribution.spread < $1.distribution.spread }) else { return nil }
        let percent = String(format: "%.1f", worst.distribution.spread * 100)
        return "Warning: the quartiles of \(noisy.count) of \(figures.count) figures are more than 5 % apart; those of"
            + " \(worst.measurement.caseName), \(worst.measurement.subject), are \(percent) % (\(worst.metric.name))."
            + " Close other programs and run the benchmark again."
    }
}
