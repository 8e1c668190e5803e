import Foundation

extension DecodingBenchmark {
    /// The results of a ``DecodingBenchmark``, with reports in several formats.
    ///
    /// ```swift
    /// let results = try await products.run()
    /// print(results.table)
    /// try results.json.write(to: file)
    /// ```
    public struct Results: Sendable {
        /// The rows, one per candidate, grouped by document in declaration order.
        public let rows: [Row]

        /// The number of rounds.
        public let rounds: Int

        private let measurements: [Measurement]
        private let header: ReportHeader

        init(_ measurements: [Measurement], sizes: [String: Int], rounds: Int, header: ReportHeader) {
            rows = measurements.compactMap { measurement in
                let first = measurements.first { $0.caseName == measurement.caseName } ?? measurement
                return Row(measurement, first: first, bytes: sizes[measurement.caseName] ?? 0)
            }
            self.rounds = rounds
            self.measurements = measurements
            self.header = header
        }

        /// Whether the program was built with optimization; otherwise the figures are meaningless.
        public var isOptimized: Bool { header.isOptimized }

        /// Warnings that the figures may not be reproducible; empty if the run showed little noise.
        ///
        /// There is one warning for fewer than 15 rounds, and one if the interquartile range of a processor time
        /// exceeds 5 % of its median.
        public var warnings: [String] { NoiseWarnings.all(measurements, of: [.processorMilliseconds]) }

        /// The results as text, with one line per candidate.
        ///
        /// The lines above the table describe the machine and identify a debug build. The ``warnings`` follow the
        /// table.
        public var table: String {
            let legend = "times as fast: compared with the document's first decoder, by processor time."
            let warnings = warnings.map { "\n\n\($0)" }.joined()
            return header.text(legend, command: "build it with -c release") + "\n\n"
                + Table.text(decoding: measurements, of: "document") + warnings
        }

        /// The results as CSV (RFC 4180), with a header line and one line per candidate.
        public var csv: String {
            let figures = ["milliseconds", "processorMilliseconds", "megabytesPerSecond"]
            let quantiles = ["", "LowerQuartile", "UpperQuartile"]
            let names =
                ["document", "decoder", "bytes", "rounds"] + figures.flatMap { name in quantiles.map { name + $0 } }
                + ["timesAsFast", "timesAsFastByClock"]
            let lines = rows.map { row -> [String] in
                let figures = [row.milliseconds, row.processorMilliseconds, row.megabytesPerSecond]
                let values = figures.flatMap { [$0.median, $0.lowerQuartile, $0.upperQuartile] }
                return [row.document, row.decoder, "\(row.bytes)", "\(rounds)"]
                    + (values + [row.timesAsFast, row.timesAsFastByClock]).map { "\($0)" }
            }
            return CSV.text([names] + lines)
        }

        /// The results as JSON: an object with `system`, `processors`, `isOptimized`, `rounds` and `rows`.
        ///
        /// The members of a row are named after the properties of ``DecodingBenchmark/Row``.
        ///
        /// - Throws: `EncodingError` if a figure is not finite, which does not happen in practice.
        public var json: Data {
            get throws {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
                return try encoder.encode(
                    Report(
                        system: header.system,
                        processors: header.processors,
                        isOptimized: header.isOptimized,
                        rounds: rounds,
                        rows: rows
                    )
                )
            }
        }

        /// A throughput chart as SVG, legible on light and dark backgrounds.
        ///
        /// An error bar at the end of each bar spans the quartiles of the rounds.
        public var svg: String {
            BarChart(
                title: isOptimized
                    ? "Decoding: MB/s, and times as fast as the first decoder"
                    : "Debug build (the figures are meaningless): MB/s",
                bars: rows.map { row in
                    let rate = row.megabytesPerSecond.median
                    let isFirst = row.decoder == rows.first { $0.document == row.document }?.decoder
                    return BarChart.Bar(
                        name: "\(row.document), \(row.decoder)",
                        value: rate,
                        range: rounds > 1
                            ? row.megabytesPerSecond.lowerQuartile...row.megabytesPerSecond.upperQuartile : nil,
                        label: String(format: "%.1f", rate)
                            + (isFirst ? "" : String(format: ", %.1f ×", row.timesAsFast))
                    )
                }
            ).svg
        }

        private struct Report: Encodable {
            let system: String
            let processors: Int
            let isOptimized: Bool
            let rounds: Int
            let rows: [Row]
        }
    }
}

extension DecodingBenchmark {
    /// The figures of one candidate on one document.
    public struct Row: Sendable, Hashable, Encodable {
        /// The name of the document.
        public let document: String

        /// The name of the candidate.
        public let decoder: String

        /// The length of the document, in bytes.
        public let bytes: Int

        /// The wall-clock time to decode the document once, in milliseconds.
        public let milliseconds: Figure

        /// The processor time, on all threads of the program, to decode the document once, in milliseconds.
        ///
        /// It is less affected by other programs than wall-clock time.
        public let processorMilliseconds: Figure

        /// The throughput, in millions of document bytes per second of wall-clock time.
        public let megabytesPerSecond: Figure

        /// The speed relative to the document's first candidate, by median processor time; 1 for that candidate.
        ///
        /// Processor time is less affected by other programs than wall-clock time, and a median, unlike a minimum, does
        /// not depend on one lucky round. If the median processor time is 0, the value is ``timesAsFastByClock``.
        public let timesAsFast: Double

        /// The speed relative to the document's first candidate, by median wall-clock time.
        public let timesAsFastByClock: Double
    }
}

extension DecodingBenchmark.Row {
    /// Creates a row from a measurement; returns nil if a metric is missing.
    init?(_ measurement: Measurement, first: Measurement, bytes: Int) {
        guard let milliseconds = measurement[.milliseconds], let firstMilliseconds = first[.milliseconds],
            let processorMilliseconds = measurement[.processorMilliseconds],
            let firstProcessorMilliseconds = first[.processorMilliseconds],
            let megabytesPerSecond = measurement[.megabytesPerSecond]
        else { return nil }
        document = measurement.caseName
        decoder = measurement.subject
        self.bytes = bytes
        self.milliseconds = DecodingBenchmark.Figure(milliseconds)
        self.processorMilliseconds = DecodingBenchmark.Figure(processorMilliseconds)
        self.megabytesPerSecond = DecodingBenchmark.Figure(megabytesPerSecond)
        timesAsFastByClock = firstMilliseconds.median / milliseconds.median
        // The median is 0 if the processor clock did not advance during most rounds.
        timesAsFast =
            processorMilliseconds.median > 0
            ? firstProcessorMilliseconds.median / processorMilliseconds.median : timesAsFastByClock
    }
}

extension DecodingBenchmark {
    /// The median and quartiles of a candidate's values across all rounds.
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
