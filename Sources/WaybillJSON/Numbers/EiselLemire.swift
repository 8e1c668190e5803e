/// The nearest floating-point value of a decimal number, by one or two multiplications of 64 bits.
///
/// Rounding is to nearest, ties to even. If a number and its power of ten are exact in the format, one division or
/// multiplication is (Clinger, 1990). Else a product with 128 bits of a power of five always decides, as the mantissa
/// has at most 64 bits (Lemire, 2021; Mushtak and Lemire, "Fast number parsing without fallback", 2023).
///
/// All results are magnitudes: infinity if they are too large, zero if they are too small.
enum EiselLemire {
    /// Returns the value nearest to `mantissa` · 10^`exponent`.
    @inline(__always)
    static func double(mantissa: UInt64, exponent: Int, powers: PowersOfFive) -> Double {
        nearest(mantissa: mantissa, exponent: exponent, powers: powers)
    }

    /// Returns the value nearest to a number that begins with the digits of `mantissa`; nil if the digits cut off
    /// matter.
    ///
    /// The number is at least `mantissa` · 10^`exponent` and below (`mantissa` + 1) · 10^`exponent`.
    @inline(never)
    static func double(truncatedMantissa mantissa: UInt64, exponent: Int, powers: PowersOfFive) -> Double? {
        nearest(truncatedMantissa: mantissa, exponent: exponent, powers: powers)
    }

    /// Returns the value nearest to `mantissa` · 10^`exponent`, without a `Double` in between, which would round twice.
    @inline(__always)
    static func float(mantissa: UInt64, exponent: Int, powers: PowersOfFive) -> Float {
        nearest(mantissa: mantissa, exponent: exponent, powers: powers)
    }

    /// Returns the value nearest to a number that begins with the digits of `mantissa`; nil if the digits cut off
    /// matter.
    ///
    /// The number is at least `mantissa` · 10^`exponent` and below (`mantissa` + 1) · 10^`exponent`.
    @inline(never)
    static func float(truncatedMantissa mantissa: UInt64, exponent: Int, powers: PowersOfFive) -> Float? {
        nearest(truncatedMantissa: mantissa, exponent: exponent, powers: powers)
    }

    @inline(__always)
    static func nearest<Format: BinaryFormat>(mantissa: UInt64, exponent: Int, powers: PowersOfFive) -> Format {
        let highest = Format.highestExactPowerOfTen
        if mantissa &>> UInt64(Format.significandBitCount &+ 1) == 0, exponent >= 0 &- highest, exponent <= highest {
            return Format.product(mantissa, powerOfTen: exponent, powers: powers)
        }
        return rounded(mantissa: mantissa, exponent: exponent, powers: powers)
    }

    @inline(__always)
    static func nearest<Format: BinaryFormat>(
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

        // The fraction's bits, the leading one, one to round by, and one that is lost if the product is below ½.
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
        // 217706 / 2¹⁶ is log₂ 10, near enough for these exponents.
        let binaryExponent = (217_706 &* exponent) &>> 16 &+ 63
        var field = binaryExponent &+ Int(truncatingIfNeeded: isUpper) &- leadingZeros &+ Format.exponentBias

        if field <= 0 {
            // Below the normal values the exponent is fixed, and bits are lost instead.
            if field <= -63 { return 0 }
            significand &>>= UInt64(1 &- field)
            significand = (significand &+ significand & 1) &>> 1
            // Rounding up to the first normal value sets the lowest bit of the exponent's field by itself.
            return Format(magnitudeBits: significand)
        }
        if low <= 1, significand & 3 == 1, Format.tiedPowersOfTen.contains(exponent), significand &<< shift == high {
            // Exactly halfway, with an even value below.
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
