import WaybillSystem

extension ExactNumber {
    /// Returns the decimal of a number; nil if no `Decimal` holds it without loss.
    ///
    /// A `Decimal` holds a mantissa below 2¹²⁸, without zeros at its end, and powers of ten from -128 to 127.
    static func decimal(digits: UnsafeBufferPointer<UInt8>) -> Decimal? {
        var text = NumberText(digits)
        guard text.digitCount <= 39 else { return nil }
        var mantissa: (high: UInt64, low: UInt64) = (0, 0)
        for start in stride(from: 0, to: text.digitCount, by: 19) {
            let length = min(19, text.digitCount - start)
            guard let longer = product(mantissa, powerOfTen(length), adding: text.read(length)) else { return nil }
            mantissa = longer
        }
        return decimal(isNegative: text.isNegative, mantissa: mantissa, exponent: text.exponent)
    }

    /// Returns the decimal ±`mantissa` · 10^`exponent`; nil if no `Decimal` holds it without loss.
    @inline(__always)
    static func decimal(isNegative: Bool, mantissa: UInt64, exponent: Int) -> Decimal? {
        // With up to 19 zeros at its end moved into the exponent, this always fits.
        if mantissa != 0, exponent >= -128, exponent <= 108 {
            return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(mantissa))
        }
        return uncommonDecimal(isNegative: isNegative, mantissa: mantissa, exponent: exponent)
    }

    @inline(never)
    private static func uncommonDecimal(isNegative: Bool, mantissa: UInt64, exponent: Int) -> Decimal? {
        guard mantissa == 0 || (exponent >= -147 && exponent <= 127) else { return nil }
        var (mantissa, exponent) = (mantissa, exponent)
        while mantissa != 0, mantissa % 10 == 0 {
            mantissa /= 10
            exponent += 1
        }
        return decimal(isNegative: isNegative, mantissa: (0, mantissa), exponent: exponent)
    }

    /// Returns the decimal of a mantissa that does not end with a zero.
    private static func decimal(
        isNegative: Bool,
        mantissa: (high: UInt64, low: UInt64),
        exponent: Int
    ) -> Decimal? {
        // A zero with a sign is how `Decimal` spells NaN.
        if mantissa == (0, 0) { return 0 }
        guard exponent >= -128, exponent <= 127 else { return nil }
        var significand = Decimal(mantissa.low)
        if mantissa.high > 0 { significand += Decimal(mantissa.high) * (Decimal(UInt64.max) + 1) }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    /// Returns `factor` · `other` + `summand`; nil if that has more than 128 bits.
    private static func product(
        _ factor: (high: UInt64, low: UInt64),
        _ other: UInt64,
        adding summand: UInt64
    ) -> (high: UInt64, low: UInt64)? {
        let lower = factor.low.multipliedFullWidth(by: other)
        let upper = factor.high.multipliedFullWidth(by: other)
        let (low, carry) = lower.low.addingReportingOverflow(summand)
        let (high, overflow) = upper.low.addingReportingOverflow(lower.high &+ (carry ? 1 : 0))
        return upper.high == 0 && !overflow ? (high, low) : nil
    }
}
