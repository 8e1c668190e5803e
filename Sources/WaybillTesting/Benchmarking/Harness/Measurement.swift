/// The results of the rounds of one subject.
package struct Measurement: Sendable {
    package let suite: String
    package let caseName: String
    package let subject: String

    /// The metrics in the order of the report; one without values could not be measured.
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

    /// Returns the distribution of a metric.
    package subscript(metric: Metric) -> Distribution? { metrics.first { $0.metric == metric }?.distribution }
}
