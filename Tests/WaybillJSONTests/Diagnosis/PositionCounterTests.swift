import Foundation
import Testing

@testable import WaybillJSON

@Suite("Counting lines and characters piece by piece")
struct PositionCounterTests {
    static let texts = [
        "", "abc", "a\nb\r\nc\rd\r\r\n\n", "ä漢字한글ёж\nñ", "e\u{301}x\u{300}\u{301}", "👩‍👩‍👧🇩🇪🇫🇷🏳️‍🌈", "\u{600}a\u{600}",
        "각\u{11A8}\u{1100}\u{1161}", "\u{301}a\n\u{301}", "क्षि\u{200D}x", "a\u{200D}b©\u{200D}®",
        String(repeating: "漢", count: 900) + "x", "\u{1F468}" + String(repeating: "\u{200D}\u{1F468}", count: 90) + "!",
        String(repeating: "e\u{301}", count: 1500), "a" + String(repeating: "🇩🇪", count: 700) + "a",
    ]

    @Test(
        "Lines and characters counted piece by piece match those of the complete text",
        arguments: texts,
        [1, 2, 3, 16, 1000]
    )
    func pieces(text: String, size: Int) {
        let bytes = Array(text.utf8)
        let whole = JSONText(Data(bytes))
        var counter = PositionCounter()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let end = min(bytes.count, start + size)
            bytes[start..<end].withUnsafeBufferPointer { counter.advance(over: $0) }
            // No error is between CR and LF, and checking every offset of a long text would take too long.
            let isPlace = end == bytes.count || bytes[end] & 0xC0 != 0x80 && bytes[end] != 0x0A
            if isPlace, bytes.count < 1000 || end == bytes.count || end.isMultiple(of: 97) {
                #expect(counter.position == whole.position(ofByte: end), "at \(end)")
            }
        }
    }
}
