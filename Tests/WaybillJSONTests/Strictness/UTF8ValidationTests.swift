import TestSupport
import Testing

@testable import WaybillJSON

/// Compares the validation with that of the standard library (RFC 3629, section 4).
@Suite("UTF-8 validation")
struct UTF8ValidationTests {
    /// The bytes at the boundaries of the grammar's ranges.
    private static let bounds: [UInt8] = [
        0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
        0xF0,
        0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]

    private static let lastBytes: [UInt8] = Thoroughness.isWhole ? bounds : [0x7F, 0x80, 0xBF, 0xC2]

    /// Returns whether the validation accepts the bytes between two quotation marks.
    private static func isValid(_ bytes: [UInt8]) -> Bool {
        let document = [0x22] + bytes + [0x22]
        return document.withUnsafeBufferPointer { document in
            document.baseAddress.map {
                UTF8Validation.isValid($0, from: 1, to: document.count - 1, of: document.count)
            } ?? false
        }
    }

    /// Returns whether the standard library decodes the bytes without repairing them.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    @Test("UTF-8 validation agrees with the standard library", arguments: Thoroughness.some(bounds, oneIn: 5))
    func fourBytes(first: UInt8) {
        for second in Self.bounds {
            for third in Self.bounds {
                for fourth in Self.lastBytes {
                    let bytes = [first, second, third, fourth]
                    let expected = Self.isUTF8(bytes)
                    #expect(Self.isValid(bytes) == expected, "\(bytes)")
                    // This text is long enough for a block.
                    let text = Array("日本語".utf8) + bytes + Array("ÄÖÜßéèà".utf8)
                    #expect(Self.isValid(text) == expected, "\(bytes)")
                }
            }
        }
    }

    @Test("Invalid UTF-8 is detected at every offset", arguments: Array(stride(from: 0, to: 40, by: Thoroughness.step)))
    func places(count: Int) {
        for text in ["日", "é", "🙂", "日é🙂a"] {
            let before = Array(String(repeating: text, count: count).utf8)
            for after in ["", "a", "é", "日本", "🙂🙂🙂🙂🙂🙂🙂🙂"] {
                #expect(Self.isValid(before + Array(after.utf8)))
                for fault in [[0x80], [0xC2], [0xE3, 0x81], [0xF0, 0x9F, 0x99], [0xED, 0xA0, 0x80]] as [[UInt8]] {
                    #expect(!Self.isValid(before + fault + Array(after.utf8)))
                }
            }
        }
    }
}
