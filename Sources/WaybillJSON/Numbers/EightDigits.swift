/// Up to eight digits at once, in a word of eight bytes of text whose first byte is the lowest one.
///
/// A word is read from text by `UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self))`.
enum EightDigits {
    /// Whether all eight bytes are ASCII digits.
    @inline(__always)
    static func isEightDigits(_ word: UInt64) -> Bool {
        // The sum leaves 0...127 for a byte above "9", the difference wraps for one below "0".
        ((word &+ 0x4646_4646_4646_4646) | (word &- zeros)) & highBits == 0
    }

    /// Returns the number of eight digits; any other bytes give a number without meaning.
    @inline(__always)
    static func parseEightDigits(_ word: UInt64) -> UInt32 { number(ofDigitValues: word &- zeros) }

    /// Returns the number of bytes in a row from the first one that are ASCII digits: 0...8.
    @inline(__always)
    static func leadingDigitCount(_ word: UInt64) -> Int {
        // Digits become 0...9, and no sum carries into the next byte.
        let values = word ^ zeros
        let others = (((values & ~highBits) &+ 0x7676_7676_7676_7676) | values) & highBits
        return others.trailingZeroBitCount &>> 3
    }

    /// Returns the number of the first digits, with any bytes after them; `count` is 0...8.
    @inline(__always)
    static func parseLeadingDigits(_ word: UInt64, count: Int) -> UInt32 {
        number(ofDigitValues: (word ^ zeros) << UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }

    /// 10⁰ to 10⁸, for joining such numbers; never freed.
    static var powersOfTen: UnsafePointer<UInt64> { table.words }

    private struct Table: Sendable {
        // Unsafe to share only in name: it is written before this value exists and never again.
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
        // Neighbours are joined: bytes to pairs, then the four pairs by two multiplications.
        let pairs = (values &* 10) &+ (values &>> 8)
        let firstAndThird = (pairs & 0x0000_00FF_0000_00FF) &* (100 &+ 1_000_000 &<< 32)
        let secondAndFourth = ((pairs &>> 16) & 0x0000_00FF_0000_00FF) &* (1 &+ 10_000 &<< 32)
        return UInt32(truncatingIfNeeded: (firstAndThird &+ secondAndFourth) &>> 32)
    }
}
