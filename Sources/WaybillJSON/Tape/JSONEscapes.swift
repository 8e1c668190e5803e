/// The escapes of JSON strings (RFC 8259, section 7).
enum JSONEscapes {
    /// Returns the text of a validated string, with escapes resolved and each lone surrogate replaced by U+FFFD.
    static func resolving(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 8) { buffer in
            ValidText.utf8(UnsafeBufferPointer(rebasing: buffer[..<resolve(bytes, into: buffer)]))
        }
    }

    /// Writes the text of a validated string as UTF-8, which is never longer than its escaped form; returns its length.
    static func resolve(_ bytes: UnsafeBufferPointer<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let input = bytes.baseAddress, let output = buffer.baseAddress, buffer.count >= bytes.count else {
            return 0
        }
        let count = bytes.count
        var written = 0
        var index = 0
        while index < count {
            // Writing never overtakes reading, so whole words can be copied.
            while index &+ 8 <= count {
                let word = UnsafeRawPointer(input + index).loadUnaligned(as: UInt64.self)
                UnsafeMutableRawPointer(output + written).storeBytes(of: word, as: UInt64.self)
                let differences = word.littleEndian ^ 0x5C5C_5C5C_5C5C_5C5C
                let zeros = (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
                let plain = zeros.trailingZeroBitCount &>> 3
                index &+= plain
                written &+= plain
                guard plain == 8 else { break }
            }
            guard index < count else { break }
            let byte = input[index]
            index &+= 1
            guard byte == UInt8(ascii: "\\"), index < count else {
                output[written] = byte
                written &+= 1
                continue
            }
            let escape = input[index]
            index &+= 1
            if escape == UInt8(ascii: "u") {
                guard index &+ 4 <= count else { break }
                var scalar = unit(input + index)
                index &+= 4
                if scalar & 0xF800 == 0xD800 {
                    if let second = lowSurrogate(after: scalar, input, index, of: count) {
                        scalar = 0x10000 &+ (scalar & 0x3FF) &<< 10 &+ second & 0x3FF
                        index &+= 6
                    } else {
                        scalar = 0xFFFD
                    }
                }
                written &+= write(scalar, to: output + written)
            } else {
                output[written] = simple(escape)
                written &+= 1
            }
        }
        return written
    }

    /// Returns the second half of a surrogate pair; nil if the first unit is a lone surrogate.
    @inline(__always)
    private static func lowSurrogate(
        after first: UInt32,
        _ input: UnsafePointer<UInt8>,
        _ index: Int,
        of count: Int
    ) -> UInt32? {
        guard first & 0xFC00 == 0xD800, index &+ 6 <= count, input[index] == UInt8(ascii: "\\"),
            input[index &+ 1] == UInt8(ascii: "u")
        else { return nil }
        let second = unit(input + (index &+ 2))
        return second & 0xFC00 == 0xDC00 ? second : nil
    }

    /// Returns the character denoted by a two-character escape.
    @inline(__always)
    private static func simple(_ escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }

    /// Writes a scalar as UTF-8, in no more bytes than its escape; returns the number of bytes.
    @inline(__always)
    private static func write(_ scalar: UInt32, to output: UnsafeMutablePointer<UInt8>) -> Int {
        if scalar < 0x80 {
            output[0] = UInt8(truncatingIfNeeded: scalar)
            return 1
        }
        let last = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
        let middle = UInt8(truncatingIfNeeded: 0x80 | scalar &>> 6 & 0x3F)
        if scalar < 0x800 {
            output[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar &>> 6)
            output[1] = last
            return 2
        }
        if scalar < 0x10000 {
            output[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar &>> 12)
            output[1] = middle
            output[2] = last
            return 3
        }
        output[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar &>> 18)
        output[1] = UInt8(truncatingIfNeeded: 0x80 | scalar &>> 12 & 0x3F)
        output[2] = middle
        output[3] = last
        return 4
    }

    /// Returns the value of four validated hexadecimal digits.
    @inline(__always)
    private static func unit(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
        digit(bytes[0]) &<< 12 | digit(bytes[1]) &<< 8 | digit(bytes[2]) &<< 4 | digit(bytes[3])
    }

    /// Returns the value of a hexadecimal digit; the lowest four bits of a letter are 1 to 6.
    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt32 { UInt32(byte & 0xF &+ (byte &>> 6) &* 9) }

    /// Returns the value of four hexadecimal digits; nil if any character is not a hexadecimal digit.
    @inline(__always)
    static func validUnit(_ bytes: UnsafePointer<UInt8>, at index: Int) -> UInt32? {
        let digits = bytes + index
        guard isDigit(digits[0]), isDigit(digits[1]), isDigit(digits[2]), isDigit(digits[3]) else { return nil }
        return unit(digits)
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }
}

/// Creation of strings from bytes known to be valid UTF-8.
enum ValidText {
    /// Creates a string from ASCII bytes.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - start: the offset of the string.
    ///   - length: the length of the string in bytes.
    ///   - count: the length of the document in bytes.
    ///   - makesSmall: the value of ``SmallString/isAvailable``, passed in because accessing it requires a call.
    /// - Returns: the string.
    @inline(__always)
    static func ascii(
        _ bytes: UnsafePointer<UInt8>,
        from start: Int,
        length: Int,
        count: Int,
        makesSmall: Bool
    ) -> String {
        if length <= 15, start &+ 16 <= count, makesSmall {
            return SmallString.make(UnsafeRawPointer(bytes + start), length)
        }
        return utf8(UnsafeBufferPointer(start: bytes + start, count: length), isASCII: true)
    }

    /// Creates a string from UTF-8 bytes.
    @inline(never)
    static func utf8(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool = false) -> String {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
