import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Corrupted documents")
struct FuzzTests {
    static let seeds: [[UInt8]] = [
        #"{"id":1,"name":"Ada","tags":["a","b"],"nested":{"x":1.5,"y":-2e10,"z":null},"ok":true}"#,
        #"[0,-0,1,12,123.456,1e5,-1E-5,0.1e+2,9007199254740993,18446744073709551616,null,true,false]"#,
        #"["","a","é😀","\u00e9\uD83D\uDE00","\"\\\/\b\f\n\r\t","a longer string that goes past a vector's width \u0041"]"#,
        #" { "a" : [ { "b" : [ { "c" : [ ] } ] } ] , "d" : { } , "e" : [ [ [ 1 ] , 2 ] , 3 ] } "#,
        #"{"a":1,"a":2,"\u0061":3,"é":4,"\u00e9":5,"":6}"#,
        #""just a string of more than sixteen bytes, with é and \n""#,
        "-12345.678901234567e-12", "\u{FEFF}[1,2,3]", "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]",
        "[\n  {\n    \"key\": \"value\",\n    \"other\": [1, 2, 3]\n  },\n  {\n    \"key\": null\n  }\n]\n",
    ].map { Array($0.utf8) }

    /// One way to decode bytes.
    ///
    /// If a decoder that accepts its bytes in chunks is added, it belongs in the list below.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let decode: @Sendable (Data) throws -> AnyJSON
        let check: @Sendable (Data) throws -> Void
    }

    static let ways = [
        Way(
            testDescription: "the whole buffer",
            decode: { try WaybillJSONDecoder().decode(AnyJSON.self, from: $0) },
            check: { _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0) }
        )
    ]

    /// Returns whether the bytes are a document according to the test grammar; nil if the grammar does not support
    /// their encoding.
    static func isDocument(_ data: Data) -> Bool? {
        // The grammar supports only UTF-8, and these bytes may be UTF-16 or UTF-32.
        guard !data.prefix(4).contains(0), ![[0xFE, 0xFF], [0xFF, 0xFE]].contains(Array(data.prefix(2))) else {
            return nil
        }
        var grammar = OracleGrammar(Array(data))
        return grammar.failure() == nil && grammar.depth <= 512
    }

    static func hold(_ bytes: [UInt8], to way: Way) {
        let data = Data(bytes)
        guard let isDocument = isDocument(data) else {
            // The verdict is unknown, so any result is acceptable.
            _ = try? way.check(data)
            return
        }
        guard isDocument else { return expectRejected(data, way.check) }
        expectAccepted(data, way.check)
        guard let expected = try? JSONDecoder().decode(AnyJSON.self, from: data) else { return }
        #expect((try? way.decode(data)) == expected, "\(shown(data))")
    }

    @Test("A document truncated at any byte is accepted or rejected according to the grammar", arguments: ways)
    func cut(way: Way) {
        for seed in Self.seeds {
            for length in 0...seed.count { Self.hold(Array(seed.prefix(length)), to: way) }
        }
    }

    @Test("A document with any byte replaced is accepted or rejected according to the grammar", arguments: ways)
    func replace(way: Way) {
        for seed in Self.seeds {
            for index in seed.indices {
                for byte in [0x00, 0x22, 0x5C, 0x7F, 0x80, 0xFF, 0x2C, 0x5D] as [UInt8] {
                    var bytes = seed
                    bytes[index] = byte
                    Self.hold(bytes, to: way)
                }
            }
        }
    }

    @Test(
        "A randomly corrupted document is accepted or rejected according to the grammar",
        arguments: ways,
        [1, 2, 3, 4] as [UInt64]
    )
    func mutate(way: Way, seed: UInt64) {
        var mutations = Mutations(of: Self.seeds, seed: seed)
        for _ in 0..<1000 { Self.hold(mutations.next(), to: way) }
    }

    @Test("The random mutations yield both valid and invalid documents")
    func proportion() {
        var mutations = Mutations(of: Self.seeds, seed: 1)
        let verdicts = (0..<1000).map { _ in Self.isDocument(Data(mutations.next())) }
        #expect(verdicts.count { $0 == true } > 100)
        #expect(verdicts.count { $0 == false } > 400)
    }
}
