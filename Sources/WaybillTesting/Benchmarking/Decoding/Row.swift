extension DecodingBenchmark {
    /// The figures of one candidate on one document.
    public struct Row: Sendable, Hashable, Encodable {
        /// The name of the document.
        public let document: String

        /// The name of the candidate.
        public let decoder: String

        /// The number of bytes of the document.
        public let bytes: Int

        /// The milliseconds of decoding the document once, on the wall clock.
        public let milliseconds: Figure

        /// The milliseconds of processor time of decoding the document once, of all threads of the program.
        ///
        /// Other programs disturb it less than the wall clock.
        public let processorMilliseconds: Figure

        /// The throughput: millions of bytes of the document per second on the wall clock.
        public let megabytesPerSecond: Figure

        /// The speed as a multiple of that of the document's first candidate, by the medians of the wall clock; 1 for
        /// the first one itself.
        public let timesAsFast: Double
    }
}

extension DecodingBenchmark.Row {
    /// Creates the row of a measurement; nil if it lacks a metric.
    init?(_ measurement: Measurement, first: Measurement, bytes: Int) {
        guard let milliseconds = measurement[.milliseconds], let firstMilliseconds = first[.milliseconds],
            let processorMilliseconds = measurement[.processorMilliseconds],
            let megabytesPerSecond = measurement[.megabytesPerSecond]
        else { return nil }
        document = measurement.caseName
        decoder = measurement.subject
        self.bytes = bytes
        self.milliseconds = DecodingBenchmark.Figure(milliseconds)
        self.processorMilliseconds = DecodingBenchmark.Figure(processorMilliseconds)
        self.megabytesPerSecond = DecodingBenchmark.Figure(megabytesPerSecond)
        timesAsFast = firstMilliseconds.median / milliseconds.median
    }
}
