/// Validation of UTF-8 (RFC 3629, section 4).
enum UTF8Validation {
    /// The minimum length of a range to examine in blocks, which also read the three preceding bytes.
    private static let minimumBlockLength = 18

    /// Whether the bytes of a range are all ASCII; nil if they are not valid UTF-8.
    ///
    /// The byte after the range is also read, and must not be a continuation byte.
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

    /// Returns whether the bytes of a range are valid UTF-8, in linear time.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - start: the start of the range.
    ///   - end: the end of the range. The byte there is also read, and must not be a continuation byte.
    ///   - count: the number of readable bytes, including those after the range.
    /// - Returns: whether the bytes are valid UTF-8.
    static func isValid(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, of count: Int) -> Bool {
        guard end &- start >= minimumBlockLength else {
            return validEnd(bytes, from: start, to: end, of: count, atLeast: end) != nil
        }
        // A block also reads the three preceding bytes.
        guard var index = validEnd(bytes, from: start, to: end, of: count, atLeast: start &+ 3) else { return false }
        // The last block, which can overlap the previous one, includes the byte after the range. This reveals whether
        // the last character is complete.
        let last = end &- 15
        var errors = UTF8Block(at: bytes + last).errors
        while index < last {
            errors = errors .| UTF8Block(at: bytes + index).errors
            index &+= 16
        }
        let found = unsafeBitCast(errors, to: SIMD2<UInt64>.self)
        return found.x | found.y == 0
    }

    /// Validates characters one by one.
    ///
    /// - Returns: the end of the first character that ends at or after an offset; nil if a character is invalid.
    private static func validEnd(
        _ bytes: UnsafePointer<UInt8>,
        from start: Int,
        to end: Int,
        of count: Int,
        atLeast offset: Int
    ) -> Int? {
        var index = start
        while index < offset {
            let first = bytes[index]
            if first < 0x80 {
                index &+= 1
            } else if index &+ 4 <= count {
                // The byte after the range is not a continuation byte, so no valid character extends past the range.
                let length = self.length(
                    of: UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt32.self).littleEndian
                )
                guard length != 0 else { return nil }
                index &+= length
            } else {
                // The byte after the range is one of the last three, so only two-byte characters fit.
                guard (0xC2..<0xE0).contains(first), index &+ 2 <= end, isContinuation(bytes[index &+ 1]) else {
                    return nil
                }
                index &+= 2
            }
        }
        return index
    }

    /// Returns the length of the non-ASCII character in four bytes, with the first byte in the lowest bits; 0 if it is
    /// invalid.
    ///
    /// One mask selects the bits that indicate the length and the continuation bytes. A second mask selects the bits
    /// that indicate overlong forms, surrogates and values beyond U+10FFFF.
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

/// Sixteen bytes of UTF-8 (RFC 3629, section 4), examined together with the three preceding bytes.
///
/// For Japanese text, decoding is 1.4 times as fast as with character-by-character validation.
struct UTF8Block {
    /// A mask of the bytes that cannot follow the preceding bytes.
    let errors: SIMDMask<SIMD16<Int8>>

    /// Examines 16 bytes, and also reads the three preceding bytes.
    @inline(__always)
    init(at bytes: UnsafePointer<UInt8>) {
        // With scalar operands, these comparisons would be compiled to loops over single bytes.
        @inline(__always)
        func vector(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }
        @inline(__always)
        func bytesBefore(_ distance: Int) -> SIMD16<UInt8> {
            UnsafeRawPointer(bytes - distance).loadUnaligned(as: SIMD16<UInt8>.self)
        }
        let current = bytesBefore(0)
        let first = bytesBefore(1)
        let isContinuation = (current & vector(0xC0)) .== vector(0x80)
        let isExpected =
            (first .>= vector(0xC0)) .| (bytesBefore(2) .>= vector(0xE0)) .| (bytesBefore(3) .>= vector(0xF0))
        let isNever = ((current & vector(0xFE)) .== vector(0xC0)) .| (current .> vector(0xF4))
        // Overlong forms, surrogates and numbers beyond U+10FFFF.
        let isTooLow =
            ((first .== vector(0xE0)) .& (current .< vector(0xA0)))
            .| ((first .== vector(0xF0)) .& (current .< vector(0x90)))
        let isTooHigh =
            ((first .== vector(0xED)) .& (current .>= vector(0xA0)))
            .| ((first .== vector(0xF4)) .& (current .>= vector(0x90)))
        errors = (isContinuation .^ isExpected) .| isNever .| isTooLow .| isTooHigh
    }
}
