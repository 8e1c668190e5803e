/// Hashes that came up once, roughly: some others are taken for one of them.
struct BloomFilter {
    private var bits: InlineBits = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    private var count = 0

    private typealias InlineBits = (
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
    )

    /// Takes a hash; returns whether it was there before.
    mutating func insert(_ hash: UInt64) -> Bool {
        let place = Int(truncatingIfNeeded: hash &>> 16) & 1023
        return withUnsafeMutableBytes(of: &bits) { bytes in
            let words = bytes.assumingMemoryBound(to: UInt64.self)
            let bit: UInt64 = 1 &<< UInt64(place & 63)
            if words[place &>> 6] & bit != 0 { return true }
            if count == 512 {
                // With more than half of the bits set it would say yes to anything.
                for index in words.indices { words[index] = 0 }
                count = 0
            }
            words[place &>> 6] |= bit
            count += 1
            return false
        }
    }
}
