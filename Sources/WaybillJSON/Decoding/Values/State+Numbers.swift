extension UnsafeMutablePointer<DecodingState> {
    /// Returns an integer; `1.0` and `1e2` count as integers.
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
            throw unfittingInteger(digits, at: index, in: container)
        }
        return value
    }

    /// Returns the 64-bit integer in a string, if the decoder's strategy allows it.
    private func integer<Value: FixedWidthInteger>(
        _ type: Value.Type,
        inStringAt index: Int,
        in container: Int
    ) throws -> Value {
        guard isString(index),
            type == Int64.self || type == UInt64.self, session.strategies.int64s == .convertFromString
        else { throw mismatch(type, at: index, in: container) }
        // The error omits the text, because a string may be a secret.
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

    /// Returns the `Double` nearest to a number.
    @inline(__always)
    func double(at index: Int, in container: Int) throws -> Double {
        try floatingPoint(Double.self, at: index, in: container)
    }

    /// Returns the `Float` nearest to a number.
    @inline(__always)
    func float(at index: Int, in container: Int) throws -> Float {
        try floatingPoint(Float.self, at: index, in: container)
    }

    @inline(__always)
    private func floatingPoint<Format: BinaryFormat>(
        _ type: Format.Type,
        at index: Int,
        in container: Int
    ) throws -> Format {
        let word = pointee.tape[index]
        let kind = TapeWord.kind(word)
        let mantissa = pointee.tape[index &+ 1]
        if kind == TapeKind.decimal {
            let exponent = Int(Int16(truncatingIfNeeded: word &>> 32))
            let value: Format = EiselLemire.value(mantissa: mantissa, exponent: exponent, powers: pointee.powers)
            if value.isNormal || mantissa == 0 { return word & (1 &<< 48) == 0 ? value : -value }
        } else if kind == TapeKind.positiveInteger {
            return Format(mantissa)
        } else if kind == TapeKind.negativeInteger {
            return -Format(mantissa)
        }
        return try otherFloatingPoint(type, at: index, in: container)
    }

    @inline(never)
    private func otherFloatingPoint<Format: BinaryFormat>(
        _ type: Format.Type,
        at index: Int,
        in container: Int
    ) throws -> Format {
        guard let digits = number(at: index) else {
            if let value = nonConforming(type, at: index) { return value }
            throw mismatch(type, at: index, in: container)
        }
        let value = ExactNumber.floatingPoint(type, digits: digits)
        guard Self.isKept(value.magnitude, digits) else { throw unfitting(digits, at: index, in: container) }
        return value
    }

    /// Whether a number was rounded without overflow or underflow: it is finite, and zero only if the text denotes
    /// zero.
    private static func isKept(_ magnitude: some BinaryFormat, _ digits: UnsafeBufferPointer<UInt8>) -> Bool {
        if magnitude == 0 {
            return !digits.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { $0 &- 0x31 < 9 }
        }
        return magnitude.isFinite
    }

    /// Returns the infinity or NaN that a string denotes; nil unless the decoder's strategy allows it.
    private func nonConforming<Value: BinaryFormat>(_ type: Value.Type, at index: Int) -> Value? {
        guard isString(index),
            case .convertFromString(let positive, let negative, let nan) = session.strategies.nonConformingFloats
        else { return nil }
        switch text(at: index) {
        case positive: return .infinity
        case negative: return -.infinity
        case nan: return .nan
        default: return nil
        }
    }

    /// The session that owns the state.
    @inline(__always)
    var session: DecodingSession { pointee.session.takeUnretainedValue() }
}
