/// Numbers of any length, read from their text without an error of its own.
///
/// The text is grammatical (RFC 8259, section 6), with its sign. Costs grow with its length; neither an exponent nor
/// the digits that come after those that can matter add to it.
enum ExactNumber {
    /// Returns the value nearest to a number, ties to even: infinite if it is too large, and zero if it is too small.
    static func double(digits: UnsafeBufferPointer<UInt8>) -> Double { nearest(digits) }

    /// Returns the value nearest to a number, ties to even: infinite if it is too large, and zero if it is too small.
    static func float(digits: UnsafeBufferPointer<UInt8>) -> Float { nearest(digits) }

    /// Returns one of 10⁰...10¹⁹.
    static func powerOfTen(_ exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power &*= 10 }
        return power
    }

    private static func nearest<Format: BinaryFormat>(_ digits: UnsafeBufferPointer<UInt8>) -> Format {
        let text = NumberText(digits)
        var leading = text
        let count = min(text.digitCount, 19)
        let mantissa = leading.read(count)
        let exponent = text.exponent + text.digitCount - count
        let powers = PowersOfFive.shared
        let magnitude: Format
        if count == text.digitCount {
            magnitude = EiselLemire.nearest(mantissa: mantissa, exponent: exponent, powers: powers)
        } else if let value: Format = EiselLemire.nearest(
            truncatedMantissa: mantissa,
            exponent: exponent,
            powers: powers
        ) {
            magnitude = value
        } else {
            // Nineteen digits narrow it down to two neighbours, and this is the lower one.
            magnitude = nearest(text, from: EiselLemire.nearest(mantissa: mantissa, exponent: exponent, powers: powers))
        }
        return text.isNegative ? -magnitude : magnitude
    }

    /// Returns the one of a value and the next above it that is nearer to a number, by comparing it with their
    /// midpoint.
    private static func nearest<Format: BinaryFormat>(_ text: NumberText, from low: Format) -> Format {
        let field = Int(low.magnitudeBits >> UInt64(Format.significandBitCount))
        var significand = low.magnitudeBits & ((1 << UInt64(Format.significandBitCount)) - 1)
        if field > 0 { significand |= 1 << UInt64(Format.significandBitCount) }
        var halfway = BigNatural(2 * significand + 1)
        let halfwayExponent = max(field, 1) - Format.exponentBias - Format.significandBitCount - 1

        var (number, exponent) = BigNatural.leadingDigits(of: text)
        if exponent < 0 {
            halfway.multiplyByPowerOfFive(-exponent)
        } else {
            number.multiplyByPowerOfFive(exponent)
        }
        if exponent < halfwayExponent {
            halfway.shiftLeft(by: halfwayExponent - exponent)
        } else {
            number.shiftLeft(by: exponent - halfwayExponent)
        }
        let isUpper = number > halfway || (number == halfway && significand % 2 == 1)
        return isUpper ? low.nextUp : low
    }
}

extension BigNatural {
    /// Returns a number's digits and the power of ten of the last one.
    ///
    /// No value halfway between two of a `Double` has more than 768 digits. So of those beyond 800 it matters only that
    /// there are some, and a single 1 replaces them.
    fileprivate static func leadingDigits(of text: NumberText) -> (number: BigNatural, exponent: Int) {
        var text = text
        var number = BigNatural(0)
        let count = min(text.digitCount, 800)
        for start in stride(from: 0, to: count, by: 19) {
            let length = min(19, count - start)
            number.multiply(by: ExactNumber.powerOfTen(length), adding: text.read(length))
        }
        guard text.digitCount > count else { return (number, text.exponent) }
        number.multiply(by: 10, adding: 1)
        return (number, text.exponent + text.digitCount - count - 1)
    }
}
