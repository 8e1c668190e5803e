import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("JSON text")
struct JSONTextTests {
    static func text(_ string: String) -> JSONText { JSONText(Data(string.utf8)) }

    struct Key: CodingKey, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        var stringValue: String
        var intValue: Int?
        init(stringValue: String) { self.stringValue = stringValue }
        init(intValue: Int) { (stringValue, self.intValue) = ("Index \(intValue)", intValue) }
        init(stringLiteral value: String) { stringValue = value }
        init(integerLiteral value: Int) { self.init(intValue: value) }
    }

    // MARK: Syntax

    @Test(
        "A JSON text that RFC 8259 allows has no syntax error",
        arguments: [
            "null", " true ", "\t[false]\r\n", "{}", "[]", "\"\"", "0", "-0", "-1.5e+10", "1E5", "0.0", "10",
            #"{"":{"a":[1,{"b":[]}]}}"#, #""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#, "\"é😀\u{7F}\u{2028}\"",
            #"{"a":1,"a":2}"#, "\u{FEFF}[1]", #""\uD800""#,
        ]
    )
    func valid(string: String) {
        #expect(Self.text(string).syntaxError() == nil)
    }

    @Test(
        "The first syntax error of a JSON text is located and described",
        arguments: [
            ("", 0, "a value", "the end of the text"),
            ("  \n", 3, "a value", "the end of the text"),
            ("<html>", 0, "a value", "'<'"),
            ("NaN", 0, "a value", "'NaN'"),
            ("nul", 3, "'null'", "the end of the text"),
            ("nulk", 0, "a value", "'nulk'"),
            ("True", 0, "a value", "'True'"),
            ("truely", 4, "the end of the text", "'ly'"),
            ("+1", 0, "a value", "'+1'"),
            (".5", 0, "a value", "'.5'"),
            ("-", 1, "a digit after '-'", "the end of the text"),
            ("-a", 1, "a digit after '-'", "'a'"),
            ("01", 1, "no digit after a leading 0", "'1'"),
            ("-012", 2, "no digit after a leading 0", "'12'"),
            ("1.", 2, "a digit after '.'", "the end of the text"),
            ("[1.,2]", 3, "a digit after '.'", "','"),
            ("1e", 2, "a digit after the exponent's 'e'", "the end of the text"),
            ("1e+}", 3, "a digit after the exponent's 'e'", "'}'"),
            ("0x10", 1, "the end of the text", "'x10'"),
            ("1 2", 2, "the end of the text", "'2'"),
            ("{}}", 2, "the end of the text", "'}'"),
            ("[", 1, "a value or ']'", "the end of the text"),
            ("[,1]", 1, "a value or ']'", "','"),
            ("[1", 2, "',' or ']'", "the end of the text"),
            ("[1 2]", 3, "',' or ']'", "'2'"),
            ("[1}", 2, "',' or ']'", "'}'"),
            ("[1,]", 3, "a value after ','", "']'"),
            ("[1,", 3, "a value after ','", "the end of the text"),
            ("{", 1, "a key in double quotes or '}'", "the end of the text"),
            ("{a:1}", 1, "a key in double quotes or '}'", "'a'"),
            ("{'a':1}", 1, "a key in double quotes or '}'", "a single quotation mark"),
            ("{1:1}", 1, "a key in double quotes or '}'", "'1'"),
            (#"{"a""#, 4, "':' after the key", "the end of the text"),
            (#"{"a" 1}"#, 5, "':' after the key", "'1'"),
            (#"{"a":}"#, 5, "a value after ':'", "'}'"),
            (#"{"a":1 "b":2}"#, 7, "',' or '}'", "'\"'"),
            (#"{"a":1]"#, 6, "',' or '}'", "']'"),
            (#"{"a":1,}"#, 7, "a key in double quotes after ','", "'}'"),
            (#"{"a":1,,}"#, 7, "a key in double quotes after ','", "','"),
            ("[1] // done", 4, "the end of the text", "'/'"),
            ("[1;2]", 2, "',' or ']'", "';'"),
            ("[undefined_thing_with_a_long_name]", 1, "a value or ']'", "'undefined_thing_with_a_l…'"),
            (#""abc"#, 4, "'\"' at the end of the string", "the end of the text"),
            (#""abc\"#, 5, "one of \" \\ / b f n r t u after '\\'", "the end of the text"),
            (#""\x41""#, 2, "one of \" \\ / b f n r t u after '\\'", "'x41'"),
            (#""\u12G4""#, 5, "four hexadecimal digits after '\\u'", "'G4'"),
            (#""\u12"#, 5, "four hexadecimal digits after '\\u'", "the end of the text"),
            (#""\uD83D\u12""#, 11, "four hexadecimal digits after '\\u'", "'\"'"),
            ("\"a\nb\"", 2, "an escape such as \\n in the string", "a control character (U+000A)"),
            ("\"\u{0}\"", 1, "an escape such as \\n in the string", "a control character (U+0000)"),
            ("[1\u{A0}]", 2, "',' or ']'", "the character U+00A0"),
            ("[é]", 1, "a value or ']'", "'é'"),
            ("“a”", 0, "a value", "'“'"),
            ("[\u{1B}]", 1, "a value or ']'", "a control character (U+001B)"),
            ("\u{FEFF}", 3, "a value", "the end of the text"),
        ]
    )
    func syntax(string: String, offset: Int, expected: String, found: String) {
        #expect(
            Self.text(string).syntaxError() == JSONSyntaxError(offset: offset, expected: expected, found: found)
        )
    }

    @Test(
        "Invalid UTF-8 in a JSON string is located",
        arguments: [
            ([0x80], 1), ([0xC0, 0xAF], 1), ([0xC1, 0xBF], 1), ([0xE0, 0x80, 0x80], 1), ([0xED, 0xA0, 0x80], 1),
            ([0xF4, 0x90, 0x80, 0x80], 1), ([0xF5, 0x80, 0x80, 0x80], 1), ([0xFF], 1), ([0xC3], 1),
            ([0xE2, 0x82], 1), ([0x61, 0xF0, 0x9F, 0x98], 2),
        ] as [([UInt8], Int)]
    )
    func invalidUTF8(content: [UInt8], offset: Int) throws {
        let error = try #require(JSONText(Data([0x22] + content + [0x22])).syntaxError())
        #expect(error.offset == offset)
        #expect(error.expected == "valid UTF-8 in the string")
        #expect(error.found.hasPrefix("the byte 0x") && error.found.hasSuffix("which is not valid UTF-8"))
    }

    @Test("Bytes in another encoding are rejected without a trap")
    func otherBytes() {
        #expect(JSONText(Data([0xFF, 0xFE, 0x5B, 0x00])).syntaxError()?.found.hasPrefix("the byte 0xFF") == true)
        #expect(JSONText(Data([0x1F, 0x8B, 0x08])).syntaxError()?.found == "a control character (U+001F)")
        for first in UInt8.min...UInt8.max {
            for second in [UInt8(0), 0x22, 0x5B, 0x5C, 0x7B, 0x80, 0xBF, 0xC3, 0xFF] {
                _ = JSONText(Data([0x22, first, second])).syntaxError()
                _ = JSONText(Data([first, second])).syntaxError()
            }
        }
    }

    @Test("The syntax checker and JSONDecoder agree on corrupted documents")
    func agreesWithFoundation() async throws {
        var random = SplitMix64(seed: 8259)
        let document = Array(#"{"a":[1,-2.5e3,true,null,"x\n\u00e9é"],"b":{"c":{}},"d":[[],[false]]}"#.utf8)
        let spares = Array(#"{}[]":,.-+0e1tn\u "#.utf8)
        for _ in 0..<4000 {
            await Task.yield()
            var bytes = document
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: index)
                case 1: bytes[index] = spares.randomElement(using: &random) ?? 0
                default: bytes.insert(spares.randomElement(using: &random) ?? 0, at: index)
                }
            }
            let error = JSONText(Data(bytes)).syntaxError()
            // Foundation accepts a trailing comma.
            if let error, error.expected.hasSuffix("after ','"), ["'}'", "']'"].contains(error.found) { continue }
            let isValid = (try? JSONDecoder().decode(AnyJSON.self, from: Data(bytes))) != nil
            let string = String(decoding: bytes, as: UTF8.self)
            #expect((error == nil) == isValid, "\(string)")
        }
    }

    @Test("A hundred thousand unclosed brackets do not overflow the stack")
    func nesting() {
        #expect(Self.text(String(repeating: "[", count: 100_000)).syntaxError()?.offset == 100_000)
        let braces = Self.text(String(repeating: "{\"a\":", count: 100_000))
        #expect(braces.syntaxError()?.offset == 500_000)
        #expect(braces.location(of: [Key("a"), Key("a")]) == nil)
    }

    // MARK: Locating

    @Test(
        "A value in a JSON text is located by its path",
        arguments: [
            (#"{"a":1}"#, ["a"], "1", "\"a\""),
            (#" {"a": {"b": [10, {"c": "x"}]}} "#, ["a", "b", 1, "c"], "\"x\"", "\"c\""),
            (#"{"a":[[1,2],[3,[4]]]}"#, ["a", 1, 1, 0], "4", nil),
            (#"{"a":[1,2]}"#, ["a"], "[1,2]", "\"a\""),
            (#"{"a":{"x":1},"b":2}"#, ["b"], "2", "\"b\""),
            ("[1]", [], "[1]", nil),
            (" \"x\" ", [], "\"x\"", nil),
            ("\u{FEFF}{\"a\":1}", ["a"], "1", "\"a\""),
            // Keys contain escapes.
            (#"{"a\u0062\n":1}"#, ["ab\n"], "1", #""a\u0062\n""#),
            (#"{"\ud83d\ude00\/\"\\":1}"#, ["😀/\"\\"], "1", #""\ud83d\ude00\/\"\\""#),
            // The first of two equal keys wins.
            (#"{"a":1,"a":2}"#, ["a"], "1", "\"a\""),
            // A key matches in another spelling unless the exact key exists.
            (#"{"created_at":1}"#, ["createdAt"], "1", "\"created_at\""),
            (#"{"Created-At":1}"#, ["created_at"], "1", "\"Created-At\""),
            (#"{"created_at":1,"createdAt":2}"#, ["createdAt"], "2", "\"createdAt\""),
            (#"{"created_at":{"x_y":[7]}}"#, ["createdAt", "xY", 0], "7", nil),
            // There is no such value.
            (#"{"a":1}"#, ["b"], nil, nil), (#"{"a":1}"#, ["a", "b"], nil, nil), ("[1]", [1], nil, nil),
            ("[1]", [-1], nil, nil), ("[1]", ["0"], nil, nil), ("{}", ["a"], nil, nil), ("", [], nil, nil),
            (#"{"a":{"b":1}}"#, ["b"], nil, nil),
            // The text is malformed, after or at the value.
            (#"{"a":1,"b":x}"#, ["a"], "1", "\"a\""), (#"{"a":1,"b":x}"#, ["b"], nil, nil),
        ] as [(String, [Key], String?, String?)]
    )
    func locating(string: String, path: [Key], value: String?, key: String?) {
        let text = Self.text(string)
        let location = text.location(of: path)
        #expect(location.map { String(decoding: text.bytes[$0.value], as: UTF8.self) } == value)
        #expect(location?.key.map { String(decoding: text.bytes[$0], as: UTF8.self) } == key)
    }

    @Test("The keys of an object in a JSON text are listed in document order")
    func keys() {
        let text = Self.text(#"{"z":1,"a":{"x":[{"q":1}],"\u0079":{}},"z":[1]}"#)
        #expect(text.keys(at: []) == ["z", "a", "z"])
        #expect(text.keys(at: [Key("a")]) == ["x", "y"])
        #expect(text.keys(at: [Key("a"), Key("y")]) == [])
        #expect(text.keys(at: [Key("z")]) == nil)
        #expect(text.keys(at: [Key("nope")]) == nil)
    }

    @Test(
        "A value in a JSON text is described in words",
        arguments: [
            ("\"cheap\"", "the string \"cheap\"", "a string"), ("\"\"", "the string \"\"", "a string"),
            ("12.50", "the number 12.50", "a number"), ("true", "true", "true"), ("null", "null", "null"),
            ("[]", "an empty array", "an empty array"), ("[[1,2]]", "an array of 1 element", "an array of 1 element"),
            ("[1,{\"a\":[1]},[]]", "an array of 3 elements", "an array of 3 elements"),
            ("{}", "an empty object", "an empty object"),
            (#"{"a":{"b":1}}"#, "an object with 1 key", "an object with 1 key"),
            (#"{"a":[1],"b":2}"#, "an object with 2 keys", "an object with 2 keys"),
            (
                "\"0123456789012345678901234567890123456789\"",
                "the string \"01234567890123456789012345678901…\"", "a string"
            ),
            (
                "\"\(String(repeating: "é", count: 500))\"", "the string \"\(String(repeating: "é", count: 32))…\"",
                "a string"
            ),
            ("\"a\\nb\u{7F}\u{202E}\"", "the string \"a\\nb␡‹U+202E›\"", "a string"),
            ("\(String(repeating: "1", count: 300))", "the number \(String(repeating: "1", count: 32))…", "a number"),
        ]
    )
    func words(string: String, quoted: String, kind: String) {
        let text = Self.text(string)
        #expect(text.words(for: 0..<text.bytes.count) == quoted)
        #expect(text.words(for: 0..<text.bytes.count, quoting: false) == kind)
    }

    // MARK: Positions

    @Test(
        "The line and column of a byte are counted as in editors",
        arguments: [
            ("abc", 0, 1, 1), ("abc", 2, 1, 3), ("abc", 3, 1, 4), ("abc", 99, 1, 4), ("abc", -5, 1, 1), ("", 0, 1, 1),
            ("a\nb", 1, 1, 2), ("a\nb", 2, 2, 1), ("a\n", 2, 2, 1), ("a\n\nb", 3, 3, 1),
            ("a\r\nb", 3, 2, 1), ("a\r\n\r\nb", 5, 3, 1), ("a\rb", 2, 2, 1), ("a\n\rb", 3, 3, 1), ("a\r", 2, 2, 1),
            ("é\"", 2, 1, 2), ("😀\"", 4, 1, 2), ("👨‍👩‍👧\"", 18, 1, 2), ("e\u{301}\"", 3, 1, 2), ("é\nb", 4, 2, 2),
            ("\u{FEFF}{", 3, 1, 1), ("\u{FEFF}{", 4, 1, 2), ("\tb", 1, 1, 2),
        ]
    )
    func position(string: String, offset: Int, line: Int, column: Int) {
        #expect(Self.text(string).position(ofByte: offset) == TextPosition(line: line, column: column))
    }
}
