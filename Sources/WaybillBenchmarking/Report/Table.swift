import Foundation

/// Rows of cells as text, each column as wide as its widest cell.
package struct Table {
    private var rows: [[String]] = []

    package init() {}

    /// Adds a row.
    package mutating func add(_ row: [String]) { rows.append(row.map(Self.line)) }

    /// The text; the first two columns are names, aligned left, and the others are numbers, aligned right.
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
            // Rows with empty cells at their end have no white space there.
            let line = cells.joined(separator: "   ")
            return line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
        }.joined(separator: "\n")
    }

    /// Returns a text in one line, as a name may have several.
    private static func line(_ cell: String) -> String {
        cell.contains(where: \.isNewline) ? cell.split(whereSeparator: \.isNewline).joined(separator: " ") : cell
    }
}

extension Table {
    /// Returns the table of the measurements of decoders, with their speed as a multiple of the first one's of each
    /// case.
    ///
    /// Allocations and memory have a table of their own below it if the instruments of a measurement count them: one
    /// for both would be wider than a terminal.
    ///
    /// - Parameters:
    ///   - measurements: the measurements, case by case.
    ///   - kind: the header of the first column, such as "document".
    ///   - means: means over several cases, for lines at the end.
    /// - Returns: the text.
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

    /// Returns the median, with the quartiles in brackets unless there was one round.
    package static func text(_ distribution: Distribution, decimals: Int) -> String {
        func text(_ value: Double) -> String { String(format: "%.\(decimals)f", value) }
        guard distribution.count > 1 else { return text(distribution.median) }
        let quartiles = [text(distribution.lowerQuartile), text(distribution.upperQuartile)]
        return "\(text(distribution.median)) [\(quartiles.joined(separator: " to "))]"
    }

    private static func number(_ distribution: Distribution?, decimals: Int) -> String {
        distribution.map { String(format: "%.\(decimals)f", $0.median) } ?? "not counted"
    }

    /// Returns the text of a multiple; an empty one for nil.
    package static func factor(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "" }
}

/// Tables as CSV (RFC 4180).
package enum CSV {
    /// Returns the text of rows: a line for each row, with CR LF at its end.
    package static func text(_ rows: [[String]]) -> String {
        rows.map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
    }

    /// Returns a cell, quoted if it contains a comma, a quotation mark or a line break.
    private static func cell(_ text: String) -> String {
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        return "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\""
    }
}

/// The speed of a decoder as a multiple of the first one's of its case.
package struct Speedup: Sendable {
    package let caseName: String
    package let subject: String

    /// The multiple by the wall clock.
    package let byClock: Double

    /// The multiple by processor time, which other programs disturb less.
    package let byProcessor: Double

    /// The multiples by processor time between the quartiles of both decoders; nil if there was one round, and for a
    /// mean.
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

    /// Returns the speedups of all subjects that were measured beside another, in order.
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

/// The text above the tables: the machine of the numbers, and how to read them.
package struct ReportHeader: Sendable {
    /// The name and the version of the system.
    package let system: String

    /// The number of processors that the program may use.
    package let processors: Int

    /// Whether this module was built with optimization, as then all modules of a package are.
    package let isOptimized: Bool

    package init(system: String, processors: Int, isOptimized: Bool) {
        self.system = system
        self.processors = processors
        self.isOptimized = isOptimized
    }

    /// The header of this program, on this machine.
    package static var ofThisProgram: ReportHeader {
        let process = ProcessInfo.processInfo
        return ReportHeader(
            system: process.operatingSystemVersionString,
            processors: process.activeProcessorCount,
            isOptimized: !isDebugBuild
        )
    }

    /// Returns the text.
    ///
    /// - Parameters:
    ///   - legend: the sentence about the multiples of a table.
    ///   - command: the command of a build with optimization.
    /// - Returns: the lines.
    package func text(_ legend: String, command: String) -> String {
        var lines = [
            "\(system), \(processors) processors",
            "Each number is the median of the rounds, with the quartiles in brackets; \(legend)",
        ]
        if !isOptimized { lines.append("This is a debug build, whose numbers mean little: \(command)") }
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
