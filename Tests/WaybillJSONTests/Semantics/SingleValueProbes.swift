import Foundation
import Testing

@Suite("Single value containers, coding paths and user info, compared with Foundation")
struct SingleValueProbes {
    static let values = ["null", "true", "1", "1.5", #""x""#, "[]", "[1]", "{}", #"{"a":1}"#]

    static let containers: [Probe] = values.map { json in
        Probe("a single value: \(json)", json) { decoder, log in
            let container = try decoder.singleValueContainer()
            log.note(container.decodeNil())
            log.note(container.codingPath)
            log.attempt { try container.decode(Bool.self) }
            log.attempt { try container.decode(Int.self) }
            log.attempt { try container.decode(Int?.self) }
            log.attempt { try container.decode(Double.self) }
            log.attempt { try container.decode(String.self) }
            log.attempt { try container.decode([Int].self) }
            log.attempt { try container.decode([String: Int].self) }
            log.attempt { try container.decode([String: Int]?.self) }
            log.attempt { try container.decode(OptionalProbes.Holder<Int>.self) }
            log.attempt { try Int(from: decoder) }
            log.attempt { try Int?(from: decoder) }
            log.attempt { try [Int](from: decoder) }
            log.attempt { try Date(from: decoder) }
            log.attempt { try Data(from: decoder) }
            log.attempt { try URL(from: decoder) }
            log.attempt { try Decimal(from: decoder) }
            log.attempt { try container.decode(Date.self) }
            log.attempt { try container.decode(Data.self) }
            log.attempt { try container.decode(URL.self) }
            log.attempt { try container.decode(Decimal.self) }
            log.note(container.decodeNil())
        }
    }

    /// A box that decodes its value with a single value container, at every level.
    struct Box<Value: Decodable>: Decodable {
        let value: Value
        let path: String

        init(from decoder: any Decoder) throws {
            path = Outcome.words(for: decoder.codingPath)
            value = try decoder.singleValueContainer().decode(Value.self)
        }
    }

    struct Node: Decodable {
        let path: String
        let containerPath: String
        let children: [Node]
        let info: String

        enum CodingKeys: String, CodingKey { case children }

        init(from decoder: any Decoder) throws {
            path = Outcome.words(for: decoder.codingPath)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            containerPath = Outcome.words(for: container.codingPath)
            children = try container.decodeIfPresent([Node].self, forKey: .children) ?? []
            info = CodingUserInfoKey(rawValue: "info").map { "\(decoder.userInfo[$0] ?? "none")" } ?? ""
        }
    }

    static let info = DecoderSettings(
        userInfo: CodingUserInfoKey(rawValue: "info").map { [$0: "here" as any Sendable] } ?? [:]
    )

    static let paths: [Probe] =
        Probe.each(["1", #""x""#], as: Box<Box<Box<Int>>>.self)
        + Probe.each([#"{"a":[1,2]}"#, #"{"a":[1,"x"]}"#], as: [String: [Box<Int>]].self)
        + Probe.each([#"{"a":[[1]]}"#, #"{"a":[["x"]]}"#, #"{"a":[null]}"#], as: Box<[String: Box<[Box<[Int]>]>]>.self)
        + Probe.each(
            [
                "{}", #"{"children":[{},{"children":[{},{}]},{"children":null}]}"#,
                #"{"children":[{"children":[{"children":1}]}]}"#, #"{"children":[{"children":[{"children":[1]}]}]}"#,
                #"{"children":[{},null]}"#,
            ],
            as: Node.self,
            "with user info",
            info
        )
        + Probe.each([#"{"a":{"b":[{"children":[{}]}]}}"#], as: [String: [String: [Node]]].self, "with user info", info)
        + [
            Probe("paths of keys with integer values", #"{"1":{"2":[{"3":"x"}]}}"#) { decoder, log in
                let outer = try decoder.container(keyedBy: AnyKey.self)
                let inner = try outer.nestedContainer(keyedBy: AnyKey.self, forKey: 1)
                log.note(inner.codingPath)
                var array = try inner.nestedUnkeyedContainer(forKey: 2)
                log.note(array.codingPath)
                let last = try array.nestedContainer(keyedBy: AnyKey.self)
                log.note(last.codingPath)
                log.attempt { try last.decode(Int.self, forKey: 3) }
                log.attempt { try outer.decode([Int: [[Int: Int]]].self, forKey: 1) }
                log.attempt { try outer.decode([Int: [[Int: Int]]].self, forKey: "1") }
            },
            Probe("user info in nested and super decoders", #"{"a":[{"super":1}]}"#, info) { decoder, log in
                guard let key = CodingUserInfoKey(rawValue: "info") else { return }
                log.note(decoder.userInfo[key] ?? "none")
                let container = try decoder.container(keyedBy: AnyKey.self)
                let sup = try container.superDecoder(forKey: "a")
                log.note(sup.userInfo[key] ?? "none")
                var array = try sup.unkeyedContainer()
                let element = try array.superDecoder()
                log.note(element.userInfo[key] ?? "none")
                log.note(element.codingPath)
                let last = try element.container(keyedBy: AnyKey.self).superDecoder()
                log.note(last.codingPath)
                log.note(last.userInfo[key] ?? "none")
                log.note(try Int(from: last))
            },
            Probe("the paths of arrays whose element fails", #"[[{"a":[0,{"b":[true,"x"]}]}]]"#) { decoder, log in
                log.attempt { try [[[String: [EnumProbes.AOrB]]]](from: decoder) }
                log.attempt { try [[[String: [[String: [Bool]]]]]](from: decoder) }
            },
        ]

    @Test("Single value containers match those of Foundation's decoder", arguments: containers)
    func readSingleValues(probe: Probe) { probe.check() }

    @Test("Coding paths and user info match those of Foundation's decoder", arguments: paths)
    func readPaths(probe: Probe) { probe.check() }
}
