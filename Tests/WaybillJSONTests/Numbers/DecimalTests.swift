import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Parsing of Decimal values")
struct DecimalTests {
    private static func decimal(_ text: String) -> Decimal? { text.asDigits(ExactNumber.decimal(digits:)) }

    private static let manyZeros = String(repeating: "0", count: 2_000)

    @Test(
        "A number that fits a Decimal is decoded exactly",
        arguments: [
            "0", "1", "-1", "0.1", "-0.3", "1.10", "100", "12e3", "3.133333333333333333333333333333333",
            "9007199254740993",
            "18446744073709551615", "18446744073709551616", "-18446744073709551617", "10000000000000000000",
            "99999999999999999999999999999999999999", "-0.12345678901234567890123456789012345678",
            "12345678901234567890123456789012345678e80", "340282366920938463463374607431768211455",
            "-340282366920938463463374607431768211455e-128", "340282366920938463463374607431768211454e60",
            "184467440737095516150000000000000000001", "1e127", "-1e127", "1e-128", "9e-128", "12e-128",
            "1e0", "1E+2", "7e-2", "0.00000000000000000000000000000000000000000000000000000000000000000000000000001",
        ]
    )
    func exact(text: String) throws {
        let expected = try #require(Decimal(string: text))
        #expect(Self.decimal(text) == expected)
        #expect(Self.decimal(text)?.description == expected.description)
    }

    @Test("Leading and trailing zeros of a number do not count toward a Decimal's digits")
    func zeros() {
        #expect(Self.decimal("1.\(Self.manyZeros)") == 1)
        #expect(Self.decimal("-0.\(Self.manyZeros)25e2001") == Decimal(string: "-2.5"))
        #expect(Self.decimal("25\(Self.manyZeros)e-2001") == Decimal(string: "2.5"))
        #expect(Self.decimal("1000e-131") == Decimal(string: "1e-128"))
        #expect(Self.decimal("0.01e129") == Decimal(string: "1e127"))
    }

    @Test(
        "Zero with any sign and exponent is decoded as a Decimal of 0",
        arguments: ["-0", "-0.0", "0e9999999999999999999", "-0e-400", "0.000"]
    )
    func zero(text: String) {
        #expect(Self.decimal(text) == 0)
        #expect(Self.decimal(text)?.isNaN == false)
    }

    @Test(
        "A number that does not fit a Decimal exactly is rejected",
        arguments: [
            "340282366920938463463374607431768211456", "999999999999999999999999999999999999999", "1e128", "-1e128",
            "10e127", "100000e123", "1e-129", "15e-129", "1.1e-128", "1e99999999999999999999",
            "1e-99999999999999999999",
            "1.234567890123456789012345678901234567890123456789", "1\(manyZeros)1", "0.1\(manyZeros)1",
            "3402823669209384634633746074317682114550000001",
        ]
    )
    func lossy(text: String) {
        #expect(Self.decimal(text) == nil)
    }

    @Test("10,000 random texts of 1 to 38 digits are decoded to the same Decimal as by Foundation")
    func random() {
        var generator = SplitMix64(seed: 38)
        for _ in 0..<10_000 {
            let text = NumberText.random(digits: 1...38, exponents: -60...60, using: &generator)
            let value = Self.decimal(text)
            if value == nil || value != Decimal(string: text) { Issue.record("\(text)") }
        }
    }

    @Test("A mantissa and an exponent yield the same Decimal as their text")
    func mantissas() {
        let mantissas: [UInt64] = [0, 1, 10, 15, 120, 1_000_000, 10_000_000_000_000_000_000, .max]
        for mantissa in mantissas {
            for exponent in [
                0, 1, -1, -2, 20, 108, 109, 126, 127, 128, -127, -128, -129, -147, -148, 1_000, .max, .min,
            ] {
                for isNegative in [false, true] {
                    let value = ExactNumber.decimal(isNegative: isNegative, mantissa: mantissa, exponent: exponent)
                    #expect(value == Self.decimal("\(isNegative ? "-" : "")\(mantissa)e\(exponent)"))
                }
            }
        }
    }
}
