import Foundation
import Testing

@Suite("Decoding of optionals, compared with Foundation")
struct OptionalProbes {
    struct Holder<Value: Decodable>: Decodable {
        let v: Value
    }

    struct OptionalHolder<Value: Decodable>: Decodable {
        let v: Value?
    }

    static let documents = [
        "{}", #"{"v":null}"#, #"{"v":1}"#, #"{"v":"x"}"#, #"{"v":[]}"#, #"{"v":[null]}"#, #"{"v":[1]}"#, #"{"v":{}}"#,
        #"{"w":1}"#, #"{"v":true}"#, #"{"v":1.5}"#, "[]", "null",
    ]

    static let properties: [Probe] =
        Probe.each(documents, as: Holder<Int>.self, at: "v") + Probe.each(documents, as: Holder<Int?>.self, at: "v")
        + Probe.each(documents, as: Holder<Int??>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<Int>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<Int?>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<String>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<[Int]>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<[Int?]>.self, at: "v")
        + Probe.each(documents, as: Holder<[Int?]?>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<[String: Int]>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<Bool>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<Double>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<URL>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<Date>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<Data>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<Decimal>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<UUID>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<UInt8>.self, at: "v")
        + Probe.each(documents, as: OptionalHolder<Holder<Int>>.self, at: "v")

    static let arrays: [Probe] =
        Probe.each(["[]", "[null]", "[1,null,2]", #"[null,"x"]"#, "[[]]", "[null,null]"], as: [Int?].self)
        + Probe.each(["[null,1]"], as: [Int??].self)
        + Probe.each(["[[1,null],null,[]]", "[[1],2]", #"[[],[[]]]"#], as: [[Int?]?].self)
        + Probe.each(["[[[1,2],[3]],[[]],[]]", "[[[1],[null]]]", #"[[[1],[2,"x"]]]"#, "[[1]]"], as: [[[Int]]].self)
        + Probe.each([#"[{"v":1},{"v":null},null,{}]"#, #"[{"v":[]}]"#], as: [OptionalHolder<Int>?].self)
        + Probe.each(["[1,2]", "[1]", "[1,2,3]", "[2,1]", "[null,1]", "{}", #"{"lowerBound":1}"#], as: Range<Int>.self)
        + Probe.each(["[1,2]", "[2,1]"], as: ClosedRange<Int>.self)
        + Probe.each(["[1]", "[]"], as: PartialRangeFrom<Int>.self)

    static let topLevel: [Probe] =
        Probe.each(["null", "1", #""x""#, "[]"], as: Int?.self) + Probe.each(["null", "1"], as: Int??.self)
        + Probe.each(["null", "[null]"], as: [Int]?.self) + Probe.each(["null", "{}"], as: Holder<Int>?.self)

    static let keys = #"{"null":null,"one":1,"text":"x","array":[],"object":{}}"#

    /// Calls every method of a keyed container for a value that may be missing.
    static let asked: [Probe] = ["null", "one", "text", "array", "object", "missing"].flatMap { name in
        let key = AnyKey(stringValue: name)
        return [
            Probe("keyed: contains and decodeNil of \(name)", keys) { decoder, log in
                let container = try decoder.container(keyedBy: AnyKey.self)
                log.note(container.contains(key))
                log.attempt { try container.decodeNil(forKey: key) }
            },
            Probe("keyed: decode of \(name)", keys) { decoder, log in
                let container = try decoder.container(keyedBy: AnyKey.self)
                log.attempt { try container.decode(Int.self, forKey: key) }
                log.attempt { try container.decode(Int?.self, forKey: key) }
                log.attempt { try container.decode(Int??.self, forKey: key) }
                log.attempt { try container.decode(Bool.self, forKey: key) }
                log.attempt { try container.decode([Int].self, forKey: key) }
                log.attempt { try container.decode([Int]?.self, forKey: key) }
            },
            Probe("keyed: decodeIfPresent of \(name)", keys) { decoder, log in
                let container = try decoder.container(keyedBy: AnyKey.self)
                log.attempt { try container.decodeIfPresent(Int.self, forKey: key) }
                log.attempt { try container.decodeIfPresent(UInt8.self, forKey: key) }
                log.attempt { try container.decodeIfPresent(Double.self, forKey: key) }
                log.attempt { try container.decodeIfPresent(String.self, forKey: key) }
                log.attempt { try container.decodeIfPresent(Bool.self, forKey: key) }
                log.attempt { try container.decodeIfPresent(Int?.self, forKey: key) }
                log.attempt { try container.decodeIfPresent([Int].self, forKey: key) }
                log.attempt { try container.decodeIfPresent([String: Int].self, forKey: key) }
            },
        ]
    }

    @Test("Decoding optional properties matches Foundation's decoder", arguments: properties)
    func readProperties(probe: Probe) { probe.check() }

    @Test("Decoding optional elements, ranges and nested arrays matches Foundation's decoder", arguments: arrays)
    func readArrays(probe: Probe) { probe.check() }

    @Test("Decoding optional documents matches Foundation's decoder", arguments: topLevel)
    func readTopLevel(probe: Probe) { probe.check() }

    @Test("Decoding present, null and missing keys matches Foundation's decoder", arguments: asked)
    func ask(probe: Probe) { probe.check() }
}
