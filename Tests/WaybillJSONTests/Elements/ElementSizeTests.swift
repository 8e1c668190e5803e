import Foundation
import Testing

@testable import WaybillJSON

@Suite("Elements larger than a limit")
struct ElementSizeTests {
    /// A document whose second element is 20 bytes long.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let document: String
        var path: [EnvelopeKey] = []
        var sequence: JSONSequenceForm?
        var place = "[1]"

        var testDescription: String { name }

        func reader(limit: Int) -> WaybillJSONDecoder.ElementReader<JSONValue> {
            let decoder = WaybillJSONDecoder()
            var reader =
                sequence.map { WaybillJSONDecoder.ElementReader<JSONValue>(decoder, sequence: $0) }
                ?? decoder.elements(JSONValue.self, at: path)
            reader.limitElements(to: limit)
            return reader
        }
    }

    static let rows = [
        Row(name: "a string", document: #"[1,"123456789 12345678",3]"#),
        Row(name: "escapes", document: #"[1,"\u0041\u0042\n1234",3]"#),
        Row(name: "characters of several bytes", document: #"[1,"ééééééééé",3]"#),
        Row(name: "a number", document: "[1,12345678901234567890,3]"),
        Row(name: "a key", document: #"[1,{"123456789 1234":7},3]"#),
        Row(name: "containers", document: "[1,[[],[],[],[],[],[ ]],3]"),
        Row(name: "white space within", document: "[1,[                  ],3]"),
        Row(
            name: "an envelope",
            document: #"{"a":{"b":[1,"123456789 12345678",3]},"c":"123456789 123456789 123456789"}"#,
            path: ["a", "b"],
            place: "a.b[1]"
        ),
        Row(name: "lines", document: "1\n\"123456789 12345678\"\n3\n", sequence: .lines),
        Row(name: "a number in lines", document: "1\n12345678901234567890\n3\n", sequence: .lines),
        Row(name: "a sequence", document: "\u{1E}1\n\u{1E}[1,2,3,4,5,6,7,8,90]\n\u{1E}3\n", sequence: .textSequence),
        Row(name: "a number in a sequence", document: "\u{1E}1\n\u{1E}12345678901234567890\n", sequence: .textSequence),
        Row(name: "concatenated texts", document: "1 [1,2,3,4,5,6,7,8,90]3", sequence: .concatenated),
    ]

    @Test(
        "An element larger than the limit is an error after the elements before it, in chunks of any size",
        arguments: rows
    )
    func limit(_ row: Row) {
        for size in [1, 3, 7, .max] {
            let read = ElementReading(row.reader(limit: 19), row.document.utf8, by: size)
            #expect(read.elements == [1], "chunks of \(size)")
            #expect((read.error as? ElementTooLarge)?.limit == 19, "chunks of \(size)")
            #expect(read.error.map { "\($0)" } == "the element \(row.place) has more than 19 bytes")
            let allowed = ElementReading(row.reader(limit: 20), row.document.utf8, by: size)
            #expect(allowed.error == nil, "chunks of \(size)")
            #expect(allowed.elements.count >= 2)
        }
    }

    /// The starts of documents, and a byte that can repeat without end in the second element.
    static let beginnings: [(row: Row, byte: String)] = [
        (Row(name: "a string", document: "[1,\""), "x"),
        (Row(name: "a key", document: "[1,{\""), "x"),
        (Row(name: "a number", document: "[1,2"), "3"),
        (Row(name: "white space", document: "[1,["), " "),
        (Row(name: "an envelope", document: #"{"a":[1,"#, path: ["a"]), "2"),
        (Row(name: "a line", document: "1\n[", sequence: .lines), "\n"),
        (Row(name: "a number in lines", document: "1\n2", sequence: .lines), "3"),
        (Row(name: "a number in a sequence", document: "\u{1E}1\n\u{1E}2", sequence: .textSequence), "3"),
        (Row(name: "a concatenated text", document: "1 \"", sequence: .concatenated), "x"),
    ]

    @Test("An unterminated element is an error before more than the limit and one chunk is held", arguments: beginnings)
    func endless(_ beginning: (row: Row, byte: String)) throws {
        var reader = beginning.row.reader(limit: 10_000)
        reader.append(Array(beginning.row.document.utf8))
        #expect(try reader.next() == 1)
        let chunk = Data(String(repeating: beginning.byte, count: 1000).utf8)
        var held = 0
        var count = 0
        #expect(throws: ElementTooLarge.self) {
            while count < 100 {
                count += 1
                reader.append(chunk)
                _ = try reader.next()
                held = max(held, reader.parser.heldByteCount)
            }
        }
        #expect(count <= 11)
        #expect(held <= 12_000)
        #expect(reader.parser.kept == nil)
        #expect(throws: ElementTooLarge.self) { try reader.finish() }
    }

    @Test("An element that exceeds the limit before its syntax error is too large, in chunks of any size")
    func malformed() {
        for size in [1, 5, .max] {
            let decoder = WaybillJSONDecoder()
            for (limit, isTooLarge) in [(6, true), (7, false)] {
                var reader = decoder.elements(JSONValue.self)
                reader.limitElements(to: limit)
                // The comma, the eighth byte of the element, is invalid after the colon.
                let read = ElementReading(reader, #"[1,{"abc":,1},2]"#.utf8, by: size)
                #expect(read.elements == [1])
                #expect((read.error is ElementTooLarge) == isTooLarge, "chunks of \(size)")
            }
        }
    }

    @Test("A text larger than the limit is not skipped like a malformed one")
    func lossy() {
        for size in [1, .max] {
            var reader = WaybillJSONDecoder.ElementReader<JSONValue>(
                WaybillJSONDecoder(),
                sequence: .lines,
                passesBrokenTexts: true
            )
            reader.limitElements(to: 10)
            let read = ElementReading(reader, "1\n\"123456789\"\n3\n".utf8, by: size)
            #expect(read.elements == [1])
            #expect(read.error is ElementTooLarge)
        }
    }

    /// Padding that makes an element longer than the bytes kept for an error.
    private static let padding = String(repeating: "x", count: JSONSource.readableByteCount)

    @Test("The error for a truncated long element has its location, and keeps only the element's last bytes")
    func cut() throws {
        for size in [65_536, .max] {
            let read = ElementReading(
                WaybillJSONDecoder().elements(JSONValue.self),
                "[1,\n{\"a\":\"\(Self.padding)\",\"b\"".utf8,
                by: size
            )
            let diagnosis = try #require(read.diagnosis)
            #expect(read.elements == [1])
            #expect(diagnosis.path == "[1]")
            #expect(read.place == "2:\(Self.padding.utf8.count + 12)")
            #expect(diagnosis.summary == "expected ':' after the key, found the end of the text")
            #expect(diagnosis.excerpt.first?.hasSuffix("xxx\",\"b\"") == true)
            #expect(diagnosis.document.count <= 1_000)
            // Without the key, nothing shows which of the remaining bytes are secret.
            #expect(diagnosis.redacting(["token"]).excerpt.isEmpty)
        }
    }

    struct Pair: Decodable {
        let first: Int
        let rest: String
        let last: Int8
    }

    @Test("The error for a mismatch late in a long element has only the path, and for an early one an excerpt")
    func mismatch() throws {
        for size in [65_536, .max] {
            let decoder = WaybillJSONDecoder()
            let wrongFirst = #"[{"first":"x","rest":"\#(Self.padding)","last":1}]"#
            let first = try #require(ElementReading(decoder.elements(Pair.self), wrongFirst.utf8, by: size).diagnosis)
            #expect(first.description.hasPrefix("[0].first (line 1, column 11): expected an integer (Int), found"))
            #expect(first.excerpt.first?.hasPrefix("[{\"first\":\"x\"") == true)
            #expect(first.document.count == JSONSource.readableByteCount)

            let wrongLast = #"[{"first":1,"rest":"\#(Self.padding)","last":1234567}]"#
            let read = ElementReading(decoder.elements(Pair.self), wrongLast.utf8, by: size)
            let last = try #require(read.diagnosis)
            #expect(last.path == "[0].last")
            #expect(last.line == 1)
            #expect(last.column == 2)
            #expect(last.summary == "cannot decode the value")
            var redaction = ErrorRedaction(ofKeys: ["last"])
            let redacted = try redaction.redacting(#require(read.error))
            #expect(!"\(redacted)".contains("1234567"))
        }
    }

    @Test("Lines that each open an array are reread only within a bound")
    func repeated() {
        var reader = WaybillJSONDecoder.ElementReader<JSONValue>(
            WaybillJSONDecoder(),
            sequence: .lines,
            passesBrokenTexts: true
        )
        let line = Data(("[" + String(repeating: " ", count: 999) + "\n").utf8)
        var count = 0
        #expect(throws: DecodingError.self) {
            while count < 2000 {
                count += 1
                reader.append(line)
                while try reader.nextResult() != nil {}
            }
        }
        #expect(reader.parser.repeatedByteCount < 16_000_000)
    }
}
