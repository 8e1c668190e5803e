import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

/// Compares the two grammars in the sources, the scanner for complete documents and the validator for chunks, with the
/// test grammar.
@Suite("JSON grammar")
struct GrammarTests {
    static let invalid =
        (Documents.rejected.values.flatMap { $0 } + Documents.faultyPieces.values.flatMap { $0 }.map(Documents.quoted))
        .sorted { $0.lexicographicallyPrecedes($1) }

    static let valid =
        Documents.accepted + FuzzTests.seeds + [ElementMutationTests.document]
        + Documents.loneSurrogates.map { Documents.quoted($0.0) }
        + Documents.pieces.map { Documents.quoted($0.0) }

    /// Compares all verdicts on the given bytes.
    static func compare(_ bytes: [UInt8]) {
        var oracle = OracleGrammar(bytes)
        let failure = oracle.failure()
        let text = JSONText(Data(bytes))
        let error = text.syntaxError()
        #expect(error.map { .init(offset: $0.offset, expected: $0.expected) } == failure, "\(shown(bytes))")

        var tokens = text.tokens
        var pieces: [OracleGrammar.Piece] = []
        while let token = try? tokens.next() {
            switch token.kind {
            case .beginObject, .endObject, .beginArray, .endArray: pieces.append(.bracket(token.range.lowerBound))
            case .key: pieces.append(.key(token.range))
            case .string, .number, .literal: pieces.append(.scalar(token.range))
            }
        }
        // A number at the end of a truncated text is a token, but not yet a value.
        #expect(pieces.starts(with: oracle.pieces), "\(shown(bytes))")
        if failure == nil {
            #expect(pieces.count == oracle.pieces.count, "\(shown(bytes))")
            #expect(tokens.loneSurrogate == oracle.loneSurrogate, "\(shown(bytes))")
        }

        // Zeros and byte order marks may make the bytes UTF-16 or UTF-32.
        guard UnicodeEncoding.unusual(of: Data(bytes)) == nil else { return }
        let isAccepted = failure == nil && oracle.depth <= 512
        let scanned = try? WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: Data(bytes))
        #expect((scanned != nil) == isAccepted, "\(shown(bytes))")
        #expect((ValidatorReading(bytes, by: 3).rejection == nil) == isAccepted, "\(shown(bytes))")
    }

    static func shown(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("All parsers agree with the test grammar on every sample document")
    func suites() {
        for bytes in Self.valid + Self.invalid { Self.compare(bytes) }
    }

    @Test("All parsers agree with the test grammar on sample documents truncated at any byte")
    func cut() {
        for bytes in Self.valid + Self.invalid {
            for length in bytes.indices { Self.compare(Array(bytes[..<length])) }
        }
    }

    @Test(
        "All parsers agree with the test grammar on mutated sample documents",
        arguments: 1...UInt64(Thoroughness.repetitions(8, otherwise: 1))
    )
    func mutations(seed: UInt64) {
        var mutations = Mutations(of: Self.valid + Self.invalid, seed: seed)
        for _ in 0..<3000 { Self.compare(mutations.next()) }
    }

    @Test("All parsers agree with the test grammar on nesting around the limit", arguments: [511, 512, 513, 3000])
    func depth(_ depth: Int) {
        Self.compare(Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: 0x5D, count: depth))
        Self.compare(Array(String(repeating: "{\"a\":", count: depth).utf8))
    }
}
