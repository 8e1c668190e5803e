import Foundation
import Testing

@Suite("Decoding of dictionaries and sets, compared with Foundation")
struct DictionaryProbes {
    enum Colour: String, Decodable, CodingKeyRepresentable {
        case red
        case green
    }

    enum Level: Int, Decodable, CodingKeyRepresentable {
        case low = 1
        case high = 10
    }

    /// A raw value without `CodingKeyRepresentable`: its dictionary is an array of alternating keys and values.
    enum Plain: String, Decodable {
        case red
    }

    struct Tag: Decodable, Hashable, CodingKeyRepresentable {
        let name: String
        init(name: String) { self.name = name }
        init?<T: CodingKey>(codingKey: T) {
            guard codingKey.stringValue.hasPrefix("#") else { return nil }
            name = codingKey.stringValue
        }
        var codingKey: any CodingKey { AnyKey(stringValue: name) }
    }

    static let objects = [
        "{}", #"{"a":1}"#, #"{"a":1,"b":2,"c":3}"#, #"{"a":null}"#, #"{"a":"x"}"#, #"{"a":1,"b":"x"}"#, #"{"":1}"#,
        #"{"a":1,"a":2}"#, #"{"a":1,"a":"x"}"#, #"{"\u0061":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"é":1,"\u00e9":2}"#,
        "{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"e\u{301}\":1,\"\u{E9}\":2}", #"{"a":1,"A":2}"#, #"{"a\u0000":1,"a":2}"#,
        #"{"ﬁ":1,"fi":2}"#, #"{"Å":1,"Å":2}"#, #"{"a":{}}"#, "[]", #"["a",1]"#, "null", "1", #""a""#, #"{"1":1}"#,
        #"{"a":1.0}"#, #"{"a":true}"#,
    ]

    static let strings: [Probe] =
        Probe.each(objects, as: [String: Int].self) + Probe.each(objects, as: [String: Int?].self)
        + Probe.each(objects, as: [String: Int]?.self)
        + Probe.each(
            [#"{"a":[1,2],"b":[]}"#, #"{"a":[1,"x"]}"#, #"{"a":null}"#, #"{"a":[null]}"#, #"{"a":1}"#],
            as: [String: [Int]].self
        )
        + Probe.each(
            [#"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":{"c":null}}}"#, #"{"a":{"b":{"c":"x"}}}"#, #"{"a":{"b":1}}"#],
            as: [String: [String: [String: Int]]].self
        )

    static let integers: [Probe] =
        Probe.each(
            [
                "{}", #"{"1":1}"#, #"{"1":1,"-2":2}"#, #"{"01":1}"#, #"{"+1":1}"#, #"{"a":1}"#,
                #"{"1":1,"a":2}"#, #"{"1.0":1}"#, #"{" 1":1}"#, #"{"":1}"#, #"{"9223372036854775808":1}"#,
                #"{"1":null}"#,
                #"{"1":"x"}"#, "[]", "[1,2]", #"{"\u0031":1}"#, #"{"1":1,"1":2}"#, #"{"1e0":1}"#, #"{"١":1}"#, "null",
            ],
            as: [Int: Int].self
        ) + Probe.each([#"{"1":null,"2":3}"#, "[1,null,2,3]"], as: [Int: Int?].self)
        + Probe.each([#"{"1":1}"#, "[1,2]", "[1,2,3]", "[]"], as: [Int8: Int].self)
        + Probe.each([#"{"1":1}"#, "[1.5,2]", "[1,2]"], as: [Double: Int].self)

    static let others: [Probe] =
        Probe.each(
            [
                "[]", #"["E621E1F8-C36C-495A-93FC-0C247A3E6E5F",1]"#, #"["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]"#,
                #"["x",1]"#, #"["E621E1F8-C36C-495A-93FC-0C247A3E6E5F","x"]"#, "{}", "[null,1]",
                #"{"E621E1F8-C36C-495A-93FC-0C247A3E6E5F":1}"#,
            ],
            as: [UUID: Int].self
        )
        + Probe.each(
            [
                "{}", #"{"red":1}"#, #"{"red":1,"green":2}"#, #"{"red":1,"blue":2}"#, #"{"red":"x"}"#, "[]",
                #"["red",1]"#,
            ],
            as: [Colour: Int].self
        )
        + Probe.each(
            ["{}", #"{"1":1}"#, #"{"1":1,"10":2}"#, #"{"2":1}"#, #"{"low":1}"#, "[1,1]", #"{"01":1}"#],
            as: [Level: Int].self
        )
        + Probe.each(
            ["[]", #"["red",1]"#, #"{"red":1}"#, #"["blue",1]"#, #"["red",1,"red",2]"#],
            as: [Plain: Int].self
        )
        + Probe.each([##"{"#a":1}"##, #"{"a":1}"#, ##"{"#a":1,"a":2}"##], as: [Tag: Int].self)
        + Probe.each([#"{"red":null}"#], as: [Colour: Int?].self)
        + Probe.each([#"[{"k":1},2]"#, "[]", #"[{"k":1}]"#], as: [[String: Int]: Int].self)

    static let sets: [Probe] =
        Probe.each(["[]", "[1]", "[1,2,1]", "[1,null]", #"[1,"x"]"#, "{}", "null", "1"], as: Set<Int>.self)
        + Probe.each(["[1,null,null]"], as: Set<Int?>.self)
        + Probe.each([#"["a","\u0061","é","e\#u{301}"]"#], as: Set<String>.self)
        + Probe.each(["[[1,2],[2,1],[]]", #"[["x"]]"#], as: Set<Set<Int>>.self)

    @Test("Decoding dictionaries with string keys matches Foundation's decoder", arguments: strings)
    func readStrings(probe: Probe) { probe.check() }

    @Test("Decoding dictionaries with number keys matches Foundation's decoder", arguments: integers)
    func readIntegers(probe: Probe) { probe.check() }

    @Test("Decoding dictionaries with other keys matches Foundation's decoder", arguments: others)
    func readOthers(probe: Probe) { probe.check() }

    @Test("Decoding sets matches Foundation's decoder", arguments: sets)
    func readSets(probe: Probe) { probe.check() }
}
