import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Parsing of integers")
struct IntegerTests {
    private static func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ text: String) -> Integer? {
        text.asDigits { ExactNumber.integer(type, digits: $0) }
    }

    /// Returns an integer in several notations.
    private static func spellings(_ digits: String) -> [String] {
        let sign = digits.hasPrefix("-") ? "-" : ""
        let magnitude = digits.drop { $0 == "-" }
        return [
            digits, "\(digits).0", "\(digits)e0", "\(digits)000e-3", "\(digits).000e+0",
            "\(sign)0.00\(magnitude)e\(magnitude.count + 2)",
            "\(sign)\(magnitude.prefix(1)).\(magnitude.dropFirst())0E+\(magnitude.count - 1)",
            "\(digits)\(String(repeating: "0", count: 1_000))e-1000",
        ]
    }

    private static func check<Integer: FixedWidthInteger>(_ type: Integer.Type) {
        for limit in [Integer.min, .max, 0, 1] {
            for text in spellings("\(limit)") { #expect(integer(type, text) == limit, "\(text)") }
        }
        // No limit ends in a nine.
        let (above, below) = (next("\(Integer.max)"), Integer.isSigned ? next("\(Integer.min)") : "-1")
        for text in spellings(above) + spellings(below) { #expect(integer(type, text) == nil, "\(text)") }
        #expect(integer(type, "\(Integer.max)0") == nil)
        #expect(integer(type, "\(Integer.max)e1") == nil)
        #expect(integer(type, "\(Integer.max).5") == nil)
        #expect(integer(type, "\(Integer.max)e-1") == nil)
    }

    /// Returns the text of a number with its last digit incremented.
    private static func next(_ text: String) -> String {
        String(text.dropLast()) + String(text.last?.wholeNumberValue.map { $0 + 1 } ?? 0)
    }

    @Test("An integer of every width is parsed up to its limits in every notation")
    func limits() {
        Self.check(Int8.self)
        Self.check(Int16.self)
        Self.check(Int32.self)
        Self.check(Int64.self)
        Self.check(Int.self)
        Self.check(UInt8.self)
        Self.check(UInt16.self)
        Self.check(UInt32.self)
        Self.check(UInt64.self)
        Self.check(UInt.self)
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            Self.check(Int128.self)
            Self.check(UInt128.self)
        }
    }

    @Test(
        "A number without a fraction is parsed as an integer in any notation",
        arguments: [
            ("1.0", 1), ("1e2", 100), ("1.50e1", 15), ("100e-2", 1), ("-0", 0), ("0e999999999999", 0), ("-0.0", 0),
            ("0e-99999999999999999999", 0), ("-12.5E+1", -125), ("0.001e3", 1), ("1.270e2", 127), ("-128.00", -128),
        ]
    )
    func integers(text: String, value: Int) {
        #expect(Self.integer(Int.self, text) == value)
        #expect(Self.integer(Int8.self, text) == Int8(exactly: value))
        #expect(Self.integer(UInt16.self, text) == UInt16(exactly: value))
    }

    @Test(
        "A number with a fraction or beyond the range of every width is not an integer",
        arguments: [
            "1.5", "-0.5", "1e-1", "15e-1", "100e-3", "1e-99999999999999999999", "0.1e0",
            "1.00000000000000000000000000001",
            "1e99999999999999999999", "-1e18446744073709551616", "1e9223372036854775807", "1e40",
            "1e-9223372036854775808",
        ]
    )
    func others(text: String) {
        #expect(Self.integer(Int64.self, text) == nil)
        #expect(Self.integer(UInt64.self, text) == nil)
        #expect(Self.integer(Int8.self, text) == nil)
    }

    @Test("2,000 random integers of several widths are parsed in every notation")
    func random() {
        func check<Integer: FixedWidthInteger>(_ type: Integer.Type) {
            var generator = SplitMix64(seed: UInt64(Integer.bitWidth))
            for index in 0..<2_000 {
                let value =
                    Integer.random(in: .min ... .max, using: &generator)
                    >> Int.random(in: 0..<Integer.bitWidth, using: &generator)
                let spellings = Self.spellings("\(value)")
                let text = spellings[index % (spellings.count - 1)]
                if Self.integer(type, text) != value { Issue.record("\(type): \(text)") }
            }
        }
        check(Int16.self)
        check(UInt32.self)
        check(Int64.self)
        check(UInt64.self)
    }

    @Test("A sign and a mantissa yield an integer unless it is out of range")
    func mantissas() {
        func check<Integer: FixedWidthInteger>(_ type: Integer.Type) {
            let edges: [UInt64] = [1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1 << 63]
            let mantissas = edges.flatMap { [$0 - 1, $0, $0 + 1] } + [0, 1, .max]
            for mantissa in mantissas {
                #expect(ExactNumber.integer(type, isNegative: false, mantissa: mantissa) == Integer("\(mantissa)"))
                #expect(ExactNumber.integer(type, isNegative: true, mantissa: mantissa) == Integer("-\(mantissa)"))
            }
        }
        check(Int8.self)
        check(Int16.self)
        check(Int32.self)
        check(Int64.self)
        check(UInt8.self)
        check(UInt16.self)
        check(UInt32.self)
        check(UInt64.self)
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            check(Int128.self)
            check(UInt128.self)
        }
    }
}
