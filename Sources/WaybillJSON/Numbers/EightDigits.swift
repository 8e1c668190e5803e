/// Parsing of up to eight digits at once, from a word of eight text bytes in little-endian order.
///
/// Load such a word with `UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self))`.
enum EightDigits {
    /// Whether all eight bytes are ASCII digits.
    @inline(__always)
    static func isEightDigits(_ word: UInt64) -> Bool {
        // Both terms leave the highest bit of a digit's byte clear; for any other byte, one of them sets it.
        ((word &+ 0x4646_4646_4646_4646) | (word &- zeros)) & highBits == 0
    }

    /// Returns the number that eight digits denote; the result is meaningless for any other bytes.
    @inline(__always)
    static func parseEightDigits(_ word: UInt64) -> UInt32 { number(ofDigitValues: word &- zeros) }

    /// Returns the number of leading bytes that are ASCII digits: 0...8.
    @inline(__always)
    static func leadingDigitCount(_ word: UInt64) -> Int {
        // Digits become 0...9, and no sum carries into the next byte.
        let values = word ^ zeros
        let others = (((values & ~highBits) &+ 0x7676_7676_7676_7676) | values) & highBits
        return others.trailingZeroBitCount &>> 3
    }

    /// Returns the number that the first `count` digits (0...8) denote, regardless of the bytes after them.
    @inline(__always)
    static func parseLeadingDigits(_ word: UInt64, count: Int) -> UInt32 {
        number(ofDigitValues: (word ^ zeros) << UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }

    /// 10⁰ to 10⁸, for combining such numbers; never freed.
    static var powersOfTen: UnsafePointer<UInt64> { table.words }

    private struct Table: Sendable {
        // Sharing is safe: the memory is initialized before this value exists, and never mutated afterwards.
        nonisolated(unsafe) let words: UnsafePointer<UInt64>
    }

    private static let table: Table = {
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 9)
        var power: UInt64 = 1
        for index in 0...8 {
            (words + index).initialize(to: power)
            power *= 10
        }
        return Table(words: words)
    }()

    private static var zeros: UInt64 { 0x3030_3030_3030_3030 }
    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    @inline(__always)
    private static func number(ofDigitValues values: UInt64) -> UInt32 {
        // Combines adjacent digits into pairs, and then the four pairs with two multiplications.
        let pairs = (values &* 10) &+ (values &>> 8)
        let firstAndThird = (pairs & 0x0000_00FF_0000_00FF) &* (100 &+ 1_000_000 &<< 32)
        let secondAndFourth = ((pairs &>> 16) & 0x0000_00FF_0000_00FF) &* (1 &+ 10_000 &<< 32)
        return UInt32(truncatingIfNeeded: (firstAndThird &+ secondAndFourth) &>> 32)
    }
}
