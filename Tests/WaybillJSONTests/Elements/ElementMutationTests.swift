import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Elements of corrupted documents")
struct ElementMutationTests {
    static let document = Array(
        """
        {"meta": {"total": 3, "next": null, "né\\u00e9": [0.5, -1e9]},
         "data": {"items": [{"id": 1, "name": "Möbel \\"x\\" 漢\\ud83d\\ude00", "price": 9.99},
        \t{"id": 20, "tags": ["a", "b\\n"], "ok": true}, {"id": 300, "none": null, "no": false}], "more": [[], {}]},
         "after": ["end", 0, -0.0, 12345678901234567890]}
        """.utf8
    )
    static let replacements =
        Array("{}[]:,\"\\/bfnrtu0123456789eE+-. \n\rxtruefalsn\u{0}\u{1F}".utf8) + [
            0x80, 0xBF, 0xC0, 0xC3, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0xFF,
        ]

    @Test(
        "A document with replaced, removed or inserted bytes fails in chunks exactly if it fails as a whole",
        arguments: 0..<4 as Range<UInt64>
    )
    func mutations(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let decoder = WaybillJSONDecoder()
        var places = 0
        for _ in 0..<Thoroughness.repetitions(100, otherwise: 20) {
            var bytes = Self.document
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let byte = try #require(Self.replacements.randomElement(using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(byte, at: place)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...30, using: &random)))
                default: bytes[place] = byte
                }
            }
            let whole = decoder.whole(AnyJSON.self, bytes, at: ["data", "items"])
            let isJSON = JSONText(Data(bytes)).syntaxError() == nil
            let text = String(decoding: bytes, as: UTF8.self)
            for size in [1, 3, Int.random(in: 1...bytes.count, using: &random), .max] {
                let read = ElementReading(decoder.elements(AnyJSON.self, at: "data", "items"), bytes, by: size)
                #expect((read.error == nil) == (whole.elements != nil), "\(text)")
                if let elements = whole.elements { #expect(read.elements == elements) }
                guard let expected = whole.diagnosis else { continue }
                guard !isJSON else { continue }
                // A path without a value is reported before a syntax error after it.
                guard read.error.map({ "\($0)".contains("not valid") }) == true else { continue }
                places += 1
                #expect(read.place == "\(expected.line ?? 0):\(expected.column ?? 0)", "\(text)")
                if size == .max { #expect(read.diagnosis?.summary == expected.summary) }
            }
            let validator = ValidatorReading(bytes, by: Int.random(in: 1...9, using: &random))
            #expect((validator.rejection == nil) == isJSON, "\(text)")
        }
        #expect(places > Thoroughness.repetitions(100, otherwise: 20))
    }

    @Test("The error for a corrupted document does not depend on the chunk size", arguments: 0..<4 as Range<UInt64>)
    func messages(seed: UInt64) throws {
        var random = SplitMix64(seed: 100 + seed)
        for _ in 0..<Thoroughness.repetitions(50, otherwise: 10) {
            var bytes = Self.document
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] = try #require(Self.replacements.randomElement(using: &random))
            let reader = WaybillJSONDecoder().elements(AnyJSON.self, at: "data", "items")
            let expected = ElementReading(reader, bytes, by: .max)
            for size in [1, 2, 5, 17, 100] {
                let read = ElementReading(reader, bytes, by: size)
                #expect(read.place == expected.place)
                #expect(read.diagnosis?.path == expected.diagnosis?.path)
                #expect(read.elements == expected.elements)
            }
        }
    }
}

/// The result of validating a document in chunks of a given size.
struct ValidatorReading {
    var rejection: JSONValidator.Rejection?

    init(_ bytes: [UInt8], by size: Int) {
        var validator = JSONValidator(maximumDepth: 512, longestKey: 8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let chunk = Array(bytes[start..<min(start + size, bytes.count)])
            var index = 0
            reading: while true {
                switch chunk.withUnsafeBufferPointer({ validator.read($0, from: &index) }) {
                case .needsBytes: break reading
                case .rejected(let rejection):
                    self.rejection = rejection
                    return
                default: break
                }
            }
        }
        rejection = validator.finish()
    }
}
