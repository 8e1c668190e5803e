/// Formatting of integers as decimal digits, eight at a time.
enum DecimalDigits {
    /// Writes the decimal digits of a number, at most 20.
    ///
    /// - Parameters:
    ///   - number: the number.
    ///   - target: the memory for the digits; up to seven bytes after them are overwritten.
    /// - Returns: the end of the digits.
    @inline(__always)
    static func write(_ number: UInt64, to target: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        number < eightDigits ? writeFirst(number, to: target) : writeLong(number, to: target)
    }

    /// Writes a number of nine or more digits.
    @inline(never)
    private static func writeLong(
        _ number: UInt64,
        to target: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let high = number / eightDigits
        var end: UnsafeMutablePointer<UInt8>
        if high < eightDigits {
            end = writeFirst(high, to: target)
        } else {
            let highest = high / eightDigits
            end = writeFirst(highest, to: target)
            store(digits(high &- highest &* eightDigits), to: end)
            end += 8
        }
        store(digits(number &- high &* eightDigits), to: end)
        return end + 8
    }

    /// Writes a number below 10⁸ without leading zeros.
    @inline(__always)
    private static func writeFirst(
        _ number: UInt64,
        to target: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        if number < 10 {
            target.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)
            return target + 1
        }
        let digits = digits(number)
        let zeros = digits.trailingZeroBitCount & ~7
        store(digits &>> UInt64(truncatingIfNeeded: zeros), to: target)
        return target + (8 &- zeros &>> 3)
    }

    /// Stores eight digits as text.
    @inline(__always)
    private static func store(_ digits: UInt64, to target: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(target)
            .storeBytes(of: (digits | 0x3030_3030_3030_3030).littleEndian, as: UInt64.self)
    }

    private static var eightDigits: UInt64 { 100_000_000 }

    /// Returns the eight digits of a number below 10⁸, the first one in the lowest byte.
    ///
    /// The number is split into halves, then pairs, then digits, with one multiplication per step.
    @inline(__always)
    private static func digits(_ number: UInt64) -> UInt64 {
        let upper = (number &* 109_951_163) &>> 40
        let halves = upper | (number &- upper &* 10_000) &<< 32
        let hundreds = ((halves &* 10_486) &>> 20) & 0x0000_007F_0000_007F
        let pairs = hundreds | (halves &- hundreds &* 100) &<< 16
        let tens = ((pairs &* 103) &>> 10) & 0x000F_000F_000F_000F
        return tens | (pairs &- tens &* 10) &<< 8
    }
}
