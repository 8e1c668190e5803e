extension UnsafeMutablePointer<EncodingState> {
    /// Appends `null`, using the slack.
    @inline(__always)
    func appendNull() {
        UnsafeMutableRawPointer(pointee.bytes + pointee.count)
            .storeBytes(of: UInt32(littleEndian: 0x6C6C_756E), as: UInt32.self)
        pointee.count &+= 4
    }

    /// Appends `true` or `false`, using the slack.
    @inline(__always)
    func appendBool(_ value: Bool) {
        let text = UInt64(littleEndian: value ? 0x6575_7274 : 0x65_736C_6166)
        UnsafeMutableRawPointer(pointee.bytes + pointee.count).storeBytes(of: text, as: UInt64.self)
        pointee.count &+= value ? 4 : 5
    }

    /// Appends a string with quotation marks and the required escapes.
    @inline(__always)
    func appendString(_ text: String) {
        if pointee.readsSmallStrings, let (block, count) = SmallString.content(of: text) {
            return appendQuoted(block, count)
        }
        if text.utf8.withContiguousStorageIfAvailable({ appendQuoted($0) }) == nil { appendQuotedCopy(text) }
    }

    /// Appends a string without contiguous UTF-8 storage, such as a bridged one.
    @inline(never)
    private func appendQuotedCopy(_ text: String) {
        var text = text
        text.withUTF8 { appendQuoted($0) }
    }

    /// Appends up to 16 bytes of UTF-8 with quotation marks and the required escapes.
    @inline(never)
    private func appendQuoted(_ block: SIMD2<UInt64>, _ count: Int) {
        reserve(count &+ 2)
        let target = UnsafeMutableRawPointer(pointee.bytes + pointee.count)
        target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        pointee.count = appendLast(block, count, to: target + 1) - pointee.bytes
    }

    /// Appends UTF-8 text with quotation marks and the required escapes.
    @inline(never)
    func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        var rest = text.count
        reserve(rest &+ 2)
        var target = UnsafeMutableRawPointer(pointee.bytes + pointee.count)
        target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        target += 1
        guard var source = UnsafeRawPointer(text.baseAddress) else { return append("\"\"") }
        let slashes = SIMD16(repeating: pointee.slash)
        while rest >= 16 {
            let block = source.loadUnaligned(as: SIMD2<UInt64>.self)
            target.storeBytes(of: block, as: SIMD2<UInt64>.self)
            let length = JSONEscaping.plainCount(block, slashes)
            source += length
            target += length
            rest &-= length
            if length < 16 {
                target = appendEscape(source.load(as: UInt8.self), to: target, before: rest)
                source += 1
                rest &-= 1
            }
        }
        pointee.count = appendLast(JSONEscaping.load(source, rest), rest, to: target) - pointee.bytes
    }

    /// Writes up to 16 bytes, escaped if needed, and the closing quotation mark.
    ///
    /// - Returns: the end of the text.
    @inline(__always)
    private func appendLast(
        _ block: SIMD2<UInt64>,
        _ count: Int,
        to start: UnsafeMutableRawPointer
    ) -> UnsafeMutablePointer<UInt8> {
        let slashes = SIMD16(repeating: pointee.slash)
        var (block, target, rest) = (block, start, count)
        while true {
            target.storeBytes(of: block, as: SIMD2<UInt64>.self)
            let length = JSONEscaping.plainCount(block, slashes)
            guard length < rest else { break }
            target += length
            rest &-= length &+ 1
            let byte = target.load(as: UInt8.self)
            // The bytes after the escaped one; some of the loaded bytes are beyond the text.
            block = (target + 1).loadUnaligned(as: SIMD2<UInt64>.self)
            target = appendEscape(byte, to: target, before: rest)
        }
        target += rest
        target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        return (target + 1).assumingMemoryBound(to: UInt8.self)
    }

    /// Writes the escape of a byte, and reserves memory for the rest of the text.
    ///
    /// - Returns: the end of the escape, which may be in reallocated memory.
    @inline(__always)
    private func appendEscape(
        _ byte: UInt8,
        to target: UnsafeMutableRawPointer,
        before rest: Int
    ) -> UnsafeMutableRawPointer {
        var end = target + 2
        if byte >= 0x20 {
            target.storeBytes(of: (UInt16(byte) &<< 8 | 0x5C).littleEndian, as: UInt16.self)
        } else {
            end = JSONEscaping.write(byte, to: target)
        }
        // Escapes can be longer than the reserved memory, but not longer than the slack.
        let used = end - UnsafeMutableRawPointer(pointee.bytes)
        guard used &+ rest >= pointee.capacity else { return end }
        pointee.count = used
        pointee.grow(by: rest &+ 1)
        return UnsafeMutableRawPointer(pointee.bytes + used)
    }
}

/// The escapes of strings (RFC 8259, section 7).
enum JSONEscaping {
    /// A word of eight quotation marks.
    static let quotationMarks: UInt64 = 0x2222_2222_2222_2222

    /// Returns the number of bytes before the first of 16 that is a control character, a quotation mark, a backslash or
    /// the byte in `slashes`.
    @inline(__always)
    static func plainCount(_ block: SIMD2<UInt64>, _ slashes: SIMD16<UInt8>) -> Int {
        // With a scalar operand, these comparisons would be compiled to a loop over single bytes.
        let quotes = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
        let backslashes = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
        let spaces = SIMD16<UInt8>(repeating: 0x20)
        let text = unsafeBitCast(block, to: SIMD16<UInt8>.self)
        let found = (text .== quotes) .| (text .== backslashes) .| (text .== slashes) .| (text .< spaces)
        let special = unsafeBitCast(found, to: SIMD2<UInt64>.self)
        if special.x != 0 { return special.x.littleEndian.trailingZeroBitCount &>> 3 }
        if special.y != 0 { return 8 &+ special.y.littleEndian.trailingZeroBitCount &>> 3 }
        return 16
    }

    /// Loads up to 15 bytes of text; the remaining bytes are zero.
    @inline(__always)
    static func load(_ source: UnsafeRawPointer, _ count: Int) -> SIMD2<UInt64> {
        let bits = UInt64(truncatingIfNeeded: count) &* 8
        // The two loads of each pair may overlap.
        if count >= 8 {
            let last = (source + (count &- 8)).loadUnaligned(as: UInt64.self).littleEndian
            let high = count == 8 ? 0 : last &>> (128 &- bits)
            return SIMD2(source.loadUnaligned(as: UInt64.self), high.littleEndian)
        }
        if count >= 4 {
            let low = UInt64(source.loadUnaligned(as: UInt32.self).littleEndian)
            let last = UInt64((source + (count &- 4)).loadUnaligned(as: UInt32.self).littleEndian)
            return SIMD2((low | last &<< (bits &- 32)).littleEndian, 0)
        }
        guard count > 0 else { return .zero }
        let bytes = source.assumingMemoryBound(to: UInt8.self)
        let low = UInt64(bytes[0]) | UInt64(bytes[count &- 1]) &<< (bits &- 8)
        return SIMD2((low | UInt64(bytes[count &>> 1]) &<< (8 &* UInt64(count &>> 1))).littleEndian, 0)
    }

    /// Whether any of eight bytes is a control character, a quotation mark, a backslash or the byte repeated in
    /// `other`.
    @inline(__always)
    static func isNeeded(in word: UInt64, _ other: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ quotationMarks
        let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let others = word ^ other
        // A matching byte sets its highest bit by borrowing.
        let found =
            (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
            | (others &- ones) & ~others
        return found & 0x8080_8080_8080_8080 != 0
    }

    /// Writes the escape of a control character.
    ///
    /// - Returns: the end of the escape, which has two or six bytes.
    @inline(never)
    static func write(_ byte: UInt8, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let target = target.assumingMemoryBound(to: UInt8.self)
        target[0] = UInt8(ascii: "\\")
        if let short = short(byte) {
            target[1] = short
            return UnsafeMutableRawPointer(target + 2)
        }
        target[1] = UInt8(ascii: "u")
        target[2] = UInt8(ascii: "0")
        target[3] = UInt8(ascii: "0")
        target[4] = byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1")
        target[5] = (byte & 15) + (byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        return UnsafeMutableRawPointer(target + 6)
    }

    /// Returns the second character of a control character's two-character escape; nil if it has no such escape.
    private static func short(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x08: UInt8(ascii: "b")
        case 0x0C: UInt8(ascii: "f")
        case 0x0A: UInt8(ascii: "n")
        case 0x0D: UInt8(ascii: "r")
        case 0x09: UInt8(ascii: "t")
        default: nil
        }
    }
}
