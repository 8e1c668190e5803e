import Foundation
import Waybill

/// A benchmark of decoders on your own documents and types.
///
/// ```swift
/// let products = DecodingBenchmark(
///     "products",
///     decoding: [Product].self,
///     from: data,
///     in: Envelope("data"),
///     by: [.decoder(JSONDecoder()), .decoder(WaybillJSONDecoder()), .stream()]
/// )
/// print(try await products.run(rounds: 20).table)
/// ```
///
/// Before measuring, each candidate decodes the document once, and the results are compared: with `==` if the type is
/// `Equatable`, by their JSON if it is `Encodable`, and otherwise member by member. The candidates' rounds are then
/// interleaved, each starting with a different candidate, so that changes in the machine's load affect all candidates.
/// Each round decodes repeatedly for at least 10 ms. Except for streams, freeing the results is not measured.
///
/// Measure an optimized build, as with `swift run -c release`. Figures from a debug build are meaningless, and the
/// table warns about them.
public struct DecodingBenchmark: Sendable {
    /// A document and its candidates.
    struct Entry: Sendable {
        let name: String
        let document: Document
        let candidates: [String]
        let subjects: @Sendable (Instruments) -> [Subject]
    }

    let entries: [Entry]

    /// Creates a benchmark for one document.
    ///
    /// Nothing is decoded until ``run(rounds:)``, which throws an error if the input cannot be measured.
    ///
    /// - Parameters:
    ///   - name: the name of the document in the report.
    ///   - type: the type to decode.
    ///   - document: the bytes of the document, as sent by a server.
    ///   - envelope: the envelope around the value; by default, none. For a list type, the envelope's path for lists
    ///     applies.
    ///   - candidates: the decoders. Speeds are relative to the first one.
    public init<Value: Decodable & Sendable>(
        _ name: String,
        decoding type: Value.Type,
        from document: Data,
        in envelope: Envelope = .none,
        by candidates: [Candidate<Value>]
    ) {
        self.init(name, decoding: type, from: Document { document }, in: envelope, by: candidates)
    }

    /// Creates a benchmark for a document with one JSON text per line (JSON Lines, also called NDJSON).
    ///
    /// Candidates other than streams decode the lines one by one. Blank lines are skipped. The document is split into
    /// lines before measuring.
    ///
    /// Nothing is decoded until ``run(rounds:)``, which throws an error if the input cannot be measured.
    ///
    /// ```swift
    /// let log = DecodingBenchmark(
    ///     "log",
    ///     decoding: [Item].self,
    ///     fromLines: data,
    ///     by: [.decoder(JSONDecoder()), .stream()]
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the document in the report.
    ///   - type: the type of the list; each line is one element.
    ///   - document: the bytes of the document, as sent by a server.
    ///   - candidates: the decoders. Speeds are relative to the first one.
    public init<Element: Decodable & Sendable>(
        _ name: String,
        decoding type: [Element].Type,
        fromLines document: Data,
        by candidates: [Candidate<[Element]>]
    ) {
        self.init(name, decoding: type, from: Document { document }, isJSONLines: true, by: candidates)
    }

    /// Creates a benchmark for a document that is generated or read on first use.
    package init<Value: Decodable & Sendable>(
        _ name: String,
        decoding type: Value.Type,
        from document: Document,
        in envelope: Envelope = .none,
        isJSONLines: Bool = false,
        by candidates: [Candidate<Value>]
    ) {
        let task = DecodingTask(name: name, document: document, envelope: envelope, isJSONLines: isJSONLines)
        entries = [
            Entry(name: name, document: document, candidates: candidates.map(\.name)) { instruments in
                candidates.map { $0.subject(task, instruments) }
            }
        ]
    }

    /// Creates a benchmark that combines several benchmarks in one report.
    ///
    /// ```swift
    /// let both = DecodingBenchmark([products, orders])
    /// let svg = try await both.run().svg
    /// ```
    ///
    /// - Parameter benchmarks: the benchmarks. The names of all documents must be unique.
    public init(_ benchmarks: [DecodingBenchmark]) { entries = benchmarks.flatMap(\.entries) }

    /// Compares the candidates' results, then measures the candidates.
    ///
    /// - Parameter rounds: the number of rounds, at least 1. Meaningful quartiles need at least 15.
    /// - Returns: the figures of all candidates, document by document.
    /// - Throws: ``DecodingBenchmark/Failure`` if the input cannot be measured, if results differ, or if the task is
    ///   cancelled. Input and results are checked before measuring.
    public func run(rounds: Int = 15) async throws(Failure) -> Results {
        try await run(rounds: rounds, with: Instruments())
    }

    /// The names of the documents.
    package var names: [String] { entries.map(\.name) }

    /// Returns one case per document.
    package func cases(_ instruments: Instruments, rounds: Int? = nil) -> [Case] {
        entries.map { Case($0.name, $0.subjects(instruments), rounds: rounds) }
    }

    package func run(
        rounds: Int,
        with instruments: Instruments,
        header: ReportHeader = .current
    ) async throws(Failure) -> Results {
        do {
            try await validate(rounds: rounds)
            let measurements = try await Runner(suite: "decoding", rounds: rounds).run(cases(instruments))
            var sizes: [String: Int] = [:]
            for entry in entries { sizes[entry.name] = try await entry.document.value.count }
            return Results(measurements, sizes: sizes, rounds: rounds, header: header)
        } catch let error as Failure {
            throw error
        } catch let error as Runner.Disagreement {
            throw Failure(
                .differentResults(Failure.Difference(error)),
                of: error.caseName
            )
        } catch {
            throw Failure(.cancelled)
        }
    }

    private func validate(rounds: Int) async throws {
        guard rounds > 0 else { throw Failure(.invalidRounds(rounds)) }
        guard !entries.isEmpty else { throw Failure(.noDocuments) }
        var names: Set<String> = []
        for entry in entries {
            guard names.insert(entry.name).inserted else {
                throw Failure(.repeatedDocument, of: entry.name)
            }
            guard !entry.candidates.isEmpty else { throw Failure(.noDecoders, of: entry.name) }
            var candidates: Set<String> = []
            for candidate in entry.candidates where !candidates.insert(candidate).inserted {
                throw Failure(.repeatedDecoder(candidate), of: entry.name)
            }
            guard try await !entry.document.value.isEmpty else {
                throw Failure(.emptyDocument, of: entry.name)
            }
        }
    }
}
