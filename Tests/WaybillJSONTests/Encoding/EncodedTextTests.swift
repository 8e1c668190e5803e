import Foundation
import TestSupport
import Testing
import WaybillJSON

@Suite("Text of encoded values")
struct EncodedTextTests {
    /// A value and the expected document.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let encode: @Sendable (WaybillJSONEncoder) throws -> String

        init<Value: Encodable & Sendable>(_ text: String, _ value: Value) {
            testDescription = text
            encode = { try $0.text(of: value) }
        }
    }

    static let scalars: [Row] = [
        Row("true", true), Row("false", false), Row("null", Int?.none), Row("7", Int?.some(7)),
        Row("0", 0), Row("-1", -1), Row("10", 10), Row("99", 99), Row("100", 100), Row("12345", 12345),
        Row("9223372036854775807", Int.max), Row("-9223372036854775808", Int.min),
        Row("18446744073709551615", UInt64.max), Row("-128", Int8.min), Row("255", UInt8.max),
        Row("-32768", Int16.min), Row("65535", UInt16.max), Row("-2147483648", Int32.min),
        Row("4294967295", UInt32.max),
        Row("0", 0.0), Row("-0", -0.0), Row("1", 1.0), Row("0.1", 0.1), Row("0.0001", 0.0001), Row("1e-05", 0.00001),
        Row("1.5e+20", 1.5e20), Row("9007199254740992", 0x1p53), Row("1.8014398509481984e+16", 0x1p54),
        Row("9.007199254740994e+15", 0x1p53.nextUp), Row("5e-324", Double.leastNonzeroMagnitude),
        Row("1.7976931348623157e+308", Double.greatestFiniteMagnitude),
        Row("3.4028235e+38", Float.greatestFiniteMagnitude),
        Row("0.1", Float(0.1)), Row("16777216", Float(0x1p24)), Row("1.2e+16", 1.2e16),
        Row("1e-45", Float.leastNonzeroMagnitude), Row("-2.2250738585072014e-308", -Double.leastNormalMagnitude),
        Row("29.9", Decimal(string: "29.9")), Row("-0.000001", Decimal(string: "-0.000001")),
        Row("12345678901234567890123456789012345678", Decimal(string: "12345678901234567890123456789012345678")),
        Row(#""""#, ""), Row(#""a""#, "a"), Row(#""seven b""#, "seven b"), Row(#""eight by""#, "eight by"),
        Row(#""fifteen bytes..""#, "fifteen bytes.."),
        Row(#""a text of more than sixteen bytes""#, "a text of more than sixteen bytes"),
        Row("\"é😀\u{2028}\"", "é😀\u{2028}"), Row(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        Row(#""\u0000\u0001\u000b\u001f\#u{7F}""#, "\0\u{1}\u{B}\u{1F}\u{7F}"),
        Row(
            #""a longer text with \"quotes\" in it, and \\ at the end\n""#,
            "a longer text with \"quotes\" in it, and \\ at the end\n"
        ),
        Row(#""https:\/\/example.com\/a?b=c""#, URL(string: "https://example.com/a?b=c")),
        Row(#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
        Row(#""AQID""#, Data([1, 2, 3])), Row("700000000.5", Date(timeIntervalSinceReferenceDate: 700_000_000.5)),
        Row("[]", [Int]()), Row("[1,2,3]", [1, 2, 3]), Row("[0.5,1,-0]", [0.5, 1, -0.0]),
        Row(#"["a","\/"]"#, ["a", "/"]),
        Row("[[],[[1]]]", [[], [[1]]] as [[[Int]]]), Row("[null,1]", [nil, 1] as [Int?]), Row("{}", [String: Int]()),
        Row("[true,false]", [true, false]), Row("[1,255]", [1, 255] as [UInt8]),
    ]

    @Test("A value is encoded as the expected text", arguments: scalars)
    func scalar(row: Row) throws {
        #expect(try row.encode(WaybillJSONEncoder()) == row.testDescription)
    }

    @Test("128-bit integers are encoded with all their digits")
    func wideIntegers() throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        #expect(try WaybillJSONEncoder().text(of: Int128.min) == "-170141183460469231731687303715884105728")
        #expect(
            try WaybillJSONEncoder().text(of: ["a": UInt128.max]) == #"{"a":340282366920938463463374607431768211455}"#
        )
    }

    @Test("Slashes are not escaped if the output formatting disables it")
    func slashes() throws {
        let encoder = WaybillJSONEncoder { $0.outputFormatting = .withoutEscapingSlashes }
        #expect(
            try encoder.text(of: ["a/b": "c/d, and a slash / beyond the first bytes"])
                == #"{"a/b":"c/d, and a slash / beyond the first bytes"}"#
        )
        #expect(try WaybillJSONEncoder().text(of: ["a/b": "/"]) == #"{"a\/b":"\/"}"#)
    }

    @Test("Characters are escaped at every index of strings of any length")
    func escapesAtAnyPlace() throws {
        for length in 0...40 {
            for place in 0..<max(1, length) {
                for byte in ["\"", "\\", "/", "\n", "\u{1F}", "\u{20}", "é"] {
                    var text = String(repeating: "x", count: length)
                    if length > 0 {
                        let index = text.index(text.startIndex, offsetBy: place)
                        text.replaceSubrange(index...index, with: byte)
                    }
                    #expect(try WaybillJSONEncoder().text(of: text) == JSONEncoder().text(of: text))
                }
            }
        }
    }

    @Test("Documents of any length can be encoded one after another on a thread")
    func lengths() throws {
        for length in [10, 32_765, 32_766, 40_000, 10, 600_000, 524_288, 3, 1_000_000, 1_000_000, 100] {
            let text = try WaybillJSONEncoder().text(of: [String(repeating: "x", count: length), "/"])
            #expect(text == "[\"\(String(repeating: "x", count: length))\",\"\\/\"]")
        }
        // Memory that the document takes over can be mutated like any other.
        var document = try WaybillJSONEncoder().encode(String(repeating: "y", count: 100_000))
        let copy = document
        document.append(contentsOf: "\n".utf8)
        #expect(document == copy + Data("\n".utf8))
        let slashes = String(repeating: "\u{1}/", count: 100_000)
        #expect(try WaybillJSONEncoder().text(of: slashes) == "\"\(String(repeating: #"\u0001\/"#, count: 100_000))\"")
    }

    struct Shop: Codable, Equatable {
        var name = "Lamp"
        var price = 29.9
        var isNew = true
        var tags = ["new", "a/b"]
        var note: String?
        var size = Size()
        var parts = [Size(), Size(width: 3, height: 4)]
        var stock: [String: Int] = ["b": 2, "a": 1, "é": 3, "c": 4]
        var kind = Kind.floor

        enum Kind: String, Codable { case floor, table }

        struct Size: Codable, Equatable {
            var width = 1
            var height = 2.5
        }
    }

    @Test("Members are encoded in declaration order, and those of a dictionary in key order")
    func order() throws {
        let text = try WaybillJSONEncoder().text(of: Shop())
        #expect(
            text == #"{"name":"Lamp","price":29.9,"isNew":true,"tags":["new","a\/b"],"size":{"width":1,"height":2.5},"#
                + #""parts":[{"width":1,"height":2.5},{"width":3,"height":4}],"stock":{"a":1,"b":2,"c":4,"é":3},"#
                + #""kind":"floor"}"#
        )
        #expect(try WaybillJSONDecoder().decode(Shop.self, from: Data(text.utf8)) == Shop())
    }

    @Test(
        "With sorted keys, with or without indentation, the text matches Foundation's byte for byte",
        arguments: [
            [.sortedKeys], [.sortedKeys, .prettyPrinted], [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes],
        ]
            as [WaybillJSONEncoder.OutputFormatting]
    )
    func foundationsBytes(formatting: WaybillJSONEncoder.OutputFormatting) throws {
        let encoder = WaybillJSONEncoder { $0.outputFormatting = formatting }
        let foundation = JSONEncoder()
        foundation.outputFormatting = JSONEncoder.OutputFormatting(rawValue: formatting.rawValue)
        #expect(try encoder.text(of: Shop()) == foundation.text(of: Shop()))
        let empty: [[[String: Int]]] = [[], [[:], ["a": 1]]]
        #expect(try encoder.text(of: empty) == foundation.text(of: empty))
        let keys = [
            "a/b": 1, "a0": 2, "A": 3, "é": 4, "z": 5, "\"": 6, "#": 7, "\n": 8, "": 9, "a": 10, "ab": 11, "😀": 12,
        ]
        #expect(try encoder.text(of: keys) == foundation.text(of: keys))
        #expect(try encoder.text(of: 7) == foundation.text(of: 7))
    }

    @Test("A few or many keys encoded in any order are sorted by their bytes", arguments: [5, 32, 33, 80])
    func sortedKeys(count: Int) throws {
        // Control characters are escaped in a document, but sorted by their unescaped bytes.
        let special = (0..<0x20).map { "k\(Unicode.Scalar(UInt8($0)))" } + ["k", "k\"", "k\\", "k/", "kö", "k😀"]
        let keys = (special + (0..<80).map { "key number \($0 % 7)\($0)" }).prefix(count + 6)
        var generator = SplitMix64(seed: UInt64(count))
        let value = ScriptedValue { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            for key in keys.shuffled(using: &generator) { try object.encode(key, forKey: AnyKey(stringValue: key)) }
        }
        let encoder = WaybillJSONEncoder { $0.outputFormatting = .sortedKeys }
        let sorted = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let members = try sorted.map { key in
            let text = try WaybillJSONEncoder().text(of: key)
            return "\(text):\(text)"
        }
        #expect(try encoder.text(of: value) == "{\(members.joined(separator: ","))}")
    }

    @Test("Without sorted keys, indented members are in encoding order")
    func prettyInOrder() throws {
        let encoder = WaybillJSONEncoder { $0.outputFormatting = .prettyPrinted }
        #expect(try encoder.text(of: Shop.Size()) == "{\n  \"width\" : 1,\n  \"height\" : 2.5\n}")
    }

    @Test("A dictionary with integer keys is encoded as an object, in the order of the keys' texts")
    func numberKeys() throws {
        #expect(try WaybillJSONEncoder().text(of: [2: "b", 1: "a", 10: "c"]) == #"{"1":"a","10":"c","2":"b"}"#)
        #expect(try WaybillJSONEncoder().text(of: [true: 1]) == "[true,1]")
    }

    enum Choice: Codable, Equatable {
        case one
        case two(Int, name: String)
    }

    @Test("An enumeration with associated values is encoded as the object that the compiler synthesizes")
    func payloads() throws {
        #expect(
            try WaybillJSONEncoder().text(of: [Choice.one, .two(1, name: "x")])
                == #"[{"one":{}},{"two":{"_0":1,"name":"x"}}]"#
        )
    }

    @Test("A JSON value is encoded with all its digits")
    func jsonValue() throws {
        let value: JSONValue = [
            "c": [1, nil, true, 0.25, .number(Decimal(string: "12345678901234567890.5") ?? 0)], "a": ["x": "\n"],
            "b": [:],
            "d": .double(1e300),
        ]
        #expect(
            try WaybillJSONEncoder().text(of: value)
                == #"{"a":{"x":"\n"},"b":{},"c":[1,null,true,0.25,12345678901234567890.5],"d":1e+300}"#
        )
    }
}
