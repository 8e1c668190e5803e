import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Parsing of floating-point values")
struct FloatingPointTests {
    private static func double(_ text: String) -> Double { text.asDigits(ExactNumber.double(digits:)) }
    private static func float(_ text: String) -> Float { text.asDigits(ExactNumber.float(digits:)) }

    private static let manyZeros = String(repeating: "0", count: 5_000)

    @Test(
        "Numbers at the limits of the formats are parsed as by the C library",
        arguments: [
            "0", "-0", "0.0", "-0.0e5", "0e99999999999999999999", "-0e-99999999999999999999", "1", "-1", "1.5", "0.1",
            "-0.3",
            "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993.0",
            "9007199254740993.00000000000000000000000000000000000001", "9007199254740992.99999999999999999999999999",
            "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308", "2.225073858507201e-308",
            "1e23", "8.98846567431158e307", "8.5e23", "5e-324", "4.9406564584124654e-324", "2.4703282292062327e-324",
            "2.4703282292062328e-324", "2.47032822920623272e-324", "2.4703282292062327208e-324",
            "2.4703282292062327208299e-324", "2.48e-324", "7.4109846876186981e-324", "7.4109846876186982e-324",
            "1.7976931348623157e308", "1.7976931348623158e308", "1.797693134862315807e308",
            "1.797693134862315808e308", "1.7976931348623159e308", "1e308", "1e309", "1e400", "-1e400", "1e-400",
            "-1e-400",
            "123456789012345678901234567890", "0.000000000000000000000000000012345678901234567890123456789",
            "100000000000000000000000000000000000000000000", "1.00000000000000000000000000000000000000000", "16777217",
            "16777216.9999999999999999999", "16777217.0000000000000000001", "16777219", "1e-45",
            "7.006492321624085e-46",
            "7.0064923216240853e-46", "7.0064923216240854e-46",
            "7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791015625e-46",
            "3.4028234663852886e38", "3.4028235677973366e38", "3.40282356779733661637539395458142568447e38",
            "3.40282356779733661637539395458142568448e38", "3.4028235677973367e38", "1.17549435e-38", "1.1754942e-38",
            "0.500000059604644775390625", "0.5000000596046447753906250000000000000000000000000000001",
            "1e99999999999999999999", "1e-99999999999999999999", "-17E-0",
            "17E+00000000000000000000000000000000000000002",
        ]
    )
    func edges(text: String) throws {
        #expect(try Self.double(text).bitPattern == #require(Oracle.double(text)).bitPattern)
        #expect(try Self.float(text).bitPattern == #require(Oracle.float(text)).bitPattern)
    }

    @Test("A number with thousands of zeros and a matching exponent is parsed correctly")
    func zeros() {
        #expect(Self.double("0.\(Self.manyZeros)1e5001") == 1)
        #expect(Self.double("0.\(Self.manyZeros)17e+5400").bitPattern == Double.infinity.bitPattern)
        #expect(Self.double("-0.\(Self.manyZeros)123456789012345678901e5301") == -1.23456789012345678901e300)
        #expect(Self.double("25\(Self.manyZeros)e-5001") == 2.5)
        #expect(Self.double("25\(Self.manyZeros).\(Self.manyZeros)e-5301") == 2.5e-300)
        #expect(Self.double("1\(Self.manyZeros)\(Self.manyZeros)") == .infinity)
        #expect(Self.float("0.\(Self.manyZeros)1e5001") == 1)
        #expect(Self.float("1\(Self.manyZeros)e-5046") == 0)
    }

    @Test("A number with hundreds of thousands of digits is parsed correctly")
    func long() {
        let nines = String(repeating: "9", count: 200_000)
        #expect(Self.double("0.\(nines)") == 1)
        #expect(Self.double("-\(nines)") == -.infinity)
        #expect(Self.double("\(nines)e-200000") == 1)
        #expect(Self.double("1.7\(nines)e\(nines)") == .infinity)
        #expect(Self.double("-1.7\(nines)e-\(nines)").bitPattern == (-0.0).bitPattern)
    }

    @Test(
        "A halfway number with up to 768 digits is rounded to even, and one just above it up",
        arguments: [
            // Below the smallest value, between subnormal values, below the smallest normal value, at 1, and below
            // infinity.
            (0, -1075), (1, -1075), (2, -1075), ((1 << 52) - 1, -1075), (1 << 52, -1075), (1 << 52, -53),
            ((1 << 53) - 1, -53), ((1 << 53) - 1, -1), ((1 << 53) - 1, 970), (0x1A_BCDE_F012_3456, 900),
        ] as [(UInt64, Int)]
    )
    func halfway(significand: UInt64, exponent: Int) {
        let lower = Double(sign: .plus, exponent: exponent + 1, significand: Double(significand))
        let number = HalfwayNumber(2 * significand + 1, timesTwoTo: exponent)
        let even = significand % 2 == 0 ? lower : lower.nextUp
        #expect(number.spellings.map(Self.double) == number.spellings.map { _ in even })
        #expect(number.above.map(Self.double) == number.above.map { _ in lower.nextUp })
        #expect(number.below.map(Self.double) == number.below.map { _ in lower })
    }

    @Test("400 random halfway numbers of each format and their neighbors are rounded correctly")
    func randomHalfway() {
        var generator = SplitMix64(seed: 768)
        for _ in 0..<400 {
            let significand = UInt64.random(in: 1 << 52..<1 << 53, using: &generator)
            let exponent = Int.random(in: -1075...970, using: &generator)
            let lower = Double(sign: .plus, exponent: exponent + 1, significand: Double(significand))
            let number = HalfwayNumber(2 * significand + 1, timesTwoTo: exponent)
            let even = significand % 2 == 0 ? lower : lower.nextUp
            if Self.double(number.spellings[0]) != even || Self.double(number.above[0]) != lower.nextUp
                || Self.double(number.below[0]) != lower
            {
                Issue.record("\(number.spellings[0])")
            }
        }
        for _ in 0..<400 {
            let significand = UInt64.random(in: 1..<1 << 24, using: &generator)
            let exponent = significand < 1 << 23 ? -150 : Int.random(in: -150...103, using: &generator)
            let lower = Float(sign: .plus, exponent: exponent + 1, significand: Float(significand))
            let number = HalfwayNumber(2 * significand + 1, timesTwoTo: exponent)
            let even = significand % 2 == 0 ? lower : lower.nextUp
            if Self.float(number.spellings[0]) != even || Self.float(number.above[0]) != lower.nextUp
                || Self.float(number.below[0]) != lower
            {
                Issue.record("\(number.spellings[0])")
            }
        }
    }
}
