import Foundation
import Testing
import Waybill
import WaybillBenchmarking

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Reports of decoding benchmarks")
struct DecodingReportTests {
    private func results(
        _ names: [String] = ["products", "orders"],
        rounds: Int = 3,
        isOptimized: Bool = true
    ) async throws -> DecodingBenchmark.Results {
        let time = VirtualTime()
        return try await DecodingBenchmark(
            names.map { name in
                DecodingBenchmark(
                    name,
                    decoding: Int.self,
                    from: BenchmarkFixture.large,
                    by: [
                        .decoder("JSONDecoder", StubDecoder(name: "slow", time: time) { _ in 60 }),
                        .decoder("a < b & c", StubDecoder(name: "fast", time: time) { $0 == 1 ? 15 : 20 }),
                    ]
                )
            }
        ).run(
            rounds: rounds,
            with: time.instruments,
            header: ReportHeader(system: "Linux", processors: 2, isOptimized: isOptimized)
        )
    }

    @Test("The table contains the machine, reading instructions and a line for each decoder")
    func table() async throws {
        let table = try await results().table
        #expect(
            table == """
                Linux, 2 processors
                Each number is the median of the rounds, with the quartiles in brackets; times as fast: compared \
                with the document's first decoder, by processor time.

                document   decoder                        ms   MB/s   times as fast   by the clock
                products   JSONDecoder   60.0 [60.0 to 60.0]    5.0
                           a < b & c     20.0 [17.5 to 20.0]   15.0            3.00           3.00
                orders     JSONDecoder   60.0 [60.0 to 60.0]    5.0
                           a < b & c     20.0 [20.0 to 20.0]   15.0            3.00           3.00

                Warning: 3 rounds of products are too few to show the noise; run at least 15.

                Warning: the quartiles of 1 of 4 figures are more than 5 % apart; those of products, a < b & c, are \
                12.5 % (processor ms). Close other programs and run the benchmark again.
                """
        )
    }

    @Test("Results of a single round have no quartiles in the table and no spread in the chart")
    func oneRound() async throws {
        let results = try await results(rounds: 1)
        #expect(results.table.contains("\nproducts   JSONDecoder   60.0    5.0\n"))
        #expect(
            results.warnings == ["Warning: 1 round of products is too few to show the noise; run at least 15."]
        )
        #expect(try SVGReader.read(results.svg).paths.isEmpty)
        #expect(try await self.results(rounds: 15).warnings.isEmpty)
    }

    @Test("The CSV has a line for each decoder and quotes names with commas and quotation marks")
    func csv() async throws {
        let lines = try await results(["a, \"b\""]).csv.components(separatedBy: "\r\n")
        let names = [
            "document", "decoder", "bytes", "rounds", "milliseconds", "millisecondsLowerQuartile",
            "millisecondsUpperQuartile", "processorMilliseconds", "processorMillisecondsLowerQuartile",
            "processorMillisecondsUpperQuartile", "megabytesPerSecond", "megabytesPerSecondLowerQuartile",
            "megabytesPerSecondUpperQuartile", "timesAsFast", "timesAsFastByClock",
        ]
        #expect(lines.first == names.joined(separator: ","))
        #expect(lines.count == 4 && lines.last == "")
        #expect(lines.dropFirst().first?.hasPrefix("\"a, \"\"b\"\"\",JSONDecoder,300000,3,") == true)
    }

    @Test("The table of a debug build states that the figures are meaningless")
    func debugTable() async throws {
        let lines = try await results(isOptimized: false).table.components(separatedBy: "\n")
        #expect(lines.contains("This is a debug build, so the figures are meaningless: build it with -c release"))
    }

    @Test("A multiline name is a single line in the table")
    func names() async throws {
        let table = try await results(["two\nlines"]).table
        #expect(table.contains("\ntwo lines   JSONDecoder"))
    }

    @Test("The JSON contains the machine, the build, the rounds and the properties of all rows")
    func json() async throws {
        struct Figure: Decodable {
            let median: Double
            let lowerQuartile: Double
            let upperQuartile: Double
        }
        struct Row: Decodable {
            let document: String
            let decoder: String
            let bytes: Int
            let milliseconds: Figure
            let processorMilliseconds: Figure
            let megabytesPerSecond: Figure
            let timesAsFast: Double
            let timesAsFastByClock: Double
        }
        struct Report: Decodable {
            let system: String
            let processors: Int
            let isOptimized: Bool
            let rounds: Int
            let rows: [Row]
        }
        let results = try await results()
        let report = try JSONDecoder().decode(Report.self, from: try results.json)
        #expect(report.system == "Linux" && report.processors == 2 && report.isOptimized && report.rounds == 3)
        #expect(report.rows.map(\.document) == ["products", "products", "orders", "orders"])
        #expect(report.rows.map(\.decoder) == ["JSONDecoder", "a < b & c", "JSONDecoder", "a < b & c"])
        #expect(report.rows.map(\.bytes) == results.rows.map(\.bytes))
        #expect(report.rows.map(\.milliseconds.median) == results.rows.map(\.milliseconds.median))
        #expect(report.rows.map(\.milliseconds.lowerQuartile) == results.rows.map(\.milliseconds.lowerQuartile))
        #expect(report.rows.map(\.milliseconds.upperQuartile) == results.rows.map(\.milliseconds.upperQuartile))
        #expect(report.rows.map(\.processorMilliseconds.median) == results.rows.map(\.processorMilliseconds.median))
        #expect(report.rows.map(\.megabytesPerSecond.median) == results.rows.map(\.megabytesPerSecond.median))
        #expect(report.rows.map(\.timesAsFast) == results.rows.map(\.timesAsFast))
        #expect(report.rows.map(\.timesAsFastByClock) == results.rows.map(\.timesAsFastByClock))
    }

    @Test("The chart is XML with a bar for each decoder, whose length is proportional to its throughput")
    func chart() async throws {
        let chart = try SVGReader.read(try await results().svg)
        #expect(chart.texts.contains("products, a < b & c"))
        #expect(chart.texts.contains("15.0, 3.0 ×"))
        #expect(chart.texts.contains("5.0"))
        let widths = chart.widths
        try #require(widths.count == 4)
        #expect(abs(widths[1] / widths[0] - 3) < 0.01)
        #expect(chart.texts.first == "Decoding: MB/s, and times as fast as the first decoder")
    }

    @Test("The chart of an unoptimized build states that the figures are meaningless")
    func debugChart() async throws {
        let chart = try SVGReader.read(try await results(isOptimized: false).svg)
        #expect(chart.texts.first == "Debug build (the figures are meaningless): MB/s")
    }

    @Test("The chart is valid XML despite control characters, shows quartiles and contains complete names")
    func chartNames() async throws {
        let long = String(repeating: "long ", count: 20)
        let chart = try SVGReader.read(try await results(["\u{0}\u{1B}<&>]]>\u{FFFF}", long]).svg)
        #expect(chart.texts.contains("<&>]]>, JSONDecoder"))
        #expect(chart.texts.contains("\(long), JSONDecoder"))
        #expect(chart.paths.count == 4)
    }
}

/// The texts, bars and paths of a chart.
private final class SVGReader: NSObject, XMLParserDelegate {
    private(set) var texts: [String] = []
    private(set) var widths: [Double] = []
    private(set) var paths: [String] = []

    /// Reads a chart.
    ///
    /// - Throws: The parser's error if the text is not XML.
    static func read(_ svg: String) throws -> SVGReader {
        let reader = SVGReader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.coderReadCorrupt) }
        reader.texts = reader.texts.map { $0.trimmingCharacters(in: .newlines) }
        return reader
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        if name == "rect" { widths.append(attributes["width"].flatMap(Double.init) ?? -1) }
        if name == "path" { paths.append(attributes["d"] ?? "") }
        if name == "text" || name == "title" { texts.append("") }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if let last = texts.popLast() { texts.append(last + text) }
    }
}
