/// The first seven bytes of a key and its length in one word, by which most keys differ.
enum KeyPrefix {
    /// Stands for a key that cannot be compared by its bytes.
    static let special: UInt64 = 0xFF

    /// Returns the prefix of a key that is spelled without escapes in ASCII.
    @inline(__always)
    static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var word = UInt64(truncatingIfNeeded: min(bytes.count, 0x7F))
        var index = 0
        while index < min(bytes.count, 7) {
            word |= UInt64(bytes[index]) &<< UInt64(truncatingIfNeeded: 8 &* (index &+ 1))
            index &+= 1
        }
        return word
    }
}
