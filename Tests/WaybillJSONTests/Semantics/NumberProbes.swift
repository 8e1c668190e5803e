import Foundation
import Testing

@Suite("Decoding of numbers, compared with Foundation")
struct NumberProbes {
    /// Whole numbers in every notation, and around the limits of every width.
    static let integers: [Probe] =
        Probe.each(edges + spellings, as: [Int].self, at: "Index 0#0")
        + Probe.each(edges + spellings, as: [UInt].self, at: "Index 0#0")
        + Probe.each(edges, as: [Int8].self, at: "Index 0#0") + Probe.each(edges, as: [UInt8].self, at: "Index 0#0")
        + Probe.each(edges, as: [Int16].self, at: "Index 0#0") + Probe.each(edges, as: [UInt16].self, at: "Index 0#0")
        + Probe.each(edges, as: [Int32].self, at: "Index 0#0") + Probe.each(edges, as: [UInt32].self, at: "Index 0#0")
        + Probe.each(edges + spellings, as: [Int64].self, at: "Index 0#0")
        + Probe.each(edges + spellings, as: [UInt64].self, at: "Index 0#0")

    static let edges = [
        "[0]", "[1]", "[-1]", "[127]", "[128]", "[-128]", "[-129]", "[255]", "[256]", "[32767]", "[32768]", "[-32768]",
        "[-32769]", "[65535]", "[65536]", "[2147483647]", "[2147483648]", "[-2147483648]", "[-2147483649]",
        "[4294967295]", "[4294967296]", "[9223372036854775807]", "[9223372036854775808]", "[-9223372036854775808]",
        "[-9223372036854775809]", "[18446744073709551615]", "[18446744073709551616]", "[100000000000000000000000]",
        "[170141183460469231731687303715884105727]", "[170141183460469231731687303715884105728]",
        "[-170141183460469231731687303715884105728]", "[-170141183460469231731687303715884105729]",
        "[340282366920938463463374607431768211455]", "[340282366920938463463374607431768211456]",
    ]

    static let spellings = [
        "[-0]", "[0.0]", "[-0.0]", "[0e0]", "[-0e10]", "[0e999]", "[1.0]", "[1.00000]", "[-1.0]", "[1.5]", "[-1.5]",
        "[0.5]", "[1e0]", "[1e2]", "[1E+2]", "[100e-2]", "[1e-1]", "[15e-1]", "[1.5e1]", "[1.25e1]", "[1e18]", "[1e19]",
        "[1e20]", "[1e400]", "[1e-400]", "[9007199254740991.0]", "[9007199254740992.0]", "[9007199254740993.0]",
        "[9007199254740993e0]", "[9223372036854775807.0]", "[9223372036854775808.0]", "[-9223372036854775808.0]",
        "[1.000000000000000000000000000000000001]", "[123456789012345678e1]",
    ]

    static let floats: [Probe] =
        Probe.each(floating, as: [Double].self, at: "Index 0#0")
        + Probe.each(floating, as: [Float].self, at: "Index 0#0")
        + Probe.each(["[\(longFraction)]"], as: [Double].self, at: "Index 0#0")
        + Probe.each(["[\(longFraction)]"], as: [Float].self, at: "Index 0#0")

    static let floating =
        spellings + [
            "[9007199254740993]", "[16777217]", "[18014398509481985]", "[0.1]", "[3.141592653589793]", "[1e308]",
            "[1.7976931348623157e308]", "[1.7976931348623158e308]", "[1.7976931348623159e308]", "[1e309]", "[-1e309]",
            "[4.9e-324]", "[5e-324]", "[2.4703282292062328e-324]", "[2e-324]", "[-1e-400]", "[2.2250738585072014e-308]",
            "[2.2250738585072011e-308]", "[0e-400]", "[0.000e400]", "[3.4028234663852886e38]", "[3.4028236e38]",
            "[1e39]",
            "[-1e39]", "[1e-45]", "[7e-46]", "[1e-46]", "[65504]", "[65520]", "[1e5]", "[6e-8]", "[1e-9]",
            "[1e23]", "[8.5e22]", "[123456789.123456789]", "[100000000000000000000000000000000000000000]",
            "[1e99999999999999999999]", "[1e-99999999999999999999]", "[0e99999999999999999999]",
        ]

    static let longFraction = "0." + String(repeating: "1234567890", count: 80)

    static let decimals: [Probe] =
        Probe.each(
            [
                "[0]", "[-0]", "[1]", "[-1]", "[1.0]", "[1.50]", "[0.1]", "[3.14159265358979323846264338327950288]",
                "[1e2]", "[1E-2]", "[123456789012345678901234567890]", "[-0.000000000000000001]", "[1e127]", "[1e128]",
                "[1e-127]", "[1e-128]", "[1e-129]", "[1e400]", "[1e-400]", "[0e400]",
                "[12345678901234567890123456789012345678]", "[123456789012345678901234567890123456789]",
                "[340282366920938463463374607431768211455]", "[340282366920938463463374607431768211456]",
                "[0.12345678901234567890123456789012345678]", "[0.123456789012345678901234567890123456789]",
                "[1.\(String(repeating: "0", count: 60))]", "[1\(String(repeating: "0", count: 60))]", "[79.99]",
                "[9007199254740993]", "[18446744073709551616]", "[1.1e1]", "[10000000e-7]",
            ],
            as: [Decimal].self,
            at: "Index 0#0"
        ) + Probe.each([#"["1"]"#, "[null]", "[true]", "[[]]", "[{}]"], as: [Decimal].self, at: "Index 0#0")

    /// Types that are not available on every system.
    static var wide: [Probe] {
        var probes: [Probe] = []
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            probes +=
                Probe.each(edges + spellings, as: [Int128].self, at: "Index 0#0")
                + Probe.each(edges + spellings, as: [UInt128].self, at: "Index 0#0")
        }
        #if !(os(macOS) && arch(x86_64))
            probes += Probe.each(floating, as: [Float16].self, at: "Index 0#0")
        #endif
        return probes
    }

    /// Strings for nonconforming numbers, with and without a strategy that converts them.
    static let nonConforming: [Probe] = {
        let words = [#"["inf"]"#, #"["-inf"]"#, #"["nan"]"#, #"["NaN"]"#, #"[""]"#, #"["1"]"#, "[1.5]", "[null]"]
        let settings = DecoderSettings(
            floats: .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        )
        let escaped = [#"["\u0069nf"]"#, #"["\u002dinf"]"#]
        let alike = DecoderSettings(floats: .convertFromString(positiveInfinity: "x", negativeInfinity: "x", nan: "x"))
        return Probe.each(words, as: [Double].self, "rejected", at: "Index 0#0")
            + Probe.each(words, as: [Float].self, "rejected", at: "Index 0#0")
            + Probe.each(words + escaped, as: [Double].self, "converted", settings, at: "Index 0#0")
            + Probe.each(words + escaped, as: [Float].self, "converted", settings, at: "Index 0#0")
            + Probe.each(words, as: [Int].self, "converted", settings, at: "Index 0#0")
            + Probe.each(words, as: [Decimal].self, "converted", settings, at: "Index 0#0")
            + Probe.each(words, as: [CGFloat].self, "converted", settings, at: "Index 0#0")
            + Probe.each([#"["x"]"#], as: [Double].self, "one word for all", alike, at: "Index 0#0")
            + Probe.each(["[1e400]", "[1e-400]", "[1e39]"], as: [Float].self, "converted", settings, at: "Index 0#0")
            + Probe.each(words, as: [Double?].self, "converted", settings, at: "Index 0#0")
    }()

    @Test("Decoding whole numbers matches Foundation's decoder", arguments: integers)
    func integer(probe: Probe) { probe.check() }

    @Test("Decoding floating-point numbers matches Foundation's decoder", arguments: floats)
    func float(probe: Probe) { probe.check() }

    @Test("Decoding decimal numbers matches Foundation's decoder", arguments: decimals)
    func decimal(probe: Probe) { probe.check() }

    @Test("Decoding 128-bit integers and 16-bit floats matches Foundation's decoder", arguments: wide)
    func readWide(probe: Probe) { probe.check() }

    @Test("Decoding nonconforming floating-point numbers matches Foundation's decoder", arguments: nonConforming)
    func readNonConforming(probe: Probe) { probe.check() }
}
