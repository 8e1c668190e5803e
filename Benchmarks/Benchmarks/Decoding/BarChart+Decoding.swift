extension BarChart {
    /// How many times as fast as Foundation documents are decoded, and the mean of those of which one is told.
    ///
    /// - Throws: ``Skip`` where there is nothing to draw.
    static func decoding(_ measurements: [Measurement]) throws -> BarChart {
        let speedups = Speedup.all(measurements.filter { $0.suite == Suite.decoding.name })
        guard !speedups.isEmpty else { throw Skip(description: "no decoder was measured beside another: no chart") }
        return BarChart(
            title: "Decoding: times as fast as Foundation’s JSONDecoder",
            unit: "Foundation",
            bars: speedups.map { Bar(name: $0.caseName, value: $0.byClock, isSummary: false) }
                + Speedup.means(measurements).map { Bar(name: $0.caseName, value: $0.byClock, isSummary: true) }
        )
    }
}
