import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Conversion of a mantissa and an exponent to floating point")
struct EiselLemireTests {
    private static let powers = PowersOfFive.shared

    private static func double(_ mantissa: UInt64, _ exponent: Int) -> Double {
        EiselLemire.value(mantissa: mantissa, exponent: exponent, powers: powers)
    }

    private static func float(_ mantissa: UInt64, _ exponent: Int) -> Float {
        EiselLemire.value(mantissa: mantissa, exponent: exponent, powers: powers)
    }

    @Test(
        "Halfway cases and values at the limits of the formats are rounded correctly",
        arguments: [
            (0, 0), (0, 400), (0, -400), (1, 0), (1, 22), (1, 23), (9_007_199_254_740_991, 0),
            (9_007_199_254_740_992, 22), (9_007_199_254_740_992, -22), (9_007_199_254_740_993, 0),
            (9_007_199_254_740_995, 0), (90_071_992_547_409_930, -1), (9_007_199_254_740_993, 3),
            (22_250_738_585_072_011, -324), (22_250_738_585_072_014, -324), (898_846_567_431_158, 293),
            (5, -324), (24_703_282_292_062_327, -340), (24_703_282_292_062_328, -340), (2, -324), (3, -324),
            (17_976_931_348_623_157, 292), (17_976_931_348_623_158, 292), (17_976_931_348_623_159, 292),
            (1, 308), (1, 309), (1, -342), (1, -343), (.max, 0), (.max, -342), (.max, 289), (.max, 290), (.max, 308),
            (9_223_372_036_854_776_833, 0), (9_223_372_036_854_776_832, 0), (2_251_799_813_685_249, -1),
            // The lowest powers of ten with which a 64-bit number is halfway, for a Double and for a Float.
            (5_629_499_534_213_123_125, -4), (12_800_003_814_697_265_625, -17),
            (7_450_580_596_923_828_125, -27), (9_999_999_999_999_999_999, -19), (69_294_956_446_009_195, -68),
        ] as [(UInt64, Int)]
    )
    func edges(mantissa: UInt64, exponent: Int) throws {
        let text = "\(mantissa)e\(exponent)"
        #expect(try Self.double(mantissa, exponent).bitPattern == #require(Oracle.double(text)).bitPattern)
        #expect(try Self.float(mantissa, exponent).bitPattern == #require(Oracle.float(text)).bitPattern)
    }

    @Test("A Float is rounded once, without an intermediate Double")
    func once() throws {
        let mantissa: UInt64 = 9_223_374_785_633_845_249
        #expect(Self.float(mantissa, 0) == Oracle.float("\(mantissa)"))
        #expect(Self.float(mantissa, 0) != Float(Self.double(mantissa, 0)))
    }

    @Test("30,000 random mantissas with random exponents are rounded correctly")
    func random() throws {
        var generator = SplitMix64(seed: 754)
        for index in 0..<30_000 {
            let mantissa = generator.next() >> UInt64.random(in: 0..<64, using: &generator)
            let exponent = Int.random(in: index % 2 == 0 ? -345...310 : -70...40, using: &generator)
            let text = "\(mantissa)e\(exponent)"
            if try Self.double(mantissa, exponent).bitPattern != #require(Oracle.double(text)).bitPattern
                || Self.float(mantissa, exponent).bitPattern != #require(Oracle.float(text)).bitPattern
            {
                Issue.record("\(text)")
            }
        }
    }

    @Test("A truncated mantissa has a value only if every continuation yields the same one")
    func truncated() {
        // 1.000000000000000000… is 1 or just above it; 2⁵³ + 1 is halfway, so the remaining digits decide.
        let near: Double? = EiselLemire.value(
            truncatedMantissa: 1_000_000_000_000_000_000,
            exponent: -18,
            powers: Self.powers
        )
        #expect(near == 1)
        let halfway: Double? = EiselLemire.value(
            truncatedMantissa: 9_007_199_254_740_993_000,
            exponent: -3,
            powers: Self.powers
        )
        #expect(halfway == nil)
        let float: Float? = EiselLemire.value(
            truncatedMantissa: 1_677_721_700_000_000_000,
            exponent: -11,
            powers: Self.powers
        )
        #expect(float == nil)
        let below: Float? = EiselLemire.value(
            truncatedMantissa: 1_677_721_699_999_999_999,
            exponent: -11,
            powers: Self.powers
        )
        #expect(below == 16_777_216)
        let infinite: Double? = EiselLemire.value(
            truncatedMantissa: 1_000_000_000_000_000_000,
            exponent: 300,
            powers: Self.powers
        )
        #expect(infinite == .infinity)
    }
}
