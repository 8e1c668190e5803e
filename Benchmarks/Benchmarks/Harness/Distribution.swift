/// Values of one metric, one a round: their middle and how far they lie apart.
struct Distribution: Sendable {
    private let sorted: [Double]

    /// A distribution; nil of no values.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        sorted = values.sorted()
    }

    /// Half of the values are below.
    var median: Double { quantile(0.5) }

    /// A quarter of the values is below.
    var lowerQuartile: Double { quantile(0.25) }

    /// Three quarters of the values are below.
    var upperQuartile: Double { quantile(0.75) }

    /// A quantile, on a straight line between the values next to it.
    private func quantile(_ share: Double) -> Double {
        let position = share * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
}
