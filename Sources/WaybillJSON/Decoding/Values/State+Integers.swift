extension UnsafeMutablePointer<DecodingState> {
    /// Returns an integer; `1.0` and `1e2` are integers too.
    @inline(__always)
    func integer<Value: FixedWidthInteger>(_ type: Value.Type, at index: Int, in container: Int) throws -> Value {
        let kind = TapeWord.kind(pointee.tape[index])
        let magnitude = pointee.tape[index &+ 1]
        if kind == TapeKind.positiveInteger {
            if let value = Value(exactly: magnitude) { return value }
        } else if kind == TapeKind.negativeInteger, Value.isSigned, magnitude <= 1 &<< 62 {
            if let value = Value(exactly: 0 &- Int64(truncatingIfNeeded: magnitude)) { return value }
        }
        return try otherInteger(type, at: index, in: container)
    }

    @inline(never)
    private func otherInteger<Value: FixedWidthInteger>(
        _ type: Value.Type,
        at index: Int,
        in container: Int
    ) throws -> Value {
        guard let digits = number(at: index) else { return try integer(type, inStringAt: index, in: container) }
        guard let value = ExactNumber.integer(type, digits: digits) else {
            throw unfitting(digits, at: index, in: container)
        }
        return value
    }

    /// Returns the integer of 64 bits that a string is, if the decoder has a strategy for it.
    private func integer<Value: FixedWidthInteger>(
        _ type: Value.Type,
        inStringAt index: Int,
        in container: Int
    ) throws -> Value {
        let kind = TapeWord.kind(pointee.tape[index])
        guard kind >= TapeKind.asciiString, kind <= TapeKind.longString,
            type == Int64.self || type == UInt64.self, session.strategies.int64s == .convertFromString
        else { throw mismatch(type, at: index, in: container) }
        // The text is not in the error: a string may be a secret.
        let text = text(at: index)
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        guard text.utf8.count - digits.count <= 1, let first = digits.first, digits.allSatisfy({ $0 &- 0x30 < 10 }),
            first != UInt8(ascii: "0") || digits.count == 1
        else { throw corrupted("The string is not a whole number.", codingPath(to: index, in: container)) }
        guard let value = Value(text) else {
            let reason = "The number in the string does not fit into the type."
            throw corrupted(reason, codingPath(to: index, in: container))
        }
        return value
    }

    /// Returns the text of a number; nil for any other value.
    func number(at index: Int) -> UnsafeBufferPointer<UInt8>? {
        let word = pointee.tape[index]
        let start = TapeWord.lower(word)
        switch TapeWord.kind(word) {
        case TapeKind.longNumber:
            return UnsafeBufferPointer(
                start: pointee.bytes + start,
                count: Int(truncatingIfNeeded: pointee.tape[index &+ 1])
            )
        case TapeKind.positiveInteger, TapeKind.negativeInteger, TapeKind.decimal:
            var end = start
            while end < pointee.count, Self.isPartOfNumber(pointee.bytes[end]) { end &+= 1 }
            return UnsafeBufferPointer(start: pointee.bytes + start, count: end &- start)
        default:
            return nil
        }
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
            || byte | 0x20 == UInt8(ascii: "e")
    }
}
