extension Scanner {
    /// Reads a string whose quotation mark is at an index.
    @inline(__always)
    func scanString(at index: inout Int, on words: UnsafeMutablePointer<UInt64>, end: inout Int) -> Bool {
        let start = index &+ 1
        guard let (close, kind) = stringEnd(from: start) else { return false }
        let length = UInt64(truncatingIfNeeded: close &- start)
        if length < TapeWord.payloadMask {
            words[0] = TapeWord.make(kind, payload: length, offset: start)
            end &+= 1
        } else {
            words[0] = TapeWord.make(TapeKind.longString, payload: kind, offset: start)
            words[1] = length
            end &+= 2
        }
        index = close &+ 1
        return true
    }

    /// Returns the offset of the quotation mark that ends a string, and the kind of string; nil if it is not a string.
    @inline(__always)
    func stringEnd(from start: Int) -> (close: Int, kind: UInt64)? {
        var index = start
        var isASCII = true
        while index &+ 16 <= count {
            let block = TextBlock(at: bytes + index)
            guard block.hasSpecial else {
                isASCII = isASCII && block.isASCII
                index &+= 16
                continue
            }
            let place = block.firstSpecial
            index &+= place
            guard bytes[index] == UInt8(ascii: "\"") else {
                isASCII = isASCII && block.isASCII
                break
            }
            guard isASCII, block.isASCII || block.isASCII(before: place) else {
                return checkedStringEnd(from: start, to: index)
            }
            return (index, TapeKind.asciiString)
        }
        return otherStringEnd(from: start, to: index, isASCII: isASCII)
    }

    @inline(never)
    private func checkedStringEnd(from start: Int, to end: Int) -> (close: Int, kind: UInt64)? {
        UTF8Validation.isValid(bytes, from: start, to: end, of: count) ? (end, TapeKind.plainString) : nil
    }

    /// Finds the end from an offset within the string: for strings with escapes, and near the end of the document.
    ///
    /// - Parameters:
    ///   - start: the start of the string.
    ///   - position: the offset.
    ///   - isASCII: whether the bytes before it are known to be ASCII.
    /// - Returns: the same as ``stringEnd(from:)``.
    @inline(never)
    private func otherStringEnd(from start: Int, to position: Int, isASCII: Bool) -> (close: Int, kind: UInt64)? {
        var index = position
        var hasEscapes = false
        // The bits that are set in any byte so far, or in some after them.
        var bits: UInt64 = isASCII ? 0 : 0x80
        while index < count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                var kind = TapeKind.asciiString
                if bits & 0x8080_8080_8080_8080 != 0 {
                    guard let isASCII = UTF8Validation.isASCII(bytes, from: start, to: index, of: count) else {
                        return nil
                    }
                    if !isASCII { kind = TapeKind.plainString }
                }
                return (index, hasEscapes ? TapeKind.escapedString : kind)
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                if index &+ 1 < count, Self.isSimpleEscape(bytes[index &+ 1]) {
                    index &+= 2
                } else {
                    guard let length = unicodeEscapeLength(at: index) else { return nil }
                    index &+= length
                }
            } else {
                guard byte >= 0x20 else { return nil }
                bits |= UInt64(byte)
                index &+= 1
            }
            skipPlainText(&index, &bits)
        }
        return nil
    }

    /// Skips text up to a quotation mark, a backslash or a control character, and not into the last bytes.
    @inline(__always)
    private func skipPlainText(_ index: inout Int, _ bits: inout UInt64) {
        while index &+ 8 <= count {
            // After an escape the next one is near, as in the slashes of an address.
            let word = UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self).littleEndian
            bits |= word
            let quotes = word ^ 0x2222_2222_2222_2222
            let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let ones: UInt64 = 0x0101_0101_0101_0101
            let special =
                ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
                    | (word &- 0x2020_2020_2020_2020) & ~word) & 0x8080_8080_8080_8080
            guard special == 0 else {
                index &+= special.trailingZeroBitCount &>> 3
                return
            }
            index &+= 8
        }
    }

    /// Whether a character makes an escape with the backslash before it alone: one of `"\/bfnrt`.
    @inline(__always)
    private static func isSimpleEscape(_ byte: UInt8) -> Bool {
        // A switch would be compiled to a jump, which the processor often predicts wrongly. The lowest six bits of a
        // character's code are the index of its bit.
        let characters: UInt64 = byte & 0x40 == 0 ? 0x0000_8004_0000_0000 : 0x0014_4044_1000_0000
        return byte < 0x80 && characters &>> UInt64(byte & 0x3F) & 1 != 0
    }

    /// Returns the number of bytes of an escape by number, both halves of a surrogate pair counted; nil if it is
    /// invalid.
    private func unicodeEscapeLength(at index: Int) -> Int? {
        guard index &+ 6 <= count, bytes[index &+ 1] == UInt8(ascii: "u"),
            let unit = JSONEscapes.validUnit(bytes, at: index &+ 2)
        else { return nil }
        guard unit & 0xF800 == 0xD800 else { return 6 }
        guard unit & 0xFC00 == 0xD800, index &+ 12 <= count, bytes[index &+ 6] == UInt8(ascii: "\\"),
            bytes[index &+ 7] == UInt8(ascii: "u"),
            let second = JSONEscapes.validUnit(bytes, at: index &+ 8), second & 0xFC00 == 0xDC00
        else { return nil }
        return 12
    }
}

/// Sixteen bytes of a string, examined together.
struct TextBlock {
    private let text: SIMD2<UInt64>
    /// All bits of each byte that is a quotation mark, a backslash or a control character.
    private let special: SIMD2<UInt64>

    @inline(__always)
    init(at bytes: UnsafePointer<UInt8>) {
        // With a scalar operand these comparisons would be compiled to a loop over single bytes.
        let quotes = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
        let backslashes = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
        let spaces = SIMD16<UInt8>(repeating: 0x20)
        let vector = UnsafeRawPointer(bytes).loadUnaligned(as: SIMD16<UInt8>.self)
        let found = (vector .== quotes) .| (vector .== backslashes) .| (vector .< spaces)
        text = unsafeBitCast(vector, to: SIMD2<UInt64>.self)
        special = unsafeBitCast(found, to: SIMD2<UInt64>.self)
    }

    /// Whether there is a byte at which plain text ends.
    @inline(__always)
    var hasSpecial: Bool { special.x | special.y != 0 }

    /// The index of the first of these.
    @inline(__always)
    var firstSpecial: Int {
        special.x != 0
            ? special.x.littleEndian.trailingZeroBitCount &>> 3
            : 8 &+ special.y.littleEndian.trailingZeroBitCount &>> 3
    }

    /// Whether all bytes are ASCII.
    @inline(__always)
    var isASCII: Bool { (text.x | text.y) & 0x8080_8080_8080_8080 == 0 }

    /// Whether the bytes before an index are ASCII.
    @inline(never)
    func isASCII(before place: Int) -> Bool {
        let low = text.x.littleEndian & (place >= 8 ? ~0 : ~(~0 &<< UInt64(truncatingIfNeeded: place &* 8)))
        let high = place <= 8 ? 0 : text.y.littleEndian & ~(~0 &<< UInt64(truncatingIfNeeded: (place &- 8) &* 8))
        return (low | high) & 0x8080_8080_8080_8080 == 0
    }
}
