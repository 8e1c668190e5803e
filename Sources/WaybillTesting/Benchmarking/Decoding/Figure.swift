extension DecodingBenchmark {
    /// The values of all rounds of one candidate, as their median and their spread.
    public struct Figure: Sendable, Hashable, Encodable {
        /// The median: half of the rounds have a smaller value, and half a larger one.
        public let median: Double

        /// The first quartile: a quarter of the rounds have a smaller value.
        public let lowerQuartile: Double

        /// The third quartile: a quarter of the rounds have a larger value.
        public let upperQuartile: Double

        init(_ distribution: Distribution) {
            median = distribution.median
            lowerQuartile = distribution.lowerQuartile
            upperQuartile = distribution.upperQuartile
        }
    }
}
