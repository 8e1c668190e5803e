import Foundation
import Testing

@testable import WaybillJSON

@Suite("Text excerpts")
struct TextExcerptTests {
    static func excerpt(_ string: String, marking part: String, hiding hidden: [String] = []) throws -> String {
        func range(of part: String) throws -> Range<Int> {
            let bytes = Array(string.utf8)
            let part = Array(part.utf8)
            let start = try #require(
                (0...(bytes.count - part.count)).first { bytes[$0..<($0 + part.count)].elementsEqual(part) }
            )
            return start..<start + part.count
        }
        let text = JSONText(Data(string.utf8))
        let excerpt = try #require(TextExcerpt(around: range(of: part), of: text, hiding: hidden.map(range)))
        return excerpt.lines.joined(separator: "\n")
    }

    @Test(
        "An excerpt marks the location in its line",
        arguments: [
            ("{\"a\": 1}", "1", "{\"a\": 1}\n      ^"),
            ("{\n  \"a\": true,\n  \"b\": 2\n}", "true", "  \"a\": true,\n       ^~~~"),
            ("x\r\n[12]\r\ny", "12", "[12]\n ^~"),
            ("x\r[12]\ry", "12", "[12]\n ^~"),
            // For a value that spans several lines, the first line is shown.
            ("{\n  \"a\": [\n    1\n  ]\n}", "[\n    1\n  ]", "  \"a\": [\n       ^"),
            // These contain tabs, wide characters, combining marks and invisible characters.
            ("\t\t[1]", "1", "    [1]\n     ^"),
            ("[\"日本\", 1]", "1", "[\"日本\", 1]\n         ^"),
            ("[\"👨‍👩‍👧\", \"日\"]", "\"日\"", "[\"👨‍👩‍👧\", \"日\"]\n       ^~~~"),
            ("[\"e\u{301}\", 1]", "1", "[\"e\u{301}\", 1]\n      ^"),
            ("[\"\u{1B}[31m\u{0}\", 7]", "7", "[\"␛[31m␀\", 7]\n           ^"),
            ("[\"\u{202E}\", 1]", "1", "[\"‹U+202E›\", 1]\n             ^"),
        ]
    )
    func marking(string: String, part: String, expected: String) throws {
        #expect(try Self.excerpt(string, marking: part) == expected)
    }

    @Test("An excerpt of a long line is truncated on both sides of the location")
    func cutting() throws {
        let filler = String(repeating: "x", count: 100)
        #expect(
            try Self.excerpt("\(filler)[12]\(filler)", marking: "[12]")
                == "…\(filler.prefix(34))[12]\(filler.prefix(34))…\n" + String(repeating: " ", count: 35) + "^~~~"
        )
        #expect(
            try Self.excerpt("[12]\(filler)", marking: "[12]") == "[12]\(filler.prefix(68))…\n^~~~"
        )
        #expect(
            try Self.excerpt("\(filler)[12]", marking: "[12]")
                == "…\(filler.prefix(68))[12]\n" + String(repeating: " ", count: 69) + "^~~~"
        )
        #expect(
            try Self.excerpt("[\(filler)]\(filler)", marking: filler)
                == "[\(filler.prefix(44))…\n ^" + String(repeating: "~", count: 43)
        )
    }

    @Test("An excerpt truncates wide characters by their width")
    func cuttingWide() throws {
        let filler = String(repeating: "日", count: 400)
        let lines = try Self.excerpt("\(filler)[12]\(filler)", marking: "[12]").components(separatedBy: "\n")
        #expect(lines.first == "…\(filler.prefix(17))[12]\(filler.prefix(17))…")
        #expect(lines.last == String(repeating: " ", count: 35) + "^~~~")
    }

    @Test("An excerpt of a 500 kB line, or of a character with many bytes, is short")
    func minified() throws {
        let element = "{\"id\":1,\"name\":\"a\"},"
        let document = "[" + String(repeating: element, count: 25_000) + "{\"id\":\"here\"}]"
        let text = JSONText(Data(document.utf8))
        let path: [any CodingKey] = [JSONTextTests.Key(intValue: 25_000), JSONTextTests.Key(stringValue: "id")]
        let location = try #require(text.location(of: path))
        #expect(text.position(ofByte: location.value.lowerBound).column == 500_008)
        let lines = try #require(TextExcerpt(around: location.value, of: text)).lines
        #expect(lines.first?.hasPrefix("…") == true)
        #expect(lines.first?.hasSuffix("{\"id\":\"here\"}]") == true)
        #expect(lines.allSatisfy { $0.count <= 74 })

        let marks = String(repeating: "\u{301}", count: 100_000)
        let excerpt = try Self.excerpt("[\"e\(marks)\", 1, \"e\(marks)\"]", marking: "1")
        #expect(excerpt.utf8.count < 4 * TextExcerpt.reach)
    }

    @Test(
        "An excerpt never shows a hidden range",
        arguments: [
            ("{\"p\":\"s3cret\",\"a\":1}", "1", ["\"s3cret\""], "{\"p\":‹redacted›,\"a\":1}\n                    ^"),
            ("{\"p\":\"s3cret\"}", "\"s3cret\"", ["\"s3cret\""], "{\"p\":‹redacted›}\n     ^~~~~~~~~~"),
            ("{\"p\":[\"s3\",\"s4\"]}", "\"s4\"", ["[\"s3\",\"s4\"]"], "{\"p\":‹redacted›}\n     ^~~~~~~~~~"),
            ("[{\"p\":\"s3\"},2]", "{\"p\":\"s3\"}", ["\"s3\""], "[{\"p\":‹redacted›},2]\n ^~~~~~~~~~~~~~~~"),
            ("[\"s1\",\"s2\",3]", "3", ["\"s1\"", "\"s2\""], "[‹redacted›,‹redacted›,3]\n                       ^"),
        ]
    )
    func hiding(string: String, part: String, hidden: [String], expected: String) throws {
        #expect(try Self.excerpt(string, marking: part, hiding: hidden) == expected)
    }

    @Test("An excerpt that would be empty is omitted", arguments: [("", 0..<0, []), (" \n\n", 1..<2, [0..<3])])
    func nothingToSee(string: String, place: Range<Int>, hidden: [Range<Int>]) {
        #expect(TextExcerpt(around: place, of: JSONText(Data(string.utf8)), hiding: hidden) == nil)
    }

    @Test("An excerpt of a line within a hidden range is omitted")
    func lineWithinSecret() {
        let text = JSONText(Data("{\"p\":[\n\"s3\",\n\"s4\"\n]}".utf8))
        #expect(TextExcerpt(around: 13..<17, of: text, hiding: [5..<19]) == nil)
    }
}
