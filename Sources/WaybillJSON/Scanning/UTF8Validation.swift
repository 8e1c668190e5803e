/// Whether bytes are UTF-8 (RFC 3629, section 4).
enum UTF8Validation {
    /// Checks the bytes of a range; time linear in its length.
    static func isValid(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Bool {
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

    @inline(__always)
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
