extension Suite {
    /// Documents of several shapes, decoded into models as apps write them.
    static let decoding = Suite(
        name: "decoding",
        summary: "JSON documents into Codable models",
        rounds: 15,
        report: {
            Table.text(decoding: $0, of: "case", means: Speedup.means($0)) + "\n\n" + decodingLegend
        },
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
        Times as fast: as Foundation, by the medians, first of the wall clock and then of the time on processors.
        Freeing results is not measured. Allocations are those of a later decoding; the peak is what the heap holds more
        than before during the first one of a thread, the result included, the document not; kept is what of it stays
        for the next one when the result is gone.
        """
}
