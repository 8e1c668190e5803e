import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("JSON values with their source text")
struct JSONSpliceTests {
    private struct Read: Decodable {
        let document: JSONDocument

        init(from decoder: any Decoder) throws {
            let text = JSONTreeReader(decoder)?.text()
            document = JSONDocument(try JSONValue(from: decoder), source: text)
        }
    }

    private func documents(_ text: String) throws -> [JSONDocument] {
        try WaybillJSONDecoder().decode([Read].self, from: Data(text.utf8)).map(\.document)
    }

    private func document(_ text: String) throws -> JSONDocument {
        try WaybillJSONDecoder().decode(Read.self, from: Data(text.utf8)).document
    }

    @Test("A number that no numeric type holds exactly is decoded and encoded unchanged")
    func numerals() throws {
        let texts = [
            "340282366920938463463374607431768211456", "0.1234567890123456789012345678901234567890123", "1e400",
            "-1e-400", "1234567890123456789e300", "1.00000000000000000000000000000000000000000000001",
            "1e99999999999999",
            "1e99999999999999999999",
        ]
        for text in texts {
            let value = try WaybillJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect(value.description == text)
            #expect(String(decoding: try WaybillJSONEncoder().encode([value]), as: UTF8.self) == "[\(text)]")
            let nested = try WaybillJSONEncoder().encode(["a": Box(value)])
            #expect(String(decoding: nested, as: UTF8.self) == "{\"a\":\(text)}")
            #expect(value == value)
        }
    }

    private struct Box: Encodable {
        let value: JSONValue

        init(_ value: JSONValue) { self.value = value }

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test("Numbers that differ in the fortieth digit are not equal")
    func differentNumerals() throws {
        let digits = "0.123456789012345678901234567890123456789"
        let values = try ["1", "2"].map { try document(digits + $0).value }
        #expect(values[0] != values[1])
        #expect(try document("10e399").value == document("1e400").value)
        #expect(try document("1e400").value.doubleValue == nil)
        #expect(try document(digits + "1").value.doubleValue == 0.12345678901234568)
        #expect(try document(digits + "1").value.decimalValue == nil)
    }

    @Test(
        "A numeral can be created only from a valid JSON number",
        arguments: [
            ("1", true), ("-0.5e+10", true), ("0", true), ("1E5", true), ("01", false), ("1.", false), (".5", false),
            ("+1", false), ("1e", false), ("", false), ("-", false), ("1 ", false), ("0x1", false), ("NaN", false),
        ]
    )
    func grammar(text: String, isNumber: Bool) {
        #expect((JSONValue.Numeral(text) != nil) == isNumber)
    }

    @Test("Each array element keeps its source text")
    func texts() throws {
        let elements = [
            "{\"a\" : [1 , 2.0], \"b\\\"}\":\"]\"}", "[ ]", "\"a\\\\\"", "-1.50e2", "true", "null", "{}",
            "{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{E9}\":3}",
        ]
        #expect(try documents("[ \(elements.joined(separator: " ,\n")) ]").map(\.text) == elements)
    }

    @Test(
        "A change preserves the bytes of unchanged parts",
        arguments: [
            (#"{"b":1.0,"a":2}"#, #"{"a":3,"b":1}"#, #"{"b":1.0,"a":3}"#),
            (#"{"b":1.0,"a":2}"#, #"{"b":1}"#, #"{"b":1.0}"#),
            (#"{"b":1.0}"#, #"{"b":1,"a":null}"#, #"{"b":1.0,"a":null}"#),
            (#"{"o":{"x":1e2,"y":1}}"#, #"{"o":{"x":100,"y":2}}"#, #"{"o":{"x":1e2,"y":2}}"#),
            (#"[1.0,2.0,3.0]"#, #"[2,3]"#, #"[2.0,3.0]"#),
            (#"[1.0,3.0]"#, #"[1,2,3]"#, #"[1.0,2,3.0]"#),
            (#"[{"a":1.0,"b":1}]"#, #"[{"a":1,"b":2}]"#, #"[{"a":1.0,"b":2}]"#),
            (#"{"a":1.0}"#, #"[]"#, #"[]"#),
            (#"{"a":1,"a":2}"#, #"{"a":1}"#, #"{"a":1,"a":2}"#),
            (#"{"a":1,"a":2,"b":1}"#, #"{"a":3,"b":1}"#, #"{"a":3,"b":1}"#),
            (
                "{\"\u{E9}\":1,\"e\u{301}\":2,\"b\":1}", "{\"\u{E9}\":1,\"b\":2}",
                "{\"\u{E9}\":1,\"e\u{301}\":2,\"b\":2}"
            ),
            (#"{ "a" : 1.0 , "b" : 1 }"#, #"{"a":1,"b":2}"#, #"{"a" : 1.0,"b" : 2}"#),
            (#"{"\u0061":1.0,"b":1}"#, #"{"a":1,"b":2}"#, #"{"\u0061":1.0,"b":2}"#),
        ]
    )
    func changed(old: String, new: String, expected: String) throws {
        let changed = try document(old).changed(to: document(new).value)
        #expect(changed.text == expected)
    }

    @Test("The text of a changed document decodes to the new value")
    func randomChanges() throws {
        var generator = SplitMix64(seed: 38)
        for _ in 0..<Thoroughness.repetitions(6000, otherwise: 300) {
            let old = try document(Self.text(using: &generator, depth: 3))
            let new = try document(Self.text(using: &generator, depth: 3)).value
            for value in [new, old.value.applying(mergePatch: new)] {
                let changed = old.changed(to: value)
                let read = try document(changed.text).value
                guard read.isIdentical(to: value) else {
                    Issue.record("\(old.text) as \(value): \(changed.text)")
                    return
                }
            }
            #expect(old.changed(to: old.value).text == old.text)
        }
    }

    /// Returns a random document with members in any order, white space, escapes, and different spellings of numbers.
    private static func text(using generator: inout SplitMix64, depth: Int) -> String {
        let space = [" ", "", "", "\n"].randomElement(using: &generator) ?? ""
        switch depth == 0 ? 0 : Int.random(in: 0..<3, using: &generator) {
        case 0:
            let scalars = [
                "1", "1.0", "2e2", "null", "true", #""a\u0062\"""#, "1e400", "0.10000000000000000000000000000000001",
            ]
            return scalars.randomElement(using: &generator) ?? "1"
        case 1:
            let count = Int.random(in: 0..<4, using: &generator)
            let elements = (0..<count).map { _ in text(using: &generator, depth: depth - 1) }
            return "[\(space)\(elements.joined(separator: space + ","))\(space)]"
        default:
            let names = [#""a""#, #""b""#, #""\u0063""#, #""d\"""#].shuffled(using: &generator)
            let members = names.prefix(Int.random(in: 0..<5, using: &generator)).map { name in
                "\(name)\(space):\(space)\(text(using: &generator, depth: depth - 1))"
            }
            return "{\(space)\(members.joined(separator: "," + space))\(space)}"
        }
    }
}
