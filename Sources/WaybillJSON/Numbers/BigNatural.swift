/// A natural number of any size, with only the arithmetic needed for exact conversions.
struct BigNatural {
    /// The words, least significant first; the last one is not zero.
    private var words: [UInt64]

    init(_ value: UInt64) { words = value == 0 ? [] : [value] }

    static func powerOfTwo(_ exponent: Int) -> BigNatural {
        var power = BigNatural(1)
        power.shiftLeft(by: exponent)
        return power
    }

    mutating func multiply(by factor: UInt64, adding summand: UInt64 = 0) {
        var carry = summand
        for index in words.indices {
            let product = words[index].multipliedFullWidth(by: factor)
            let (low, overflow) = product.low.addingReportingOverflow(carry)
            words[index] = low
            carry = product.high &+ (overflow ? 1 : 0)
        }
        if carry != 0 { words.append(carry) }
    }

    mutating func multiplyByPowerOfFive(_ exponent: Int) {
        // 5²⁷ is the largest power that fits into a word.
        for _ in 0..<(exponent / 27) { multiply(by: 7_450_580_596_923_828_125) }
        var rest: UInt64 = 1
        for _ in 0..<(exponent % 27) { rest &*= 5 }
        multiply(by: rest)
    }

    /// Divides by five, discarding the remainder.
    mutating func divideByFive() {
        var remainder: UInt64 = 0
        for index in words.indices.reversed() {
            let (quotient, rest) = words[index].quotientAndRemainder(dividingBy: 5)
            // A word's weight, 2⁶⁴, equals 5 · 0x3333333333333333 + 1.
            remainder += rest
            words[index] = quotient &+ (remainder &- rest) &* 0x3333_3333_3333_3333 &+ remainder / 5
            remainder %= 5
        }
        while words.last == 0 { words.removeLast() }
    }

    mutating func shiftLeft(by count: Int) {
        let bits = UInt64(count % 64)
        if bits > 0 {
            var carry: UInt64 = 0
            for index in words.indices {
                let word = words[index]
                words[index] = (word << bits) | carry
                carry = word >> (64 - bits)
            }
            if carry != 0 { words.append(carry) }
        }
        if !words.isEmpty { words.insert(contentsOf: repeatElement(0, count: count / 64), at: 0) }
    }

    /// The highest 128 bits, starting at the first set bit; lower bits are discarded, and missing bits are zero.
    var leadingBits: (high: UInt64, low: UInt64) {
        func word(_ place: Int) -> UInt64 { place < words.count ? words[words.count - 1 - place] : 0 }
        let shift = UInt64(word(0).leadingZeroBitCount)
        return (
            (word(0) << shift) | (word(1) >> (64 - shift)),
            (word(1) << shift) | (word(2) >> (64 - shift))
        )
    }
}

extension BigNatural: Comparable {
    static func < (one: BigNatural, other: BigNatural) -> Bool {
        guard one.words.count == other.words.count else { return one.words.count < other.words.count }
        return one.words.reversed().lexicographicallyPrecedes(other.words.reversed())
    }
}
