import WaybillSystem

/// Correctly rounded or exact conversion of number texts of any length.
///
/// The text must be a valid JSON number (RFC 8259, section 6). The cost depends on its length but not on the exponent;
/// digits that cannot affect the result are only scanned.
enum ExactNumber {
    /// Returns a power of ten: 10⁰...10¹⁹.
    static func powerOfTen(_ exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power &*= 10 }
        return power
    }

    /// Returns the value nearest to a number, ties to even: infinity if the number is too large, zero if it is too
    /// small.
    static func floatingPoint<Format: BinaryFormat>(
        _ type: Format.Type,
        digits: UnsafeBufferPointer<UInt8>
    ) -> Format {
        let text = NumberText(digits)
        var leading = text
        let count = min(text.digitCount, 19)
        let mantissa = leading.read(count)
        let exponent = text.exponent + text.digitCount - count
        let powers = PowersOfFive.shared
        let magnitude: Format
        if count == text.digitCount {
            magnitude = EiselLemire.value(mantissa: mantissa, exponent: exponent, powers: powers)
        } else if let value: Format = EiselLemire.value(
            truncatedMantissa: mantissa,
            exponent: exponent,
            powers: powers
        ) {
            magnitude = value
        } else {
            // Nineteen digits leave two candidates, of which this is the lower one.
            magnitude = rounded(text, from: EiselLemire.value(mantissa: mantissa, exponent: exponent, powers: powers))
        }
        return text.isNegative ? -magnitude : magnitude
    }

    /// Returns whichever is nearer to a number, a value or the next higher one.
    ///
    /// The number is compared to their midpoint.
    private static func rounded<Format: BinaryFormat>(_ text: NumberText, from low: Format) -> Format {
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
    /// The midpoint of two adjacent `Double` values has at most 768 digits. After the first 800 digits, it only matters
    /// whether more follow, so a single 1 represents the rest.
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

extension ExactNumber {
    /// Returns the integer that a number denotes in any notation, such as `1.0`, `1e2` or `100e-2`.
    ///
    /// The result is nil if the number has a fraction or is out of range.
    static func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type,
        digits: UnsafeBufferPointer<UInt8>
    ) -> Integer? {
        var text = NumberText(digits)
        // A decimal digit takes more than three bits. This check also limits the number of appended zeros.
        guard text.exponent >= 0, text.digitCount + text.exponent <= Integer.bitWidth / 3 + 1 else { return nil }
        var value: Integer = 0
        for place in 0..<(text.digitCount + text.exponent) {
            let digit = Integer(truncatingIfNeeded: place < text.digitCount ? text.read(1) : 0)
            let (product, productOverflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflows) =
                text.isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if productOverflows || sumOverflows { return nil }
            value = sum
        }
        return value
    }

    /// Returns the integer with a sign and a magnitude; nil if it is out of range.
    @inline(__always)
    static func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type,
        isNegative: Bool,
        mantissa: UInt64
    ) -> Integer? {
        if !isNegative { return Integer(exactly: mantissa) }
        guard mantissa <= UInt64(clamping: Integer.min.magnitude) else { return nil }
        return 0 &- Integer(truncatingIfNeeded: mantissa)
    }

    /// Returns the decimal that a number denotes; nil if `Decimal` cannot represent it exactly.
    ///
    /// A `Decimal` has a mantissa below 2¹²⁸, without trailing zeros, and an exponent from -128 to 127.
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

    /// Returns the decimal ±`mantissa` · 10^`exponent`; nil if `Decimal` cannot represent it exactly.
    @inline(__always)
    static func decimal(isNegative: Bool, mantissa: UInt64, exponent: Int) -> Decimal? {
        // This fits even if up to 19 trailing zeros move from the mantissa into the exponent.
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

    /// Returns the decimal for a mantissa without trailing zeros.
    private static func decimal(
        isNegative: Bool,
        mantissa: (high: UInt64, low: UInt64),
        exponent: Int
    ) -> Decimal? {
        // `Decimal` represents NaN as a negative zero.
        if mantissa == (0, 0) { return 0 }
        guard exponent >= -128, exponent <= 127 else { return nil }
        var significand = Decimal(mantissa.low)
        if mantissa.high > 0 { significand += Decimal(mantissa.high) * (Decimal(UInt64.max) + 1) }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    /// Returns `factor` · `other` + `summand`; nil if the result exceeds 128 bits.
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

/// The components of a number's text (RFC 8259, section 6), of any length.
///
/// The value is the digits without leading and trailing zeros, multiplied by ten to the power of `exponent`.
struct NumberText {
    let isNegative: Bool
    /// The number of digits from the first nonzero digit to the last one; 0 for zero.
    let digitCount: Int
    /// The power of ten of the last of these digits.
    let exponent: Int

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The index of the next digit to read; at first, that of the first nonzero digit.
    private var index: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        isNegative = bytes.first == UInt8(ascii: "-")
        var end = isNegative ? 1 : 0
        var point: Int?
        var first: Int?
        var last = 0
        scan: while end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "0"): break
            case UInt8(ascii: "."): point = end
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            default:
                first = first ?? end
                last = end
            }
            end += 1
        }
        guard let first else {
            (digitCount, exponent, index) = (0, 0, end)
            return
        }
        index = first
        let onset = point ?? end
        digitCount = last - first + (first < onset && onset < last ? 0 : 1)
        let place = last < onset ? onset - last - 1 : onset - last
        exponent = place + Self.exponent(of: bytes[end...])
    }

    /// Returns the number denoted by the next digits, at most 19; the caller must not read past the last nonzero digit.
    mutating func read(_ count: Int) -> UInt64 {
        var number: UInt64 = 0
        var rest = count
        while rest > 0, index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ".") { continue }
            number = number &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
            rest -= 1
        }
        return number
    }

    /// Returns the exponent after the `e`; very large exponents are capped at a value that no number of digits can
    /// offset.
    private static func exponent(of part: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var part = part.dropFirst()
        let isNegative = part.first == UInt8(ascii: "-")
        if isNegative || part.first == UInt8(ascii: "+") { part.removeFirst() }
        var exponent = 0
        for byte in part where exponent < Int.max / 100 { exponent = exponent * 10 + Int(byte &- UInt8(ascii: "0")) }
        return isNegative ? -exponent : exponent
    }
}
