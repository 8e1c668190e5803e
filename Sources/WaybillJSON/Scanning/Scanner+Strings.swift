extension Scanner {
    /// Reads a string whose quotation mark is at an index.
    @inline(__always)
    func scanString(_ index: inout Int, _ words: UnsafeMutablePointer<UInt64>, _ end: inout Int) -> Bool {
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

    /// Where the quotation mark is that ends a string, and what kind of string it is; nil where it is not a string.
    @inline(__always)
    func stringEnd(from start: Int) -> (close: Int, kind: UInt64)? {
        var index = start
        var nonASCII: UInt64 = 0
        while index &+ 16 <= count {
            guard passPlainText(&index, &nonASCII) else { continue }
            guard bytes[index] == UInt8(ascii: "\"") else {
                return otherStringEnd(from: start, to: index, nonASCII)
            }
            guard nonASCII & 0x8080_8080_8080_8080 == 0 else { return checkedStringEnd(from: start, to: index) }
            return (index, TapeKind.asciiString)
        }
        return otherStringEnd(from: start, to: index, nonASCII)
    }

    /// Passes over up to 16 bytes, and stops at a quotation mark, a backslash or a control character.
    ///
    /// - Returns: Whether it has stopped at one.
    @inline(__always)
    private func passPlainText(_ index: inout Int, _ nonASCII: inout UInt64) -> Bool {
        // With a scalar operand these comparisons would be compiled to a loop over single bytes.
        let quotes = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
        let backslashes = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
        let spaces = SIMD16<UInt8>(repeating: 0x20)
        let vector = UnsafeRawPointer(bytes + index).loadUnaligned(as: SIMD16<UInt8>.self)
        let special = (vector .== quotes) .| (vector .== backslashes) .| (vector .< spaces)
        let found = unsafeBitCast(special, to: SIMD2<UInt64>.self)
        let text = unsafeBitCast(vector, to: SIMD2<UInt64>.self)
        if found.x != 0 {
            let bits = found.x.littleEndian.trailingZeroBitCount
            // The bytes before the one that was found.
            nonASCII |= text.x.littleEndian & ~(~0 &<< UInt64(truncatingIfNeeded: bits))
            index &+= bits &>> 3
            return true
        }
        if found.y != 0 {
            let bits = found.y.littleEndian.trailingZeroBitCount
            nonASCII |= text.x | text.y.littleEndian & ~(~0 &<< UInt64(truncatingIfNeeded: bits))
            index &+= 8 &+ bits &>> 3
            return true
        }
        nonASCII |= text.x | text.y
        index &+= 16
        return false
    }

    @inline(never)
    private func checkedStringEnd(from start: Int, to end: Int) -> (close: Int, kind: UInt64)? {
        UTF8Validation.isValid(bytes, from: start, to: end, of: count) ? (end, TapeKind.plainString) : nil
    }

    /// The same from somewhere within the string: for strings with escapes, and near the end of the document.
    @inline(never)
    private func otherStringEnd(
        from start: Int,
        to position: Int,
        _ nonASCIISoFar: UInt64
    ) -> (close: Int, kind: UInt64)? {
        var index = position
        var hasEscapes = false
        var nonASCII = nonASCIISoFar
        while index < count {
            if index &+ 16 <= count, !passPlainText(&index, &nonASCII) { continue }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let isASCII = nonASCII & 0x8080_8080_8080_8080 == 0
                guard isASCII || UTF8Validation.isValid(bytes, from: start, to: index, of: count) else { return nil }
                let kind = isASCII ? TapeKind.asciiString : TapeKind.plainString
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
                nonASCII |= UInt64(byte)
                index &+= 1
            }
        }
        return nil
    }

    /// Whether a character makes an escape with the backslash before it alone.
    @inline(__always)
    private static func isSimpleEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default:
            false
        }
    }

    /// How many bytes an escape by number has, both halves of a surrogate pair counted; nil where it is none.
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
