/// The values of one metric, one for each round: their median and quartiles.
package struct Distribution: Sendable {
    private let sorted: [Double]

    /// Creates a distribution; nil if there are no values.
    package init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        sorted = values.sorted()
    }

    /// The median.
    package var median: Double { quantile(0.5) }

    /// The first quartile.
    package var lowerQuartile: Double { quantile(0.25) }

    /// The third quartile.
    package var upperQuartile: Double { quantile(0.75) }

    /// Returns a quantile, interpolated linearly between the values next to it.
    private func quantile(_ share: Double) -> Double {
        let position = share * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
}
