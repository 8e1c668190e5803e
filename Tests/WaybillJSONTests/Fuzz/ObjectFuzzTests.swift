import Foundation
import TestSupport
import Testing

/// Objects of the same type whose keys are in any order, missing, repeated, escaped, or with values of other types.
@Suite("Objects of many shapes")
struct ObjectFuzzTests {
    struct Item: Decodable {
        let id: Int
        let firstName: String
        let isActive: Bool?
        let score: Double?
        let tags: [String]?
        let child: Leaf?
        let URL: String?
        let é: Int?
        let veryLongKeyThatGoesPastSixteenBytes: Int?
        let a: Int?
        let aB: Int?
        let empty: String?

        enum CodingKeys: String, CodingKey {
            case id, firstName, isActive, score, tags, child, URL, é, veryLongKeyThatGoesPastSixteenBytes, a, aB
            case empty = ""
        }
    }

    struct Leaf: Decodable {
        let id: Int?
        let aB: String?
    }

    /// A type that decodes its keys in an order unrelated to the document's, some of them twice.
    struct Shuffled: Decodable {
        let lines: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Item.CodingKeys.self)
            var log = Script.Log()
            for key in [.score, .id, .aB, .id, .empty, .tags, .a, .firstName, .child, .score] as [Item.CodingKeys] {
                log.note(container.contains(key))
                log.attempt { try container.decodeIfPresent(Int.self, forKey: key) }
                log.attempt { try container.decode(String.self, forKey: key) }
            }
            log.note(container.allKeys.map(\.stringValue).sorted())
            lines = log.lines
        }
    }

    static let keys = [
        "id", "firstName", "first_name", "isActive", "is_active", "score", "tags", "child", "URL", "é", "e\u{301}",
        "veryLongKeyThatGoesPastSixteenBytes", "very_long_key_that_goes_past_sixteen_bytes", "a", "aB", "a_b", "a_B",
        "", "x",
        "unknownKey", "i", "ids", "iD", #"\u0069d"#, #"a\u0042"#, #"\u00e9"#, #"scor\u0065"#,
    ]

    static let values = [
        "1", "2", "-3", "40", "true", "false", "null", #""a""#, #""é\n""#, "[]", #"["t","u"]"#, "{}", #"{"id":7}"#,
        #"{"a_b":"x","id":1,"id":2}"#, #"{"id":"x"}"#,
    ]

    static let likely = [
        "id": "1", "firstName": #""n""#, "first_name": #""m""#, "isActive": "true", "is_active": "false", "score": "15",
        "tags": #"["t"]"#, "child": #"{"id":7,"aB":"y"}"#, "URL": #""u""#,
    ]

    static func document(_ random: inout SplitMix64) -> String {
        var members: [String] = []
        // Required keys are usually present, so that not every document fails.
        for (key, value) in likely where Int.random(in: 0..<12, using: &random) > 0 {
            members.append("\"\(key)\":\(value)")
        }
        members.sort()
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            guard let key = keys.randomElement(using: &random), let value = values.randomElement(using: &random) else {
                break
            }
            members.append("\"\(key)\":\(value)")
        }
        if Bool.random(using: &random) { members.shuffle(using: &random) }
        return "{" + members.joined(separator: ",") + "}"
    }

    static let strategies: [(String, DecoderSettings)] = [
        ("default keys", DecoderSettings()),
        ("snake case", DecoderSettings(keys: .convertFromSnakeCase)),
        (
            "one custom strategy",
            DecoderSettings(keys: .custom { AnyKey(stringValue: String(($0.last?.stringValue ?? "").reversed())) })
        ),
        (
            "another custom strategy",
            DecoderSettings(
                keys: .custom { AnyKey(stringValue: $0.last?.stringValue == "x" ? "id" : $0.last?.stringValue ?? "") }
            )
        ),
    ]

    @Test(
        "Decoding objects of many shapes matches Foundation's decoder",
        arguments: [1, 2, 3] as [UInt64]
    )
    func agree(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<Thoroughness.repetitions(300, otherwise: 60) {
            let documents = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.document(&random) }
            let json = "[" + documents.joined(separator: ",") + "]"
            let (name, settings) = Self.strategies[round % Self.strategies.count]
            for probe in [
                Probe("\(json), \(name)", json, as: [Item].self, settings),
                Probe("\(json), shuffled, \(name)", json, as: [Shuffled].self, settings),
            ] {
                #expect(probe.outcome(.waybill) == probe.outcome(.foundation), "\(probe.name)")
            }
        }
    }

    @Test("Decoding more object shapes than a table can hold matches Foundation's decoder")
    func manyShapes() throws {
        var random = SplitMix64(seed: 9)
        for _ in 0..<Thoroughness.repetitions(40, otherwise: 8) {
            let objects = (0..<150).map { _ in
                let names = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                    "k\(Int.random(in: 0...9999, using: &random))"
                }
                return "{" + (names + ["id"]).shuffled(using: &random).map { "\"\($0)\":1" }.joined(separator: ",")
                    + "}"
            }
            let probe = Probe("", "[" + objects.joined(separator: ",") + "]", as: [[String: Int]].self)
            #expect(probe.outcome(.waybill) == probe.outcome(.foundation))
            let typed = Probe("", "[" + objects.joined(separator: ",") + "]", as: [Leaf].self)
            #expect(typed.outcome(.waybill) == typed.outcome(.foundation))
        }
    }
}
