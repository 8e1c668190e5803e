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
        guard let digits = number(at: index) else { throw mismatch(type, at: index, in: container) }
        guard let value = ExactNumber.integer(type, digits: digits) else {
            throw unfitting(digits, at: index, in: container)
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
