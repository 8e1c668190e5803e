import Foundation
import Testing

@testable import WaybillJSON

@Suite("Encodings of Unicode")
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

        /// A number as four bytes, the first one the most significant.
        func unit(of value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

        /// How many bytes a unit has.
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

    @Test("every encoding is read, with a byte order mark and without one", arguments: Encoding.allCases)
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

    @Test("a document of one character is read in every encoding that marks it", arguments: Encoding.allCases)
    func readOneCharacter(encoding: Encoding) {
        expectAccepted(Data(encoding.bytes(of: "\u{FEFF}7"))) { data in
            let value = try WaybillJSONDecoder().decode(AnyJSON.self, from: data)
            guard value == .number(7) else { throw Unexpected(value: value) }
        }
    }

    struct Unexpected: Error {
        let value: AnyJSON
    }

    @Test("syntax errors are found in every encoding", arguments: Encoding.allCases)
    func refuse(encoding: Encoding) {
        for text in [
            "[1,]", "[01]", #"{"a" 1}"#, #"["\x"]"#, #"["\uD800"]"#, "[1] x", "[", "\"a\nb\"", "[\u{A0}1]", "[\u{661}]",
        ] {
            for mark in ["", "\u{FEFF}"] {
                expectRefused(Data(encoding.bytes(of: mark + text))) {
                    _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                }
            }
        }
    }

    @Test("a mark alone, two of them, or one elsewhere is refused", arguments: Encoding.allCases)
    func refuseMarks(encoding: Encoding) {
        for text in [
            "\u{FEFF}", "\u{FEFF} ", "\u{FEFF}\u{FEFF}[1]", "[\u{FEFF}1]", "[1]\u{FEFF}", "\u{FEFF}\u{FEFF}",
            " \u{FEFF}[1]",
        ] {
            expectRefused(Data(encoding.bytes(of: text))) {
                _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
            }
        }
    }

    @Test("a text cut inside of a unit is refused", arguments: Encoding.allCases.filter { $0.width > 1 })
    func refuseCut(encoding: Encoding) {
        for text in [#"["abc"]"#, "[1,2] ", "\u{FEFF}[1]"] {
            let bytes = encoding.bytes(of: text)
            for cut in 1..<encoding.width {
                expectRefused(Data(bytes.dropLast(cut))) {
                    _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                }
                expectRefused(Data(bytes + Array(repeating: 0x20, count: cut))) {
                    _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                }
            }
        }
    }

    @Test(
        "units of UTF-16 that make no character are refused",
        arguments: [Encoding.utf16LittleEndian, .utf16BigEndian]
    )
    func refuseSurrogates(encoding: Encoding) {
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
                expectRefused(Data(document)) {
                    _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                }
            }
        }
    }

    @Test("units of UTF-32 that are no scalars are refused", arguments: [Encoding.utf32LittleEndian, .utf32BigEndian])
    func refuseScalars(encoding: Encoding) {
        for value in [0xD800, 0xDFFF, 0x11_0000, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32] {
            let unit = encoding.unit(of: value)
            for mark in ["", "\u{FEFF}"] {
                let content = encoding == .utf32BigEndian ? unit : unit.reversed()
                let document = encoding.bytes(of: mark + "[\"") + content + encoding.bytes(of: "\"]")
                expectRefused(Data(document)) {
                    _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0)
                }
            }
        }
    }

    @Test("a zero byte in a text of UTF-8 is refused")
    func refuseZeroBytes() {
        for bytes in [[0x5B, 0x31, 0x5D, 0x00], [0x00, 0x5B, 0x31, 0x5D, 0x5D], [0x5B, 0x31, 0x00, 0x5D, 0x20]]
            as [[UInt8]]
        {
            expectRefused(Data(bytes)) { _ = try WaybillJSONDecoder().decode(Surroundings.Ignored.self, from: $0) }
        }
    }
}
