/// Formatting of a floating-point number as the shortest decimal text that denotes it; the closest if there are
/// several.
///
/// It uses Raffaello Giulietti's algorithm, "The Schubfach way to render doubles" (2021), with the decoder's powers of
/// five. The format is that of the standard library's `description`, but without a fraction of zero, as in Foundation:
/// `0.0001`, `9007199254740992`, `1e-05`, `1.5e+20`.
enum ShortestDecimal {
    /// The maximum number of bytes written, including temporary ones.
    static let maximumCount = 40

    /// Writes a finite number.
    ///
    /// - Returns: the end of the text; nil, with nothing written, if the number is out of range of the powers of five.
    @inline(__always)
    static func write(
        _ value: Double,
        to target: UnsafeMutablePointer<UInt8>,
        _ powers: PowersOfFive,
        _ pairs: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8>? {
        // Converts to `Int64`, because every platform has a single instruction for that.
        let whole = value.magnitude < 0x1p53 ? Int64(value.magnitude) : -1
        let integer = Double(whole) == value.magnitude ? whole : nil
        return write(value, integer: integer, exponentialFrom: 0x1p53, to: target, powers, pairs)
    }

    /// Writes a finite number.
    ///
    /// - Returns: the end of the text; nil, with nothing written, if the number is out of range of the powers of five.
    @inline(__always)
    static func write(
        _ value: Float,
        to target: UnsafeMutablePointer<UInt8>,
        _ powers: PowersOfFive,
        _ pairs: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8>? {
        let whole = value.magnitude < 0x1p24 ? Int64(value.magnitude) : -1
        let integer = Float(whole) == value.magnitude ? whole : nil
        return write(value, integer: integer, exponentialFrom: 0x1p24, to: target, powers, pairs)
    }

    /// Writes a number, given its magnitude as an integer if it is one.
    @inline(__always)
    private static func write<Format: BinaryFormat>(
        _ value: Format,
        integer: Int64?,
        exponentialFrom limit: Format,
        to target: UnsafeMutablePointer<UInt8>,
        _ powers: PowersOfFive,
        _ pairs: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8>? {
        if let integer {
            let start = sign(value.sign, target)
            return DecimalDigits.write(UInt64(truncatingIfNeeded: integer), to: start, pairs)
        }
        let magnitude = value.magnitude
        guard let digits = shortest(value, powers) else { return nil }
        let isExponential = magnitude > limit || magnitude < 1e-4
        return write(digits.0, digits.1, isExponential: isExponential, to: sign(value.sign, target), pairs)
    }

    @inline(__always)
    private static func sign(
        _ sign: FloatingPointSign,
        _ target: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        guard sign == .minus else { return target }
        target.pointee = UInt8(ascii: "-")
        return target + 1
    }

    /// Returns the digits of a positive number and the power of ten of the last digit.
    ///
    /// The result is nil if the number is out of range of the powers of five.
    @inline(never)
    static func shortest<Format: BinaryFormat>(_ value: Format, _ powers: PowersOfFive) -> (UInt64, Int)? {
        let bits = value.magnitudeBits
        let fraction = bits & (1 &<< UInt64(Format.significandBitCount) &- 1)
        let field = Int(truncatingIfNeeded: bits &>> UInt64(Format.significandBitCount))
        // The value is c · 2^q.
        let c = field == 0 ? fraction : fraction | 1 &<< UInt64(Format.significandBitCount)
        let q = max(field, 1) &- Format.exponentBias &- Format.significandBitCount
        // The spacing of values is smaller below a power of two.
        let isPower = fraction == 0 && field > 1
        let lower = 4 &* c &- (isPower ? 1 : 2)

        // ⌊log₁₀ 2^q⌋, or ⌊log₁₀ (¾ · 2^q)⌋ for a power of two.
        let k = (q &* 661_971_961_083 &- (isPower ? 274_743_187_321 : 0)) &>> 41
        guard k >= 0 &- PowersOfFive.exponents.upperBound else { return nil }
        let h = UInt64(truncatingIfNeeded: q &+ ((0 &- k) &* 913_124_641_741) &>> 38 &+ 2)
        let power = Power(0 &- k, powers)
        let middle = power.roundedToOdd(4 &* c &<< h)
        let low = power.roundedToOdd(lower &<< h)
        let high = power.roundedToOdd((4 &* c &+ 2) &<< h)

        // The interval includes its ends if the significand is even.
        let odd = c & 1
        let s = middle &>> 2
        if s >= 10 {
            let short = s / 10
            let isLowInside = low &+ odd <= 40 &* short
            let isHighInside = 40 &* (short &+ 1) &+ odd <= high
            if isLowInside != isHighInside { return withoutZeros(isLowInside ? short : short &+ 1, k &+ 1) }
        }
        let isLowInside = low &+ odd <= 4 &* s
        let isHighInside = 4 &* (s &+ 1) &+ odd <= high
        if isLowInside != isHighInside { return withoutZeros(isLowInside ? s : s &+ 1, k) }
        let half = 4 &* s &+ 2
        let isLow = middle < half || middle == half && s & 1 == 0
        return withoutZeros(isLow ? s : s &+ 1, k)
    }

    @inline(__always)
    private static func withoutZeros(_ digits: UInt64, _ exponent: Int) -> (UInt64, Int) {
        var (digits, exponent) = (digits, exponent)
        while true {
            let quotient = digits / 10
            if quotient &* 10 != digits { return (digits, exponent) }
            digits = quotient
            exponent &+= 1
        }
    }

    /// The first 126 bits of a power of ten, rounded up.
    private struct Power {
        let high: UInt64
        let low: UInt64

        @inline(__always)
        init(_ exponent: Int, _ powers: PowersOfFive) {
            var (high, low) = (powers.high(exponent), powers.low(exponent))
            if exponent < 0, exponent >= -27 {
                // In the table, these powers are rounded up.
                if low == 0 { high &-= 1 }
                low &-= 1
            }
            low = high &<< 62 | low &>> 2
            high &>>= 2
            low &+= 1
            if low == 0 { high &+= 1 }
            self.high = high &<< 1 | low &>> 63
            self.low = low & (1 &<< 63 &- 1)
        }

        /// Returns the product with a number; its last bit is set if any discarded bit is.
        @inline(__always)
        func roundedToOdd(_ factor: UInt64) -> UInt64 {
            let mask: UInt64 = 1 &<< 63 &- 1
            let lower = low.multipliedFullWidth(by: factor).high
            let upper = high.multipliedFullWidth(by: factor)
            let sum = upper.low &>> 1 &+ lower
            return upper.high &+ sum &>> 63 | (sum & mask &+ mask) &>> 63
        }
    }

    /// Writes digits with a decimal point or an exponent.
    @inline(__always)
    private static func write(
        _ digits: UInt64,
        _ exponent: Int,
        isExponential: Bool,
        to target: UnsafeMutablePointer<UInt8>,
        _ pairs: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let count = DecimalDigits.count(of: digits)
        // The number of digits before the decimal point.
        let point = count &+ exponent
        if isExponential {
            return writeExponential(digits, count, exponent: point &- 1, to: target, pairs)
        }
        if point <= 0 {
            target[0] = UInt8(ascii: "0")
            target[1] = UInt8(ascii: ".")
            for index in 0..<(0 &- point) { target[2 &+ index] = UInt8(ascii: "0") }
            let end = target + (2 &- point &+ count)
            DecimalDigits.write(digits, before: end, pairs)
            return end
        }
        if point >= count {
            let end = target + count
            DecimalDigits.write(digits, before: end, pairs)
            for index in 0..<(point &- count) { end[index] = UInt8(ascii: "0") }
            return target + point
        }
        let end = target + (count &+ 1)
        DecimalDigits.write(digits, before: end, pairs)
        for index in 0..<point { target[index] = target[index &+ 1] }
        target[point] = UInt8(ascii: ".")
        return end
    }

    @inline(never)
    private static func writeExponential(
        _ digits: UInt64,
        _ count: Int,
        exponent: Int,
        to target: UnsafeMutablePointer<UInt8>,
        _ pairs: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var end = target + (count &+ 1)
        DecimalDigits.write(digits, before: end, pairs)
        target[0] = target[1]
        if count == 1 { end -= 1 } else { target[1] = UInt8(ascii: ".") }
        end[0] = UInt8(ascii: "e")
        end[1] = exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
        end += 2
        let magnitude = UInt64(exponent.magnitude)
        if magnitude < 10 {
            end.pointee = UInt8(ascii: "0")
            end += 1
        }
        return DecimalDigits.write(magnitude, to: end, pairs)
    }
}
