/// Formatting of floating-point numbers as the shortest decimal text that denotes them; if there are several, the
/// closest.
///
/// It uses Raffaello Giulietti's algorithm, "The Schubfach way to render doubles" (2021), with the decoder's powers of
/// five. The format matches the standard library's `description`, but omits a zero fraction, like Foundation: `0.0001`,
/// `9007199254740992`, `1e-05`, `1.5e+20`.
enum ShortestDecimal {
    /// Writes a finite number.
    ///
    /// - Returns: the end of the text; nil, with nothing written, if the number is out of range of the powers of five.
    @inline(__always)
    static func write(
        _ value: Double,
        to target: UnsafeMutablePointer<UInt8>,
        _ powers: PowersOfFive
    ) -> UnsafeMutablePointer<UInt8>? {
        // Converts to `Int64`, which takes a single instruction on every platform.
        let whole = value.magnitude < 0x1p53 ? Int64(value.magnitude) : -1
        let integer = Double(whole) == value.magnitude ? whole : nil
        if integer == nil, let digits = thousandths(value.magnitude) {
            return write(digits.0, digits.1, isExponential: false, to: sign(value.sign, target))
        }
        return write(value, integer: integer, exponentialFrom: 0x1p53, to: target, powers)
    }

    /// Writes a finite number.
    ///
    /// - Returns: the end of the text; nil, with nothing written, if the number is out of range of the powers of five.
    @inline(__always)
    static func write(
        _ value: Float,
        to target: UnsafeMutablePointer<UInt8>,
        _ powers: PowersOfFive
    ) -> UnsafeMutablePointer<UInt8>? {
        let whole = value.magnitude < 0x1p24 ? Int64(value.magnitude) : -1
        let integer = Float(whole) == value.magnitude ? whole : nil
        return write(value, integer: integer, exponentialFrom: 0x1p24, to: target, powers)
    }

    /// Writes a number, given its magnitude if that is an integer.
    @inline(__always)
    private static func write<Format: BinaryFormat>(
        _ value: Format,
        integer: Int64?,
        exponentialFrom limit: Format,
        to target: UnsafeMutablePointer<UInt8>,
        _ powers: PowersOfFive
    ) -> UnsafeMutablePointer<UInt8>? {
        if let integer {
            let start = sign(value.sign, target)
            return DecimalDigits.write(UInt64(truncatingIfNeeded: integer), to: start)
        }
        let magnitude = value.magnitude
        guard let digits = shortest(value, powers) else { return nil }
        let isExponential = magnitude > limit || magnitude < 1e-4
        return write(digits.0, digits.1, isExponential: isExponential, to: sign(value.sign, target))
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

    /// Returns the digits of a positive number with at most three decimals, and the power of ten of the last digit; nil
    /// for other numbers.
    ///
    /// Two decimal numbers of up to 15 digits never denote the same `Double`, so these digits are the shortest.
    /// Formatting a price takes a fifth of the instructions of ``shortest(_:_:)``.
    @inline(__always)
    private static func thousandths(_ magnitude: Double) -> (UInt64, Int)? {
        let product = magnitude * 1000
        guard product < 0x1p49 else { return nil }
        let digits = Int64(product + 0.5)
        guard Double(digits) / 1000 == magnitude else { return nil }
        return withoutZeros(UInt64(truncatingIfNeeded: digits), -3)
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

        /// Returns the product with a number; the last bit is set if any discarded bit is.
        @inline(__always)
        func roundedToOdd(_ factor: UInt64) -> UInt64 {
            let mask: UInt64 = 1 &<< 63 &- 1
            let lower = low.multipliedFullWidth(by: factor).high
            let upper = high.multipliedFullWidth(by: factor)
            let sum = upper.low &>> 1 &+ lower
            return upper.high &+ sum &>> 63 | (sum & mask &+ mask) &>> 63
        }
    }

    /// Writes at most 17 digits with a decimal point or an exponent.
    @inline(__always)
    private static func write(
        _ digits: UInt64,
        _ exponent: Int,
        isExponential: Bool,
        to target: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let end = DecimalDigits.write(digits, to: target)
        // The number of digits before the decimal point.
        let point = (end - target) &+ exponent
        if isExponential { return writeExponent(point &- 1, after: target, end) }
        if point <= 0 {
            let raw = UnsafeMutableRawPointer(target)
            let start = raw.loadUnaligned(as: SIMD2<UInt64>.self)
            let rest = raw.loadUnaligned(fromByteOffset: 16, as: UInt8.self)
            raw.storeBytes(of: UInt64(littleEndian: 0x3030_3030_3030_2E30), as: UInt64.self)
            let shift = 2 &- point
            raw.storeBytes(of: start, toByteOffset: shift, as: SIMD2<UInt64>.self)
            raw.storeBytes(of: rest, toByteOffset: shift &+ 16, as: UInt8.self)
            return end + shift
        }
        if exponent >= 0 {
            for index in 0..<exponent { end[index] = UInt8(ascii: "0") }
            return end + exponent
        }
        insertPoint(target + point)
        return end + 1
    }

    /// Moves up to 16 digits one byte forward, and writes a decimal point before them.
    @inline(__always)
    private static func insertPoint(_ target: UnsafeMutablePointer<UInt8>) {
        let raw = UnsafeMutableRawPointer(target)
        let digits = raw.loadUnaligned(as: SIMD2<UInt64>.self)
        raw.storeBytes(of: digits, toByteOffset: 1, as: SIMD2<UInt64>.self)
        target.pointee = UInt8(ascii: ".")
    }

    /// Writes the exponent after the digits, and a decimal point after the first digit.
    @inline(never)
    private static func writeExponent(
        _ exponent: Int,
        after start: UnsafeMutablePointer<UInt8>,
        _ digitsEnd: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var end = digitsEnd
        if end - start > 1 {
            insertPoint(start + 1)
            end += 1
        }
        end[0] = UInt8(ascii: "e")
        end[1] = exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
        end += 2
        let magnitude = UInt64(exponent.magnitude)
        if magnitude < 10 {
            end.pointee = UInt8(ascii: "0")
            end += 1
        }
        return DecimalDigits.write(magnitude, to: end)
    }
}
