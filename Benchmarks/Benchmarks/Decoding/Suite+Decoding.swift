import Foundation
import WaybillBenchmarking

extension Suite {
    /// Documents of several shapes, decoded into typical app models.
    static let decoding = Suite(
        name: "decoding",
        summary: "JSON documents into Codable models",
        rounds: 15,
        report: {
            Table.text(decoding: $0, of: "case", means: Speedup.means($0)) + "\n\n" + decodingLegend
        },
        warnings: { NoiseWarnings.all($0, of: [.processorMilliseconds], minimumRounds: $1) },
        chart: { try BarChart.decoding($0).svg }
    ) { options in
        if let path = options.documentPath {
            return Case.document(try UserDocument(path: path, at: options.elementsPath))
        }
        typealias Benchmark = DecodingBenchmark
        let quick =
            Benchmark.documents + Benchmark.freshDecoder + Benchmark.keysInAnotherOrder + Benchmark.strategies
            + Benchmark.corpus
        // A round of the large documents takes seconds.
        return Benchmark(quick).cases(.ofThisProgram) + Benchmark(Benchmark.large).cases(.ofThisProgram, rounds: 3)
    }

    private static let decodingLegend = """
        Times as fast: as Foundation, by the medians, first of the time on processors and then of the wall clock.
        Freeing results is not measured. Allocations are those of a later decoding. The peak is the growth of the heap
        during the first one of a thread, with the result and without the document; kept is the part that remains after
        the result is freed.
        """
}

extension Speedup {
    /// Returns each subject's geometric mean over the documents that count toward it.
    static func means(_ measurements: [Measurement]) -> [Speedup] {
        means(measurements, of: DecodingBenchmark(DecodingBenchmark.documents).names)
    }

    /// Returns each subject's geometric mean over the named cases.
    static func means(_ measurements: [Measurement], of names: [String]) -> [Speedup] {
        let counted = all(measurements).filter { names.contains($0.caseName) }
        var subjects: [String] = []
        for each in counted where !subjects.contains(each.subject) { subjects.append(each.subject) }
        return subjects.map { subject in
            let ofSubject = counted.filter { $0.subject == subject }
            return Speedup(
                caseName: "geometric mean of \(ofSubject.count)",
                subject: subject,
                byClock: mean(ofSubject.map(\.byClock)),
                byProcessor: mean(ofSubject.map(\.byProcessor))
            )
        }
    }

    private static func mean(_ factors: [Double]) -> Double {
        exp(factors.map { log($0) }.reduce(0, +) / Double(factors.count))
    }
}

extension BarChart {
    /// Creates a chart of decoding speeds relative to each case's first subject, including the geometric mean.
    ///
    /// The title contains the first subject's name. A bar's name includes its subject if the case compares several with
    /// the first.
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

    /// Returns the name of the reference decoder, without the suffix that describes its use.
    private static func peer(of measurements: [Measurement]) -> String {
        let first = measurements.first { $0.suite == Suite.decoding.name }?.subject ?? "JSONDecoder"
        return String(first.prefix { $0 != "," })
    }

    private static func bar(_ speedup: Speedup, namesSubject: Bool = false, isSummary: Bool = false) -> Bar {
        let name = namesSubject ? "\(speedup.caseName), \(speedup.subject)" : speedup.caseName
        return Bar(
            name: name,
            value: speedup.byProcessor,
            range: speedup.range,
            label: String(format: "%.1f ×", speedup.byProcessor),
            isSummary: isSummary
        )
    }
}
