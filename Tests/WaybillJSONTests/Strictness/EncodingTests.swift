import Foundation
import Testing

@testable import WaybillJSON

@Suite("Unicode encodings")
struct EncodingTests {
    enum Encoding: String, CaseIterable, CustomTestStringConvertible {
        case utf8, utf16LittleEndian, utf16BigEndian, utf32LittleEndian, utf32BigEndian

        var testDescription: String { rawValue }

        func bytes(of text: String) -> [UInt8] {
            switch self {
            case .utf8: Array(text.utf8)
            case .utf16LittleEndian: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            case .utf32LittleEndian: text.unicodeScalars.flatMap { unit(of: $0.value).reversed() }
            case .utf32BigEndian: text.unicodeScalars.flatMap { unit(of: $0.value) }
            }
        }

        /// Returns a number as four bytes, most significant byte first.
        func unit(of value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

        /// The number of bytes in a code unit.
        var width: Int {
            switch self {
            case .utf8: 1
            case .utf16LittleEndian, .utf16BigEndian: 2
            case .utf32LittleEndian, .utf32BigEndian: 4
            }
        }
    }

    static let documents = [
        #"{"a":"é😀\u00e9\uD83D\uDE00"}"#, #"["é",{"😀":[1.5e3,null,true]}]"#, "[1,2,3]", "{}", "[]", "null", "-1.5",
        #""x""#,
        "12", " [ 1 ] ", "\n{\"a\":\t1}\r", #""\#(String(repeating: "aé😀", count: 50))""#, #"{"é":1}"#,
    ]

    @Test(
        "A document is decoded in every Unicode encoding, with and without a byte order mark",
        arguments: Encoding.allCases
    )
    func read(encoding: Encoding) throws {
        for text in Self.documents {
            let expected = try WaybillJSONDecoder().decode(AnyJSON.self, from: Data(text.utf8))
            for mark in ["", "\u{FEFF}"] {
                expectAccepted(Data(encoding.bytes(of: mark + text))) { data in
                    let value = try WaybillJSONDecoder().decode(AnyJSON.self, from: data)
                    guard value == expected else { throw Unexpected(value: value) }
                }
            }
        }
    }

    @Test("A one-character document is decoded in every encoding with a byte order mark", arguments: Encoding.allCases)
    func readOneCharacter(encoding: Encoding) {
        expectAccepted(Data(encoding.bytes(of: "\u{FEFF}7"))) { data in
            let value = try WaybillJSONDecoder().decode(AnyJSON.self, from: data)
            guard value == .number(7) else { throw Unexpected(value: value) }
        }
    }

    struct Unexpected: Error {
        let value: AnyJSON
    }

    @Test("A syntax error is detected in every encoding", arguments: Encoding.allCases)
    func reject(encoding: Encoding) {
        for text in [
            "[1,]", "[01]", #"{"a" 1}"#, #"["\x"]"#, "[1] x", "[", "\"a\nb\"", "[\u{A0}1]", "[\u{661}]",
        ] {
            for mark in ["", "\u{FEFF}"] {
                expectRejected(Data(encoding.bytes(of: mark + text))) {
                    _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                }
            }
        }
    }

    @Test("A byte order mark that is alone, repeated or misplaced is rejected", arguments: Encoding.allCases)
    func rejectMarks(encoding: Encoding) {
        for text in [
            "\u{FEFF}", "\u{FEFF} ", "\u{FEFF}\u{FEFF}[1]", "[\u{FEFF}1]", "[1]\u{FEFF}", "\u{FEFF}\u{FEFF}",
            " \u{FEFF}[1]",
        ] {
            expectRejected(Data(encoding.bytes(of: text))) {
                _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
            }
        }
    }

    @Test("A document truncated within a code unit is rejected", arguments: Encoding.allCases.filter { $0.width > 1 })
    func rejectCut(encoding: Encoding) {
        for text in [#"["abc"]"#, "[1,2] ", "\u{FEFF}[1]"] {
            let bytes = encoding.bytes(of: text)
            for cut in 1..<encoding.width {
                expectRejected(Data(bytes.dropLast(cut))) {
                    _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                }
                expectRejected(Data(bytes + Array(repeating: 0x20, count: cut))) {
                    _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                }
            }
        }
    }

    @Test(
        "Unpaired surrogates in UTF-16 are rejected",
        arguments: [Encoding.utf16LittleEndian, .utf16BigEndian]
    )
    func rejectSurrogates(encoding: Encoding) {
        for units in [[0xD800], [0xDC00], [0xD800, 0xD800], [0xDC00, 0xD800], [0xD83D, 0x41], [0x41, 0xDE00]]
            as [[UInt16]]
        {
            let content = units.flatMap { unit -> [UInt8] in
                let high = UInt8(unit >> 8)
                let low = UInt8(unit & 0xFF)
                return encoding == .utf16BigEndian ? [high, low] : [low, high]
            }
            for mark in ["", "\u{FEFF}"] {
                let document = encoding.bytes(of: mark + "[\"") + content + encoding.bytes(of: "\"]")
                expectRejected(Data(document)) {
                    _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                }
            }
        }
    }

    @Test(
        "UTF-32 code units that are not Unicode scalars are rejected",
        arguments: [Encoding.utf32LittleEndian, .utf32BigEndian]
    )
    func rejectScalars(encoding: Encoding) {
        for value in [0xD800, 0xDFFF, 0x11_0000, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32] {
            let unit = encoding.unit(of: value)
            for mark in ["", "\u{FEFF}"] {
                let content = encoding == .utf32BigEndian ? unit : unit.reversed()
                let document = encoding.bytes(of: mark + "[\"") + content + encoding.bytes(of: "\"]")
                expectRejected(Data(document)) {
                    _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                }
            }
        }
    }

    @Test("A zero byte in UTF-8 is rejected")
    func rejectZeroBytes() {
        for bytes in [[0x5B, 0x31, 0x5D, 0x00], [0x00, 0x5B, 0x31, 0x5D, 0x5D], [0x5B, 0x31, 0x00, 0x5D, 0x20]]
            as [[UInt8]]
        {
            expectRejected(Data(bytes)) { _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0) }
        }
    }
}
