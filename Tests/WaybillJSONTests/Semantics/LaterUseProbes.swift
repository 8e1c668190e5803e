import Foundation
import Testing
import WaybillJSON

@Suite("Kept, nested and concurrent uses of decoders, compared with Foundation")
struct LaterUseProbes {
    /// Decoders and containers that outlive the call that created them.
    struct Kept: Decodable {
        let decoder: any Decoder
        let keyed: KeyedDecodingContainer<AnyKey>
        let unkeyed: any UnkeyedDecodingContainer
        let single: any SingleValueDecodingContainer
        let sup: any Decoder
        let element: any Decoder

        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            keyed = try decoder.container(keyedBy: AnyKey.self)
            var array = try keyed.nestedUnkeyedContainer(forKey: "array")
            _ = try array.decode(Int.self)
            unkeyed = array
            single = try decoder.singleValueContainer()
            sup = try keyed.superDecoder()
            element = try array.superDecoder()
        }
    }

    static let document =
        #"{"text":"é\n\u0061","array":[1,{"a":1},[2,3],"x"],"super":{"a":[1]},"n":256,"o":{"b":null}}"#

    /// Uses the kept decoders and containers after the document's bytes are overwritten and freed.
    static func useLater(_ side: DecoderSide) throws -> [String] {
        var log = Script.Log()
        let kept: Kept = try {
            var bytes = Data(document.utf8)
            let kept = try side.decode(Kept.self, from: bytes)
            for index in bytes.indices { bytes[index] = UInt8(ascii: "!") }
            return kept
        }()
        log.attempt { try kept.keyed.decode(String.self, forKey: "text") }
        log.attempt { try kept.keyed.decode(UInt8.self, forKey: "text") }
        log.attempt { try kept.keyed.decode(Int.self, forKey: "missing") }
        log.note(kept.keyed.allKeys.map(\.stringValue).sorted())
        log.attempt { try kept.keyed.nestedContainer(keyedBy: AnyKey.self, forKey: "o").decodeNil(forKey: "b") }
        var array = kept.unkeyed
        log.note(array.currentIndex)
        log.attempt { try array.decode(EnumProbes.A.self) }
        log.attempt { try array.decode([Int].self) }
        log.attempt { try array.decode(Int.self) }
        log.attempt { try array.decode(String.self) }
        log.note(array.isAtEnd)
        log.attempt { try kept.single.decode([String: EnumProbes.Union].self) }
        log.attempt { try kept.sup.container(keyedBy: AnyKey.self).decode([Int].self, forKey: "a") }
        log.attempt { try EnumProbes.A(from: kept.element) }
        log.attempt { try EnumProbes.Union(from: kept.decoder) }
        log.note(kept.decoder.codingPath)
        log.note(kept.element.codingPath)
        return log.lines
    }

    @Test("Using a decoder and its containers after decoding matches Foundation's decoder")
    func useAfterwards() throws {
        #expect(try Self.useLater(.waybill) == Self.useLater(.foundation))
    }

    /// There is no comparison because Foundation's decoder reads freed memory here.
    @Test("A decoder kept after decoding has failed remains usable")
    func useAfterFailure() throws {
        let box = Box()
        #expect(throws: Failed.self) {
            var settings = DecoderSettings()
            let keep: Script.Body = { decoder, _ in
                box.decoder = decoder
                throw Failed()
            }
            if let key = Script.key { settings.userInfo[key] = keep }
            _ = try DecoderSide.waybill.decode([Script].self, from: Data(#"[{"a":[1,"x"]}]"#.utf8), settings)
        }
        let decoder = try #require(box.decoder)
        box.decoder = nil
        #expect(Outcome.words(for: decoder.codingPath) == "Index 0#0")
        #expect(
            Outcome { try EnumProbes.Union(from: decoder) }
                == .value(#"Union(object: ["a": Union(list: [Union(int: 1), Union(text: "x")])])"#)
        )
        #expect(
            Outcome { try [String: [Int]](from: decoder) }
                == .failure("typeMismatch Int at <Index 0#0 > a > Index 1#1>")
        )
    }

    struct Failed: Error {}

    /// A box used by only one thread.
    final class Box: @unchecked Sendable {
        var decoder: (any Decoder)?
    }

    static let reentrant: [Probe] = [
        Probe("a decode inside of a decode", #"{"json":"{\"a\":[1,2]}","b":[3]}"#) { decoder, log in
            let container = try decoder.container(keyedBy: AnyKey.self)
            let inner = Data(try container.decode(String.self, forKey: "json").utf8)
            for side in [DecoderSide.foundation, .waybill] {
                log.attempt { try side.decode([String: [Int]].self, from: inner) }
                log.attempt { try side.decode([String: [Bool]].self, from: inner) }
            }
            log.attempt { try container.decode([Int].self, forKey: "b") }
        },
        Probe("an error of one's own", "[1]") { _, _ in throw Failed() },
        Probe("an error of one's own, deep", #"{"a":[{"b":[1]}]}"#, as: [String: [[String: [Failing]]]].self),
        Probe(
            "a decoding error of one's own keeps its path",
            #"{"a":[{"b":[1]}]}"#,
            as: [String: [[String: [Own]]]].self
        ),
        Probe("an error of one's own by try?", "[[1],[2]]") { decoder, log in
            var container = try decoder.unkeyedContainer()
            log.note((try? container.decode([Failing].self)) == nil)
            log.note(container.currentIndex)
            log.attempt { try container.decode([Int].self) }
        },
    ]

    struct Failing: Decodable {
        init(from decoder: any Decoder) throws { throw Failed() }
    }

    struct Own: Decodable {
        init(from decoder: any Decoder) throws {
            throw DecodingError.keyNotFound(
                AnyKey(stringValue: "own"),
                .init(codingPath: [AnyKey(stringValue: "elsewhere")], debugDescription: "")
            )
        }
    }

    @Test("Nested decoding and custom errors match Foundation's decoder", arguments: reentrant)
    func reenter(probe: Probe) { probe.check() }

    @Test("One decoder can be used on many threads at once")
    func manyThreads() throws {
        let decoder = WaybillJSONDecoder(DecoderSettings(keys: .convertFromSnakeCase))
        let documents = (0..<64).map { Data(#"{"some_key":[\#($0),{"other_key":"\#($0)"}]}"#.utf8) }
        let expected = try documents.map { try decoder.decode(AnyJSON.self, from: $0) }
        let results = Results(count: documents.count)
        DispatchQueue.concurrentPerform(iterations: documents.count) { index in
            results.set(index, try? decoder.decode(AnyJSON.self, from: documents[index]))
        }
        #expect(results.all == expected)
    }

    /// Results guarded by a lock.
    private final class Results: @unchecked Sendable {
        private let lock = NSLock()
        private var values: [AnyJSON?]

        init(count: Int) { values = Array(repeating: nil, count: count) }

        var all: [AnyJSON?] { lock.withLock { values } }

        func set(_ index: Int, _ value: AnyJSON?) { lock.withLock { values[index] = value } }
    }
}
