import Foundation

/// A text table with columns as wide as their widest cells.
package struct Table {
    private var rows: [[String]] = []

    package init() {}

    /// Adds a row.
    package mutating func add(_ row: [String]) { rows.append(row.map(Self.line)) }

    /// The table as text, with left-aligned names in the first two columns and right-aligned numbers in the others.
    package var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column < 2 ? cell.0 + space : space + cell.0
            }
            // Empty cells at the end of a row would leave trailing whitespace.
            let line = cells.joined(separator: "   ")
            return line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
        }.joined(separator: "\n")
    }

    /// Returns a cell with its line breaks replaced by spaces.
    private static func line(_ cell: String) -> String {
        cell.contains(where: \.isNewline) ? cell.split(whereSeparator: \.isNewline).joined(separator: " ") : cell
    }
}

extension Table {
    /// Returns a table of decoder measurements, with each decoder's speed relative to the first decoder of its case.
    ///
    /// If allocations were counted, a second table lists allocations and memory, because a single table would be wider
    /// than a terminal.
    ///
    /// - Parameters:
    ///   - measurements: the measurements, case by case.
    ///   - kind: the header of the first column, such as "document".
    ///   - means: the mean speedups across cases, appended as rows.
    /// - Returns: the table as text.
    package static func text(decoding measurements: [Measurement], of kind: String, means: [Speedup] = []) -> String {
        let metrics = Set(measurements.flatMap(\.metrics).map(\.metric))
        let memory = [Metric.allocations, .peakKilobytes, .keptKilobytes].filter(metrics.contains)
        let speedups = Speedup.all(measurements)
        var speed = Table()
        var cost = Table()
        speed.add([kind, "decoder", "ms", "MB/s", "times as fast", "by the clock"])
        cost.add([kind, "decoder"] + memory.map(\.name))
        var last: String?
        for measurement in measurements {
            let speedup = speedups.first {
                $0.caseName == measurement.caseName && $0.subject == measurement.subject
            }
            let names = [last == measurement.caseName ? "" : measurement.caseName, measurement.subject]
            speed.add(
                names + [
                    time(measurement[.milliseconds]),
                    number(measurement[.megabytesPerSecond], decimals: 1),
                    factor(speedup?.byProcessor),
                    factor(speedup?.byClock),
                ]
            )
            cost.add(names + memory.map { number(measurement[$0], decimals: $0.decimals) })
            last = measurement.caseName
        }
        for mean in means {
            speed.add([mean.caseName, mean.subject, "", "", factor(mean.byProcessor), factor(mean.byClock)])
        }
        return memory.isEmpty ? speed.text : "\(speed.text)\n\n\(cost.text)"
    }

    private static func time(_ distribution: Distribution?) -> String {
        guard let distribution else { return "not measured" }
        let decimals = distribution.median < 0.1 ? 5 : distribution.median < 10 ? 3 : 1
        return text(distribution, decimals: decimals)
    }

    /// Returns the median, with the quartiles in brackets unless there was only one round.
    package static func text(_ distribution: Distribution, decimals: Int) -> String {
        func text(_ value: Double) -> String { String(format: "%.\(decimals)f", value) }
        guard distribution.count > 1 else { return text(distribution.median) }
        let quartiles = [text(distribution.lowerQuartile), text(distribution.upperQuartile)]
        return "\(text(distribution.median)) [\(quartiles.joined(separator: " to "))]"
    }

    private static func number(_ distribution: Distribution?, decimals: Int) -> String {
        distribution.map { String(format: "%.\(decimals)f", $0.median) } ?? "not counted"
    }

    /// Returns a ratio as text; empty for nil.
    package static func factor(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "" }
}

/// Tables as CSV (RFC 4180).
package enum CSV {
    /// Returns rows as text, each ending with CR LF.
    package static func text(_ rows: [[String]]) -> String {
        rows.map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
    }

    /// Returns a cell, quoted if it contains a comma, a quotation mark or a line break.
    private static func cell(_ text: String) -> String {
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        return "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\""
    }
}

/// The speed of a decoder relative to the first decoder of its case.
package struct Speedup: Sendable {
    package let caseName: String
    package let subject: String

    /// The ratio of the wall-clock times.
    package let byClock: Double

    /// The ratio of the processor times, which are less affected by other programs.
    package let byProcessor: Double

    /// The range of the processor time ratio, from the quartiles of both decoders; nil for a single round or a mean.
    package let range: ClosedRange<Double>?

    package init(
        caseName: String,
        subject: String,
        byClock: Double,
        byProcessor: Double,
        range: ClosedRange<Double>? = nil
    ) {
        self.range = range
        self.caseName = caseName
        self.subject = subject
        self.byClock = byClock
        self.byProcessor = byProcessor
    }

    /// Returns the speedups of all subjects except the first of each case, in order.
    package static func all(_ measurements: [Measurement]) -> [Speedup] {
        measurements.compactMap { measurement in
            let first = measurements.first { $0.caseName == measurement.caseName }
            guard let first, first.subject != measurement.subject,
                let byClock = times(.milliseconds, first, measurement),
                let byProcessor = times(.processorMilliseconds, first, measurement)
            else { return nil }
            return Speedup(
                caseName: measurement.caseName,
                subject: measurement.subject,
                byClock: byClock,
                byProcessor: byProcessor,
                range: range(first[.processorMilliseconds], measurement[.processorMilliseconds])
            )
        }
    }

    private static func range(_ first: Distribution?, _ other: Distribution?) -> ClosedRange<Double>? {
        guard let first, let other, first.count > 1, other.count > 1, other.lowerQuartile > 0 else { return nil }
        return first.lowerQuartile / other.upperQuartile...first.upperQuartile / other.lowerQuartile
    }

    private static func times(_ metric: Metric, _ first: Measurement, _ other: Measurement) -> Double? {
        guard let first = first[metric]?.median, let other = other[metric]?.median, other > 0 else { return nil }
        return first / other
    }
}

/// The header of a report: the machine, the build configuration, and a legend for the figures.
package struct ReportHeader: Sendable {
    /// The name and version of the operating system.
    package let system: String

    /// The number of processors available to the program.
    package let processors: Int

    /// Whether this module, and therefore the whole package, was built with optimization.
    package let isOptimized: Bool

    package init(system: String, processors: Int, isOptimized: Bool) {
        self.system = system
        self.processors = processors
        self.isOptimized = isOptimized
    }

    /// The header for the current process.
    package static var current: ReportHeader {
        let process = ProcessInfo.processInfo
        return ReportHeader(
            system: process.operatingSystemVersionString,
            processors: process.activeProcessorCount,
            isOptimized: !isDebugBuild
        )
    }

    /// Returns the header as text.
    ///
    /// - Parameters:
    ///   - legend: an explanation of the ratios in the table.
    ///   - command: the command for an optimized build.
    /// - Returns: the lines of the header.
    package func text(_ legend: String, command: String) -> String {
        var lines = [
            "\(system), \(processors) processors",
            "Each number is the median of the rounds, with the quartiles in brackets; \(legend)",
        ]
        if !isOptimized { lines.append("This is a debug build, so the figures are meaningless: \(command)") }
        return lines.joined(separator: "\n")
    }

    private static var isDebugBuild: Bool {
        var isDebug = false
        assert(
            {
                isDebug = true
                return true
            }()
        )
        return isDebug
    }
}
