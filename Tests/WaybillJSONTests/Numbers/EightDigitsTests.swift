import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Eight digits in a 64-bit word")
struct EightDigitsTests {
    private static func word(_ text: String) -> UInt64 {
        text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    @Test(
        "Eight digits in a word are parsed as a number",
        arguments: ["00000000", "00000001", "12345678", "90000000", "99999999"]
    )
    func eight(text: String) {
        let word = Self.word(text)
        #expect(EightDigits.isEightDigits(word))
        #expect(EightDigits.leadingDigitCount(word) == 8)
        #expect(EightDigits.parseEightDigits(word) == UInt32(text))
        #expect(EightDigits.parseLeadingDigits(word, count: 8) == UInt32(text))
    }

    @Test("Eight random digits in a word are parsed as a number")
    func random() {
        var generator = SplitMix64(seed: 8)
        for _ in 0..<2_000 {
            let number = UInt32.random(in: 0..<100_000_000, using: &generator)
            let digits = String(String(100_000_000 + number).dropFirst())
            #expect(EightDigits.parseEightDigits(Self.word(digits)) == number)
        }
    }

    @Test("The first byte in a word that is not a digit is located, and the digits before it are parsed")
    func others() {
        let digits = Array("73915286".utf8)
        for place in 0..<8 {
            for byte in UInt8.min...UInt8.max where !(0x30...0x39).contains(byte) {
                var bytes = digits
                bytes[place] = byte
                let word = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
                let before = digits[..<place].reduce(0) { $0 * 10 + UInt32($1 - 0x30) }
                if EightDigits.isEightDigits(word) || EightDigits.leadingDigitCount(word) != place
                    || EightDigits.parseLeadingDigits(word, count: place) != before
                {
                    Issue.record("byte \(byte) at \(place)")
                }
            }
        }
    }
}
