/// Conversion of decimal numbers to the nearest floating-point value, with one or two 64-bit multiplications.
///
/// Rounds to nearest, ties to even. If the mantissa and the power of ten are exact in the format, a single division or
/// multiplication is enough (Clinger, 1990). Otherwise, a product with 128 bits of a power of five is always
/// sufficient, because the mantissa has at most 64 bits (Lemire, 2021; Mushtak and Lemire, "Fast number parsing without
/// fallback", 2023).
///
/// All results are magnitudes: infinity if the number is too large, zero if it is too small.
enum EiselLemire {
    /// Returns the value nearest to `mantissa` · 10^`exponent`.
    ///
    /// A `Float` is computed directly, because converting via `Double` would round twice.
    @inline(__always)
    static func value<Format: BinaryFormat>(mantissa: UInt64, exponent: Int, powers: PowersOfFive) -> Format {
        let highest = Format.highestExactPowerOfTen
        if mantissa &>> UInt64(Format.significandBitCount &+ 1) == 0, exponent >= 0 &- highest, exponent <= highest {
            return Format.product(mantissa, powerOfTen: exponent, powers: powers)
        }
        return rounded(mantissa: mantissa, exponent: exponent, powers: powers)
    }

    /// Returns the value nearest to a number that begins with the digits of `mantissa`; nil if the result depends on
    /// the truncated digits.
    ///
    /// The number is at least `mantissa` · 10^`exponent` and less than (`mantissa` + 1) · 10^`exponent`.
    @inline(__always)
    static func value<Format: BinaryFormat>(
        truncatedMantissa mantissa: UInt64,
        exponent: Int,
        powers: PowersOfFive
    ) -> Format? {
        let low: Format = rounded(mantissa: mantissa, exponent: exponent, powers: powers)
        let high: Format = rounded(mantissa: mantissa &+ 1, exponent: exponent, powers: powers)
        return low == high ? low : nil
    }

    @inline(__always)
    private static func rounded<Format: BinaryFormat>(
        mantissa: UInt64,
        exponent: Int,
        powers: PowersOfFive
    ) -> Format {
        if mantissa == 0 || exponent < Format.powersOfTen.lowerBound { return 0 }
        if exponent > Format.powersOfTen.upperBound { return .infinity }

        // The fraction bits, the leading bit, a rounding bit, and one more bit that is lost if the product is below ½.
        let precision = UInt64(Format.significandBitCount &+ 3)
        let leadingZeros = mantissa.leadingZeroBitCount
        let factor = mantissa &<< UInt64(leadingZeros)
        var (high, low) = factor.multipliedFullWidth(by: powers.high(exponent))
        let undecided = UInt64.max &>> precision
        if high & undecided == undecided {
            let correction = factor.multipliedFullWidth(by: powers.low(exponent)).high
            low &+= correction
            if low < correction { high &+= 1 }
        }

        let isUpper = high &>> 63
        let shift = isUpper &+ 64 &- precision
        var significand = high &>> shift
        // 217706 / 2¹⁶ approximates log₂ 10 closely enough for these exponents.
        let binaryExponent = (217_706 &* exponent) &>> 16 &+ 63
        var field = binaryExponent &+ Int(truncatingIfNeeded: isUpper) &- leadingZeros &+ Format.exponentBias

        if field <= 0 {
            // Below the normal range, the exponent is fixed and significant bits are lost instead.
            if field <= -63 { return 0 }
            significand &>>= UInt64(1 &- field)
            significand = (significand &+ significand & 1) &>> 1
            // Rounding up to the first normal value sets the lowest bit of the exponent field automatically.
            return Format(magnitudeBits: significand)
        }
        if low <= 1, significand & 3 == 1, Format.tiedPowersOfTen.contains(exponent), significand &<< shift == high {
            // The number is exactly halfway, and the lower value is even.
            significand &= ~1
        }
        significand = (significand &+ significand & 1) &>> 1
        if significand &>> UInt64(Format.significandBitCount &+ 1) != 0 {
            significand &>>= 1
            field &+= 1
        }
        if field >= Format.infiniteExponentField { return .infinity }
        let fraction = significand & ((1 &<< UInt64(Format.significandBitCount)) &- 1)
        return Format(
            magnitudeBits: UInt64(truncatingIfNeeded: field) &<< UInt64(Format.significandBitCount) | fraction
        )
    }
}

/// The parameters of a binary floating-point format (IEEE 754) for the conversion from decimal.
protocol BinaryFormat: BinaryFloatingPoint {
    /// The powers of ten whose products with nonzero 64-bit numbers are not always zero or infinity.
    static var powersOfTen: ClosedRange<Int> { get }
    /// The powers of ten for which such a product can be halfway between two values of the format.
    static var tiedPowersOfTen: ClosedRange<Int> { get }
    /// The highest power of ten that the format represents exactly.
    static var highestExactPowerOfTen: Int { get }

    /// Creates a magnitude from its bits.
    init(magnitudeBits: UInt64)
    var magnitudeBits: UInt64 { get }
    /// Returns a number that fits into the significand, multiplied or divided by an exact power of ten.
    static func product(_ significand: UInt64, powerOfTen exponent: Int, powers: PowersOfFive) -> Self
}

extension BinaryFormat {
    /// The exponent field of infinity.
    @inline(__always)
    static var infiniteExponentField: Int { 1 &<< exponentBitCount &- 1 }
    @inline(__always)
    static var exponentBias: Int { 1 &<< (exponentBitCount &- 1) &- 1 }
}

extension Double: BinaryFormat {
    @inline(__always)
    static var powersOfTen: ClosedRange<Int> { -342...308 }
    @inline(__always)
    static var tiedPowersOfTen: ClosedRange<Int> { -4...23 }
    @inline(__always)
    static var highestExactPowerOfTen: Int { 22 }

    @inline(__always)
    init(magnitudeBits: UInt64) { self.init(bitPattern: magnitudeBits) }
    @inline(__always)
    var magnitudeBits: UInt64 { magnitude.bitPattern }

    @inline(__always)
    static func product(_ significand: UInt64, powerOfTen exponent: Int, powers: PowersOfFive) -> Double {
        let value = Double(Int64(truncatingIfNeeded: significand))
        return exponent < 0
            ? value / powers.exactPowerOfTen(0 &- exponent) : value * powers.exactPowerOfTen(exponent)
    }
}

extension Float: BinaryFormat {
    @inline(__always)
    static var powersOfTen: ClosedRange<Int> { -64...38 }
    @inline(__always)
    static var tiedPowersOfTen: ClosedRange<Int> { -17...10 }
    @inline(__always)
    static var highestExactPowerOfTen: Int { 10 }

    @inline(__always)
    init(magnitudeBits: UInt64) { self.init(bitPattern: UInt32(truncatingIfNeeded: magnitudeBits)) }
    @inline(__always)
    var magnitudeBits: UInt64 { UInt64(magnitude.bitPattern) }

    @inline(__always)
    static func product(_ significand: UInt64, powerOfTen exponent: Int, powers: PowersOfFive) -> Float {
        let value = Float(Int64(truncatingIfNeeded: significand))
        return exponent < 0
            ? value / Float(powers.exactPowerOfTen(0 &- exponent)) : value * Float(powers.exactPowerOfTen(exponent))
    }
}

/// The first 128 bits of the powers of five in the range of binary floating point, and the exact powers of ten.
///
/// The highest bit of each entry is set. Lower bits are truncated, but the reciprocals of 5¹...5²⁷ are rounded up,
/// which keeps exact quotients exact (Lemire, "Number parsing at a gigabyte per second", 2021).
///
/// Read `shared` once before a loop over many numbers.
struct PowersOfFive: Sendable {
    /// The shared table, computed on first use in well under a millisecond, and never freed.
    static let shared = PowersOfFive()

    static let exponents = -342...308

    // Points to the entry of 5⁰. Sharing is safe: the memory is initialized before this value exists, and never mutated
    // afterwards.
    private nonisolated(unsafe) let words: UnsafePointer<UInt64>

    @inline(__always)
    func high(_ exponent: Int) -> UInt64 { words[2 &* exponent] }

    @inline(__always)
    func low(_ exponent: Int) -> UInt64 { words[2 &* exponent &+ 1] }

    /// Returns a power of ten that `Double` represents exactly: 10⁰...10²².
    @inline(__always)
    func exactPowerOfTen(_ exponent: Int) -> Double {
        Double(bitPattern: words[2 &* (Self.exponents.upperBound &+ 1) &+ exponent])
    }

    private init() {
        let entries = Self.exponents
        let capacity = 2 * entries.count + 23
        let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        memory.initialize(repeating: 0, count: capacity)
        let origin = memory - 2 * entries.lowerBound

        var power = BigNatural(1)
        for exponent in 0...entries.upperBound {
            (origin[2 * exponent], origin[2 * exponent + 1]) = power.leadingBits
            power.multiply(by: 5)
        }
        // More than 128 bits of 2¹⁰²⁴ remain after the last division.
        var reciprocal = BigNatural.powerOfTwo(1024)
        for exponent in (entries.lowerBound...(-1)).reversed() {
            reciprocal.divideByFive()
            var (high, low) = reciprocal.leadingBits
            if exponent >= -27 {
                low &+= 1
                if low == 0 { high &+= 1 }
            }
            (origin[2 * exponent], origin[2 * exponent + 1]) = (high, low)
        }
        var ten = 1.0
        for exponent in 0...22 {
            origin[2 * (entries.upperBound + 1) + exponent] = ten.bitPattern
            ten *= 10
        }
        words = UnsafePointer(origin)
    }
}
