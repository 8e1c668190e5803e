/// Whether bytes are UTF-8 (RFC 3629, section 4).
enum UTF8Validation {
    /// Whether the bytes of a range are ASCII; nil if they are not valid UTF-8 either.
    static func isASCII(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, of count: Int) -> Bool? {
        var index = start
        while index &+ 8 <= end {
            let word = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
            guard word & 0x8080_8080_8080_8080 == 0 else { break }
            index &+= 8
        }
        while index < end, bytes[index] < 0x80 { index &+= 1 }
        if index == end { return true }
        return isValid(bytes, from: index, to: end, of: count) ? false : nil
    }

    /// Checks the bytes of a range; time linear in its length.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - start: the start of the range.
    ///   - end: the end of the range.
    ///   - count: the number of bytes that can be read, those after the range counted.
    /// - Returns: whether they are valid UTF-8.
    static func isValid(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, of count: Int) -> Bool {
        var index = start
        while index < end {
            let first = bytes[index]
            if first < 0x80 {
                index &+= 1
                while index &+ 8 <= end {
                    let word = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
                    let high = word & 0x8080_8080_8080_8080
                    guard high == 0 else {
                        index &+= high.trailingZeroBitCount &>> 3
                        break
                    }
                    index &+= 8
                }
            } else if index &+ 4 <= count {
                // What the range ends with is no continuation, so that no character reaches beyond it.
                let length = self.length(
                    of: UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt32.self).littleEndian
                )
                guard length != 0 else { return false }
                index &+= length
            } else if first < 0xE0 {
                guard first >= 0xC2, index &+ 2 <= end, isContinuation(bytes[index &+ 1]) else { return false }
                index &+= 2
            } else if first < 0xF0 {
                guard index &+ 3 <= end else { return false }
                let second = bytes[index &+ 1]
                guard isContinuation(second), isContinuation(bytes[index &+ 2]) else { return false }
                // Overlong forms, and the halves of surrogate pairs.
                if first == 0xE0 && second < 0xA0 || first == 0xED && second >= 0xA0 { return false }
                index &+= 3
            } else {
                guard first <= 0xF4, index &+ 4 <= end else { return false }
                let second = bytes[index &+ 1]
                guard isContinuation(second), isContinuation(bytes[index &+ 2]), isContinuation(bytes[index &+ 3])
                else {
                    return false
                }
                // Overlong forms, and what is beyond U+10FFFF.
                if first == 0xF0 && second < 0x90 || first == 0xF4 && second >= 0x90 { return false }
                index &+= 4
            }
        }
        return true
    }

    /// Returns the number of bytes of the character at the start of four bytes, the first in the lowest bits; 0 if it
    /// is invalid.
    ///
    /// It begins with no byte of ASCII. A mask selects the bits that tell the length and the continuations, another one
    /// those that tell overlong forms, the halves of surrogate pairs, and numbers beyond U+10FFFF.
    @inline(__always)
    private static func length(of bytes: UInt32) -> Int {
        if bytes & 0x00C0_C0F0 == 0x0080_80E0 {
            let range = bytes & 0x0000_200F
            return range != 0 && range != 0x0000_200D ? 3 : 0
        }
        if bytes & 0x0000_C0E0 == 0x0000_80C0 { return bytes & 0x0000_001E != 0 ? 2 : 0 }
        if bytes & 0xC0C0_C0F8 == 0x8080_80F0 {
            let range = bytes & 0x0000_3007
            let isAbove = range & 0x0000_0007 > 4 || range & 0x0000_0007 == 4 && range & 0x0000_3000 != 0
            return range != 0 && !isAbove ? 4 : 0
        }
        return 0
    }

    @inline(__always)
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
