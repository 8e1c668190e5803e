import Testing

@testable import WaybillJSON

@Suite("Table of powers of five")
struct PowersOfFiveTests {
    private static let powers = PowersOfFive.shared

    @Test(
        "Powers of five are truncated to 128 bits, but rounded up from 5⁻²⁷ to 5⁻¹",
        arguments: [
            (-342, 0xEEF4_53D6_923B_D65A, 0x113F_AA29_06A1_3B3F), (-28, 0xFD87_B5F2_8300_CA0D, 0x8BCA_9D6E_1888_53FC),
            (-27, 0x9E74_D1B7_91E0_7E48, 0x775E_A264_CF55_347E),
            (-1, 0xCCCC_CCCC_CCCC_CCCC, 0xCCCC_CCCC_CCCC_CCCD), (0, 0x8000_0000_0000_0000, 0),
            (1, 0xA000_0000_0000_0000, 0), (27, 0xCECB_8F27_F420_0F3A, 0),
            (308, 0x8E67_9C2F_5E44_FF8F, 0x570F_09EA_A7EA_7648),
        ] as [(Int, UInt64, UInt64)]
    )
    func entries(exponent: Int, high: UInt64, low: UInt64) {
        #expect(Self.powers.high(exponent) == high)
        #expect(Self.powers.low(exponent) == low)
    }

    @Test("Every power of five is its predecessor times five, to 128 bits")
    func neighbours() {
        for exponent in PowersOfFive.exponents.dropLast() {
            let (lowHigh, low) = Self.powers.low(exponent).multipliedFullWidth(by: 5)
            let (top, middle) = Self.powers.high(exponent).multipliedFullWidth(by: 5)
            let (high, carry) = middle.addingReportingOverflow(lowHigh)
            // 2¹²⁸ · top + 2⁶⁴ · high + low, of which two or three bits exceed the entry.
            let overflow = top + (carry ? 1 : 0)
            let shift = UInt64(64 - overflow.leadingZeroBitCount)
            let expected = (overflow << (64 - shift) | high >> shift, high << (64 - shift) | low >> shift)
            // Truncation or rounding before the multiplication contributes at most 5 units in the last place.
            let difference = Int64(bitPattern: Self.powers.low(exponent + 1) &- expected.1)
            if Self.powers.high(exponent + 1) != expected.0 || difference.magnitude > 5 {
                Issue.record("5^\(exponent + 1)")
            }
        }
    }

    @Test("The exact powers of ten equal Swift's literals", arguments: 0...22)
    func tens(exponent: Int) {
        #expect(Self.powers.exactPowerOfTen(exponent) == Double("1e\(exponent)"))
    }
}
