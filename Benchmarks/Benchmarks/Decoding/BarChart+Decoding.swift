import Foundation
import WaybillTesting

extension BarChart {
    /// Creates the chart of the speed of decoding as a multiple of Foundation's, with the mean over the documents that
    /// count for it.
    ///
    /// - Throws: ``Skip`` if there is nothing to draw.
    static func decoding(_ measurements: [Measurement]) throws -> BarChart {
        let speedups = Speedup.all(measurements.filter { $0.suite == Suite.decoding.name })
        guard !speedups.isEmpty else { throw Skip(description: "no decoder was measured beside another: no chart") }
        return BarChart(
            title: "Decoding: times as fast as Foundation’s JSONDecoder",
            unit: "Foundation",
            bars: speedups.map { bar($0) } + Speedup.means(measurements).map { bar($0, isSummary: true) }
        )
    }

    private static func bar(_ speedup: Speedup, isSummary: Bool = false) -> Bar {
        Bar(
            name: speedup.caseName,
            value: speedup.byClock,
            label: String(format: "%.1f ×", speedup.byClock),
            isSummary: isSummary
        )
    }
}
