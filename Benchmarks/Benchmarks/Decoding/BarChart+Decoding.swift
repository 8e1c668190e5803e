import Foundation
import WaybillBenchmarking

extension BarChart {
    /// Creates the chart of the speed of decoding as a multiple of that of each case's first subject, with the mean
    /// over the documents that count for it.
    ///
    /// The title names the first subject, and a bar its own if its case has several.
    ///
    /// - Throws: ``Skip`` if there is nothing to draw.
    static func decoding(_ measurements: [Measurement]) throws -> BarChart {
        let speedups = Speedup.all(measurements.filter { $0.suite == Suite.decoding.name })
        guard !speedups.isEmpty else { throw Skip(description: "no decoder was measured beside another: no chart") }
        let peer = peer(of: measurements)
        let counts = Dictionary(speedups.map { ($0.caseName, 1) }, uniquingKeysWith: +)
        return BarChart(
            title: "Decoding: times as fast as Foundation’s \(peer)",
            unit: "Foundation",
            bars: speedups.map { bar($0, namesSubject: counts[$0.caseName, default: 1] > 1) }
                + Speedup.means(measurements).map { bar($0, isSummary: true) }
        )
    }

    /// Returns the name of the decoder that the others are compared with, without how it is used.
    private static func peer(of measurements: [Measurement]) -> String {
        let first = measurements.first { $0.suite == Suite.decoding.name }?.subject ?? "JSONDecoder"
        return String(first.prefix { $0 != "," })
    }

    private static func bar(_ speedup: Speedup, namesSubject: Bool = false, isSummary: Bool = false) -> Bar {
        let name = namesSubject ? "\(speedup.caseName), \(speedup.subject)" : speedup.caseName
        return Bar(
            // As many characters as fit beside the bars, the subject at their end.
            name: name.count > 42 ? "…\(name.suffix(41))" : name,
            value: speedup.byClock,
            label: String(format: "%.1f ×", speedup.byClock),
            isSummary: isSummary
        )
    }
}
