/// The results of the rounds of one subject.
struct Measurement: Sendable {
    let suite: String
    let caseName: String
    let subject: String

    /// The metrics in the order of the report; one without values could not be measured.
    let metrics: [(metric: Metric, distribution: Distribution?)]

    /// Creates a measurement from the readings of all rounds.
    init(suite: String, caseName: String, subject: String, rounds: [[Reading]]) {
        self.suite = suite
        self.caseName = caseName
        self.subject = subject
        metrics = (rounds.first ?? []).map(\.metric).map { metric in
            let values = rounds.flatMap { $0 }.filter { $0.metric == metric }.compactMap(\.value)
            return (metric, Distribution(values))
        }
    }

    /// Returns the distribution of a metric.
    subscript(metric: Metric) -> Distribution? { metrics.first { $0.metric == metric }?.distribution }
}
