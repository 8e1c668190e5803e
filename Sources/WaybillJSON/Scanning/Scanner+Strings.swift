extension Scanner {
    /// Scans the string whose opening quotation mark is at the given index, and returns whether it is valid.
    @inline(__always)
    func scanString(at index: inout Int, on words: UnsafeMutablePointer<UInt64>, end: inout Int) -> Bool {
        let start = index &+ 1
        guard let (close, kind) = stringEnd(from: start) else { return false }
        let length = UInt64(truncatingIfNeeded: close &- start)
        if length < TapeWord.payloadMask {
            words[end] = TapeWord.make(kind, payload: length, offset: start)
            end &+= 1
        } else {
            words[end] = TapeWord.make(TapeKind.longString, payload: kind, offset: start)
            words[end &+ 1] = length
            end &+= 2
        }
        index = close &+ 1
        return true
    }

    /// Returns the offset of a string's closing quotation mark, and its kind; nil if the string is invalid.
    @inline(__always)
    func stringEnd(from start: Int) -> (close: Int, kind: UInt64)? {
        let end = plainTextEnd(from: start)
        if end < count, bytes[end] == UInt8(ascii: "\"") { return (end, TapeKind.asciiString) }
        return otherStringEnd(from: start, to: end)
    }

    /// Returns the end offset of plain ASCII text.
    ///
    /// Near the end of the document, plain ASCII may continue after the returned offset.
    @inline(__always)
    private func plainTextEnd(from start: Int) -> Int {
        var index = start
        while index &+ 16 <= count {
            let ends = TextBlock.endsOfPlainASCII(at: bytes + index)
            if ends.x != 0 { return index &+ ends.x.littleEndian.trailingZeroBitCount &>> 3 }
            if ends.y != 0 { return index &+ 8 &+ ends.y.littleEndian.trailingZeroBitCount &>> 3 }
            index &+= 16
        }
        return index
    }

    /// Finds the end of a string that contains escapes or non-ASCII characters, or is near the end of the document.
    ///
    /// - Parameters:
    ///   - start: the start of the string.
    ///   - position: the offset to continue from; everything before it is plain ASCII.
    /// - Returns: the same result as ``stringEnd(from:)``.
    @inline(never)
    private func otherStringEnd(from start: Int, to position: Int) -> (close: Int, kind: UInt64)? {
        var index = position
        // The string kind implied by the escapes so far; 0 before the first escape.
        var escapes: UInt64 = 0
        // The bitwise OR of all bytes so far, and possibly of some later bytes.
        var bits = SIMD2<UInt64>.zero
        while true {
            while index &+ 16 <= count {
                let block = TextBlock(at: bytes + index)
                bits |= block.text
                guard !block.hasSpecial else {
                    index &+= block.firstSpecial
                    break
                }
                index &+= 16
            }
            guard index < count else { return nil }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                var kind = TapeKind.asciiString
                if (bits.x | bits.y) & 0x8080_8080_8080_8080 != 0 {
                    guard let isASCII = UTF8Validation.isASCII(bytes, from: start, to: index, of: count) else {
                        return nil
                    }
                    if !isASCII { kind = TapeKind.plainString }
                }
                return (index, escapes != 0 ? escapes : kind)
            }
            if byte == UInt8(ascii: "\\") {
                escapes = max(escapes, TapeKind.escapedString)
                if index &+ 1 < count, Self.isSimpleEscape(bytes[index &+ 1]) {
                    index &+= 2
                } else {
                    guard let escape = unicodeEscape(at: index) else { return nil }
                    if !escape.isScalar { escapes = TapeKind.surrogateString }
                    index &+= escape.length
                }
            } else {
                guard byte >= 0x20 else { return nil }
                bits.x |= UInt64(byte)
                index &+= 1
            }
        }
    }

    /// Whether a character forms a two-character escape after a backslash: one of `"\/bfnrt`.
    @inline(__always)
    private static func isSimpleEscape(_ byte: UInt8) -> Bool {
        // A switch would be compiled to a jump that is often mispredicted. The lowest six bits of the character code
        // index a bit.
        let characters: UInt64 = byte & 0x40 == 0 ? 0x0000_8004_0000_0000 : 0x0014_4044_1000_0000
        return byte < 0x80 && characters &>> UInt64(byte & 0x3F) & 1 != 0
    }

    /// Returns the length of a `\u` escape or surrogate pair, and whether it denotes a scalar.
    ///
    /// An escape denotes a scalar unless it is a lone surrogate. The result is nil for an invalid escape.
    private func unicodeEscape(at index: Int) -> (length: Int, isScalar: Bool)? {
        guard index &+ 6 <= count, bytes[index &+ 1] == UInt8(ascii: "u"),
            let unit = JSONEscapes.validUnit(bytes, at: index &+ 2)
        else { return nil }
        guard unit & 0xF800 == 0xD800 else { return (6, true) }
        guard unit & 0xFC00 == 0xD800, index &+ 12 <= count, bytes[index &+ 6] == UInt8(ascii: "\\"),
            bytes[index &+ 7] == UInt8(ascii: "u"),
            let second = JSONEscapes.validUnit(bytes, at: index &+ 8), second & 0xFC00 == 0xDC00
        else { return (6, false) }
        return (12, true)
    }
}

/// Sixteen bytes of a string, examined together.
struct TextBlock {
    let text: SIMD2<UInt64>
    /// A mask of the quotation marks, backslashes and control characters.
    private let special: SIMD2<UInt64>

    @inline(__always)
    init(at bytes: UnsafePointer<UInt8>) {
        // With a scalar operand, these comparisons would be compiled to a loop over single bytes.
        let quotes = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
        let backslashes = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
        let spaces = SIMD16<UInt8>(repeating: 0x20)
        let vector = UnsafeRawPointer(bytes).loadUnaligned(as: SIMD16<UInt8>.self)
        let found = (vector .== quotes) .| (vector .== backslashes) .| (vector .< spaces)
        text = unsafeBitCast(vector, to: SIMD2<UInt64>.self)
        special = unsafeBitCast(found, to: SIMD2<UInt64>.self)
    }

    /// Whether any byte ends plain text.
    @inline(__always)
    var hasSpecial: Bool { special.x | special.y != 0 }

    /// The index of the first such byte.
    @inline(__always)
    var firstSpecial: Int {
        special.x != 0
            ? special.x.littleEndian.trailingZeroBitCount &>> 3
            : 8 &+ special.y.littleEndian.trailingZeroBitCount &>> 3
    }

    /// Returns a mask of the quotation marks, backslashes, control characters and non-ASCII bytes.
    @inline(__always)
    static func endsOfPlainASCII(at bytes: UnsafePointer<UInt8>) -> SIMD2<UInt64> {
        let quotes = SIMD16<Int8>(repeating: Int8(bitPattern: UInt8(ascii: "\"")))
        let backslashes = SIMD16<Int8>(repeating: Int8(bitPattern: UInt8(ascii: "\\")))
        let spaces = SIMD16<Int8>(repeating: 0x20)
        let vector = UnsafeRawPointer(bytes).loadUnaligned(as: SIMD16<Int8>.self)
        // Non-ASCII bytes are negative, so the comparison for control characters includes them.
        let found = (vector .== quotes) .| (vector .== backslashes) .| (vector .< spaces)
        return unsafeBitCast(found, to: SIMD2<UInt64>.self)
    }
}
