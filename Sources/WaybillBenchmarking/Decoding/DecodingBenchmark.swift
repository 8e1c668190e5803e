import Foundation
import Waybill

/// A benchmark of decoders with custom documents and types.
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
/// Before anything is measured, each candidate decodes the document, and the results are compared: with `==` if the
/// type is `Equatable`, by their JSON if it is `Encodable`, and otherwise member by member. The rounds of the
/// candidates are then interleaved, each starting with a different candidate, so changes in the machine's load affect
/// all of them. A round repeats the decoding for at least 10 ms. Freeing the results of a whole document is not
/// measured.
///
/// Measure an optimized build, as with `swift run -c release`: the figures of a debug build are meaningless. The table
/// warns about a debug build.
public struct DecodingBenchmark: Sendable {
    /// A document with its candidates.
    struct Entry: Sendable {
        let name: String
        let document: Document
        let candidates: [String]
        let subjects: @Sendable (Instruments) -> [Subject]
    }

    let entries: [Entry]

    /// Creates a benchmark of one document.
    ///
    /// Nothing is decoded yet. If the input cannot be measured, ``run(rounds:)`` throws an error.
    ///
    /// - Parameters:
    ///   - name: the name of the document in the report.
    ///   - type: the type to decode.
    ///   - document: the bytes of the document, as a server sends them.
    ///   - envelope: the location of the value in the document; by default, the whole document. For a list type, the
    ///     envelope's location for lists is used.
    ///   - candidates: the decoders; their figures are relative to those of the first one.
    public init<Value: Decodable & Sendable>(
        _ name: String,
        decoding type: Value.Type,
        from document: Data,
        in envelope: Envelope = .none,
        by candidates: [Candidate<Value>]
    ) {
        self.init(name, decoding: type, from: Document { document }, in: envelope, by: candidates)
    }

    /// Creates a benchmark of a document with one JSON text per line: JSON Lines, NDJSON.
    ///
    /// A candidate that does not stream decodes the lines one by one, as a program without a stream does; blank lines
    /// are skipped. The document is split into lines before anything is measured.
    ///
    /// Nothing is decoded yet. If the input cannot be measured, ``run(rounds:)`` throws an error.
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
    ///   - document: the bytes of the document, as a server sends them.
    ///   - candidates: the decoders; their figures are relative to those of the first one.
    public init<Element: Decodable & Sendable>(
        _ name: String,
        decoding type: [Element].Type,
        fromLines document: Data,
        by candidates: [Candidate<[Element]>]
    ) {
        self.init(name, decoding: type, from: Document { document }, hasLines: true, by: candidates)
    }

    /// Creates a benchmark of a document that is generated or read when first needed.
    package init<Value: Decodable & Sendable>(
        _ name: String,
        decoding type: Value.Type,
        from document: Document,
        in envelope: Envelope = .none,
        hasLines: Bool = false,
        by candidates: [Candidate<Value>]
    ) {
        let task = DecodingTask(name: name, document: document, envelope: envelope, hasLines: hasLines)
        entries = [
            Entry(name: name, document: document, candidates: candidates.map(\.name)) { instruments in
                candidates.map { $0.subject(task, instruments) }
            }
        ]
    }

    /// Creates a benchmark that combines several others in one report.
    ///
    /// ```swift
    /// let both = DecodingBenchmark([products, orders])
    /// let svg = try await both.run().svg
    /// ```
    ///
    /// - Parameter benchmarks: the benchmarks; the names of their documents must be unique.
    public init(_ benchmarks: [DecodingBenchmark]) { entries = benchmarks.flatMap(\.entries) }

    /// Compares the candidates' results, then measures.
    ///
    /// - Parameter rounds: the number of rounds, at least 1. With 15 or more rounds, the quartiles show the noise.
    /// - Returns: the figures of all candidates, document by document.
    /// - Throws: ``DecodingBenchmark/Failure``; nothing has been measured if the input cannot be measured or the
    ///   results differ.
    public func run(rounds: Int = 15) async throws(Failure) -> Results {
        try await run(rounds: rounds, with: Instruments())
    }

    /// The names of the documents.
    package var names: [String] { entries.map(\.name) }

    /// Returns one case for each document.
    package func cases(_ instruments: Instruments, rounds: Int? = nil) -> [Case] {
        entries.map { Case($0.name, $0.subjects(instruments), rounds: rounds) }
    }

    package func run(
        rounds: Int,
        with instruments: Instruments,
        header: ReportHeader = .ofThisProgram
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
