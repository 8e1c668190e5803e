/// The results of all rounds of one subject.
package struct Measurement: Sendable {
    package let suite: String
    package let caseName: String
    package let subject: String

    /// The metrics in report order; a metric without values could not be measured.
    package let metrics: [(metric: Metric, distribution: Distribution?)]

    /// Creates a measurement from the readings of all rounds.
    package init(suite: String, caseName: String, subject: String, rounds: [[Reading]]) {
        self.suite = suite
        self.caseName = caseName
        self.subject = subject
        metrics = (rounds.first ?? []).map(\.metric).map { metric in
            let values = rounds.flatMap { $0 }.filter { $0.metric == metric }.compactMap(\.value)
            return (metric, Distribution(values))
        }
    }

    /// The distribution of a metric.
    package subscript(metric: Metric) -> Distribution? { metrics.first { $0.metric == metric }?.distribution }
}

/// A measured quantity and its unit.
package struct Metric: Hashable, Sendable {
    /// The unit, such as `microseconds per call`.
    package let name: String

    /// The number of decimal places in the report.
    package let decimals: Int

    package init(name: String, decimals: Int) {
        self.name = name
        self.decimals = decimals
    }
}

/// The value of a metric in one round.
package struct Reading: Sendable {
    package let metric: Metric

    /// The value; nil if the metric cannot be measured on this machine.
    package let value: Double?

    package init(metric: Metric, value: Double?) {
        self.metric = metric
        self.value = value
    }
}

/// The values of one metric across all rounds.
package struct Distribution: Sendable {
    private let sorted: [Double]

    /// Creates a distribution; returns nil if there are no values.
    package init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        sorted = values.sorted()
    }

    /// The number of values.
    package var count: Int { sorted.count }

    /// The interquartile range as a fraction of the median; 0 for a median of 0.
    package var spread: Double { median > 0 ? (upperQuartile - lowerQuartile) / median : 0 }

    /// The median.
    package var median: Double { quantile(0.5) }

    /// The first quartile.
    package var lowerQuartile: Double { quantile(0.25) }

    /// The third quartile.
    package var upperQuartile: Double { quantile(0.75) }

    /// Returns a quantile, interpolated linearly between adjacent values.
    private func quantile(_ share: Double) -> Double {
        let position = share * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
}
