import Foundation

extension DecodingBenchmark {
    /// The figures of a ``DecodingBenchmark``, and its reports.
    ///
    /// ```swift
    /// let results = try await products.run()
    /// print(results.table)
    /// try results.json.write(to: file)
    /// ```
    public struct Results: Sendable {
        /// A row for each candidate, document by document, in the order of their declaration.
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

        /// Whether the program was built with optimization; otherwise the figures mean nothing.
        public var isOptimized: Bool { header.isOptimized }

        /// The warnings that another run may have other figures; empty for a quiet run.
        ///
        /// There is one for fewer than 15 rounds, and one for quartiles of the processor time that are more than 5 % of
        /// the median apart.
        public var warnings: [String] { NoiseWarnings.all(measurements, of: [.processorMilliseconds]) }

        /// The figures as text, with a line for each candidate.
        ///
        /// The lines above it name the machine, and say so if the build is one without optimization. The ``warnings``
        /// stand below it.
        public var table: String {
            let legend = "times as fast: compared with the document's first decoder, by processor time."
            let warnings = warnings.map { "\n\n\($0)" }.joined()
            return header.text(legend, command: "build it with -c release") + "\n\n"
                + Table.text(decoding: measurements, of: "document") + warnings
        }

        /// The figures as CSV (RFC 4180): a line with the names of the columns, and one for each candidate.
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

        /// The figures as JSON: an object with `system`, `processors`, `isOptimized`, `rounds` and `rows`.
        ///
        /// The members of a row have the names of the properties of ``DecodingBenchmark/Row``.
        ///
        /// - Throws: `EncodingError` if a figure is not finite, which no clock leads to.
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

        /// A chart of the throughput, as SVG, in colours that can be read on light and dark backgrounds.
        ///
        /// A line over the end of each bar leads from one quartile of the rounds to the other.
        public var svg: String {
            BarChart(
                title: isOptimized
                    ? "Decoding: MB/s, and times as fast as the first decoder"
                    : "A debug build, whose numbers mean little: MB/s",
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

        /// The speed as a multiple of that of the document's first candidate, by the medians of the processor time; 1
        /// for the first one itself.
        ///
        /// Other programs disturb it less than the wall clock, and unlike the shortest round it does not depend on a
        /// lucky one.
        public let timesAsFast: Double

        /// The same multiple by the medians of the wall clock.
        public let timesAsFastByClock: Double
    }
}

extension DecodingBenchmark.Row {
    /// Creates the row of a measurement; nil if it lacks a metric.
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
        // A clock of processors that stands still for a whole round measures nothing.
        timesAsFast =
            processorMilliseconds.median > 0
            ? firstProcessorMilliseconds.median / processorMilliseconds.median : timesAsFastByClock
    }
}

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
