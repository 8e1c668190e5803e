/// The well-formed byte sequences of UTF-8 (RFC 3629, section 4).
enum UTF8Sequence {
    /// Returns the number of bytes of the scalar at an index; nil if the bytes there are not well-formed.
    static func length(in bytes: [UInt8], at index: Int) -> Int? {
        guard bytes.indices.contains(index) else { return nil }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[index] {
        case 0..<0x80: return 1
        case 0xC2...0xDF: length = 2
        // The narrower ranges leave out overlong forms, surrogates and what is beyond U+10FFFF.
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]),
            bytes[(index + 2)..<(index + length)].allSatisfy({ (0x80...0xBF).contains($0) })
        else { return nil }
        return length
    }

    /// Returns the start of the scalar that a byte belongs to, if the bytes are UTF-8.
    static func start(in bytes: [UInt8], at index: Int) -> Int {
        var start = min(index, bytes.count)
        while start > 0, index - start < 3, bytes.indices.contains(start), bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }
}
