import Foundation
import Testing

@Suite("Key strategies, compared with Foundation")
struct KeyStrategyProbes {
    static let spellings = [
        "a", "aB", "a_b", "a_b_c", "_a", "__a", "___a_b", "a_", "a__", "_a_", "__a_b__", "a__b", "a___b__c", "_", "__",
        "___", "", "A", "AB", "A_B", "URL", "base_URL", "base_url", "BASE_URL", "a_B", "aB_c", "aBC_dE", "a_1", "a1_b",
        "1_a", "a_é", "é_a", "a_ß", "ß_a", "a_ı", "a_İ", "straße_weg", "a-b", "a b_c", "a.b_c", "_A_b", "a_😀",
        "ab_cd_ef",
        "x_ǆ", "a_ﬁx", "id_", "_id", "AbC_DeF", "a_b_", "_a__b_", "\u{65}\u{301}_\u{65}\u{301}",
    ]

    static let snake = DecoderSettings(keys: .convertFromSnakeCase)

    /// Converts keys in every spelling.
    static let converted: [Probe] = spellings.map { spelling in
        Probe("the snake case key '\(spelling)'", #"{"\#(spelling)":1}"#, snake) { decoder, log in
            let container = try decoder.container(keyedBy: AnyKey.self)
            for key in container.allKeys { log.note([key]) }
            log.note(container.contains(AnyKey(stringValue: spelling)))
        }
    }

    struct Person: Decodable {
        let firstName: String
        let homeURL: String?
        let _id: Int?
        let tags: [String: Int]?
    }

    static let types: [Probe] =
        Probe.each(
            [
                #"{"first_name":"a"}"#, #"{"firstName":"a"}"#, #"{"first_name":"a","firstName":"b"}"#,
                #"{"firstName":"a","first_name":"b"}"#, #"{"first_name":"a","home_URL":"b"}"#,
                #"{"first_name":"a","home_url":"b"}"#, #"{"first_name":"a","_id":1}"#, #"{"first__name":"a"}"#,
                #"{"first_name":1}"#, #"{"first_name":null}"#, "{}", #"{"FIRST_NAME":"a"}"#, #"{"first_Name":"a"}"#,
                #"{"first_name":"a","tags":{"some_tag":1,"other_tag":2}}"#, #"{"first\u005fname":"a"}"#,
                #"{"first_name":"a","tags":{"some_tag":"x"}}"#,
            ],
            as: Person.self,
            "snake case",
            snake
        )
        + Probe.each(
            [
                #"{"a_b":{"c_d":1}}"#, #"{"a_b":{"c_d":"x"}}"#, #"{"a_b":{"c_d":1,"cD":2},"aB":{}}"#,
                #"{"a_b":{"c_d":null}}"#,
            ],
            as: [String: [String: Int]].self,
            "snake case",
            snake
        )
        + Probe.each(
            [#"{"a":1,"a":2}"#, #"{"a":1,"a":"x"}"#, #"{"a":null,"a":2}"#, #"{"a":null,"a":"x"}"#],
            as: [String: Int?].self,
            "snake case",
            snake
        )
        + Probe.each([#"{"1":1,"2_3":2}"#, #"{"1":1}"#, #"{"1_":1}"#], as: [Int: Int].self, "snake case", snake)
        + Probe.each([#"{"home_page":1}"#, #"{"homePage":1}"#], as: [Page: Int].self, "snake case", snake)

    enum Page: String, Decodable, CodingKeyRepresentable {
        case homePage
        case home_page
    }

    static let custom: [Probe] =
        [
            Probe("a custom strategy that prefixes", #"{"a":1,"b":{"c":2}}"#, custom { "x" + $0.words }) {
                decoder,
                log in
                let container = try decoder.container(keyedBy: AnyKey.self)
                for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) { log.note([key]) }
                log.attempt { try container.decode(Int.self, forKey: "xa") }
                let nested = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "xb")
                log.note(nested.allKeys.map(\.stringValue))
                log.note(nested.codingPath)
                log.attempt { try nested.decode(Int.self, forKey: "c") }
            },
            Probe("a custom strategy in arrays", #"[{"a":1},[{"b":2}]]"#, custom(\.words)) { decoder, log in
                var container = try decoder.unkeyedContainer()
                let first = try container.nestedContainer(keyedBy: AnyKey.self)
                log.note(first.allKeys.map(\.stringValue))
                var inner = try container.nestedUnkeyedContainer()
                log.note(try inner.nestedContainer(keyedBy: AnyKey.self).allKeys.map(\.stringValue))
            },
            Probe("a custom strategy in types", #"{"a":{"b":[{"c":1}]}}"#, as: Words.self, custom(\.words)),
            Probe("a custom strategy that gives integers", #"{"a":1,"b":2}"#, custom { $0.count + 40 }) {
                decoder,
                log in
                let container = try decoder.container(keyedBy: AnyKey.self)
                log.note(container.allKeys.map { Outcome.words(for: [$0]) }.sorted())
                log.note(container.contains(41))
                log.attempt { try container.decode(Int.self, forKey: 41) }
            },
            Probe("a custom strategy that joins keys", #"{"a":1,"b":2,"c":3}"#, custom { _ in "same" }) {
                decoder,
                log in
                let container = try decoder.container(keyedBy: AnyKey.self)
                log.note(container.allKeys.count)
                log.note(container.contains("same"))
                log.attempt { try container.decode(String.self, forKey: "same") }
            },
            Probe("a custom strategy and a missing key", #"{"a":1}"#, custom { "x" + $0.words }) { decoder, log in
                let container = try decoder.container(keyedBy: AnyKey.self)
                log.attempt { try container.decode(Int.self, forKey: "a") }
                log.attempt { try container.decodeIfPresent(Int.self, forKey: "a") }
            },
        ]
        + Probe.each(
            [#"{"a":1}"#, #"{"a":"x"}"#, #"{"a":null}"#],
            as: [String: Int].self,
            "custom",
            custom { "x" + $0.words }
        )
        + Probe.each([#"{"a":1}"#, #"{"1":1}"#], as: [Int: Int].self, "custom", custom { "7" + $0.words })

    /// A type that decodes keys built from the path passed to a strategy.
    struct Words: Decodable {
        let found: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            found = try container.allKeys.flatMap { key in
                let elements = try container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                return try [key.stringValue]
                    + elements.allKeys.flatMap { inner in
                        [inner.stringValue]
                            + (try elements.decode([[String: Int]].self, forKey: inner)).flatMap(\.keys)
                    }
            }
        }
    }

    private static func custom(_ spell: @escaping @Sendable ([any CodingKey]) -> String) -> DecoderSettings {
        DecoderSettings(keys: .custom { AnyKey(stringValue: spell($0)) })
    }

    private static func custom(_ count: @escaping @Sendable ([any CodingKey]) -> Int) -> DecoderSettings {
        DecoderSettings(
            keys: .custom { path in
                AnyKey(intValue: count(path) + (path.last?.stringValue == "b" ? 10 : 0))
            }
        )
    }

    @Test("Conversion of keys from snake case matches Foundation's decoder", arguments: converted)
    func convert(probe: Probe) { probe.check() }

    @Test("Decoding types with snake case keys matches Foundation's decoder", arguments: types)
    func decodeTypes(probe: Probe) { probe.check() }

    @Test("Applying custom key strategies matches Foundation's decoder", arguments: custom)
    func convertByCustom(probe: Probe) { probe.check() }
}

extension [any CodingKey] {
    fileprivate var words: String { Outcome.words(for: self) }
}
