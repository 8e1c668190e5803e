extension JSONValidator {
    /// Reads the first byte of a value.
    mutating func beginValue(_ byte: UInt8, _ index: inout Int) -> Rejection? {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open(object: byte == UInt8(ascii: "{")) else { return Rejection(reason: .depth, offset: index) }
        case UInt8(ascii: "\""): state = .string
        case UInt8(ascii: "-"): state = .minus
        case UInt8(ascii: "0"): state = .zero
        case UInt8(ascii: "1")...UInt8(ascii: "9"): state = .integer
        case UInt8(ascii: "t"): beginLiteral("true", rest: 0x65_75_72)
        case UInt8(ascii: "f"): beginLiteral("false", rest: 0x65_73_6C_61)
        case UInt8(ascii: "n"): beginLiteral("null", rest: 0x6C_6C_75)
        default: return rejection(at: index)
        }
        index += 1
        return nil
    }

    /// Whether a value can begin with a byte.
    @inline(__always)
    func canBeginValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "t"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private mutating func beginLiteral(_ name: StaticString, rest: UInt64) {
        (unit.literal, unit.literalName, unit.literalState) = (rest, name, state)
        (state, unitLength) = (.literal, 1)
    }

    /// Returns the rejection, at its first byte, of text that is not `true`, `false` or `null`.
    mutating func rejectedLiteral(at index: Int) -> Event {
        state = unit.literalState
        return rejected(at: index - unitLength)
    }

    /// Continues reading a number (RFC 8259, section 6).
    ///
    /// - Parameters:
    ///   - bytes: the available bytes.
    ///   - index: the index to continue at; set to that of the first unread byte.
    /// - Returns: whether the number ends before the next byte. If not, the number is invalid unless all bytes have
    ///   been read.
    mutating func isEndOfNumber(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
        while index < bytes.count {
            let byte = bytes[index]
            let isDigit = byte &- 0x30 < 10
            switch state {
            case .minus:
                guard isDigit else { return false }
                state = byte == 0x30 ? .zero : .integer
            case .zero where isDigit: return false
            case .zero, .integer:
                if isDigit { break }
                guard byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") else { return true }
                state = byte == UInt8(ascii: ".") ? .point : .exponentMark
            case .point, .fraction:
                if isDigit {
                    state = .fraction
                    break
                }
                guard state == .fraction else { return false }
                guard byte | 0x20 == UInt8(ascii: "e") else { return true }
                state = .exponentMark
            case .exponentMark where byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"):
                state = .exponentSign
            default:
                guard isDigit else { return state == .exponent }
                state = .exponent
            }
            index += 1
        }
        return false
    }

    /// The progress within a character, an escape or a literal.
    struct UnitProgress: Sendable {
        /// The number of remaining bytes of a character, or remaining digits of an escape.
        var rest = 0
        /// The lowest valid value of a character's next byte.
        var lowest: UInt8 = 0x80
        var highest: UInt8 = 0xBF
        /// The value of an escape's digits so far.
        var scalar: UInt32 = 0
        /// Whether the escape is the second one of a surrogate pair.
        var isSecond = false
        /// The remaining bytes of a literal, with the next byte in the lowest bits, and its name.
        var literal: UInt64 = 0
        var literalName: StaticString = ""
        /// The state before the literal.
        var literalState = State.document

        var nextOfLiteral: UInt8 { UInt8(truncatingIfNeeded: literal) }
    }

    /// Skips ASCII characters other than quotation marks, backslashes and control characters.
    @inline(__always)
    func skipPlainText(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) {
        guard let start = bytes.baseAddress else { return }
        let quotes = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
        let backslashes = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
        let spaces = SIMD16<UInt8>(repeating: 0x20)
        let ends = SIMD16<UInt8>(repeating: 0x80)
        while index &+ 16 <= bytes.count {
            let vector = UnsafeRawPointer(start + index).loadUnaligned(as: SIMD16<UInt8>.self)
            let special = (vector .== quotes) .| (vector .== backslashes) .| (vector .< spaces) .| (vector .>= ends)
            let found = unsafeBitCast(special, to: SIMD2<UInt64>.self)
            guard found.x | found.y == 0 else {
                index &+=
                    found.x != 0
                    ? found.x.littleEndian.trailingZeroBitCount &>> 3
                    : 8 &+ found.y.littleEndian.trailingZeroBitCount &>> 3
                return
            }
            index &+= 16
        }
        while index < bytes.count {
            let byte = bytes[index]
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return }
            index &+= 1
        }
    }

    /// Ends a string after all of its bytes have been read.
    mutating func endString() -> Event? {
        guard isKey else { return endValue() }
        state = .colon
        isKey = false
        guard keepsKey else { return nil }
        keepsKey = false
        return .key
    }

    /// Begins an escape or a non-ASCII character (RFC 3629, section 4).
    mutating func beginUnit(_ byte: UInt8, _ index: inout Int) -> Rejection? {
        unitLength = 1
        (unit.lowest, unit.highest) = (0x80, 0xBF)
        switch byte {
        case UInt8(ascii: "\\"): unit.isSecond = false
        case 0..<0x20:
            return Rejection(reason: .syntax(expected: "an escape such as \\n in the string"), offset: index)
        case 0xC2...0xDF: unit.rest = 1
        // The narrower ranges exclude overlong forms, surrogates and values beyond U+10FFFF.
        case 0xE0: (unit.rest, unit.lowest) = (2, 0xA0)
        case 0xED: (unit.rest, unit.highest) = (2, 0x9F)
        case 0xE1...0xEF: unit.rest = 2
        case 0xF0: (unit.rest, unit.lowest) = (3, 0x90)
        case 0xF1...0xF3: unit.rest = 3
        case 0xF4: (unit.rest, unit.highest) = (3, 0x8F)
        default:
            state = .continuation
            return rejection(at: index)
        }
        state = byte < 0x80 ? .escape : .continuation
        index += 1
        return nil
    }

    /// Reads the next byte of an escape or a character.
    mutating func continueUnit(_ byte: UInt8, _ index: inout Int) -> Rejection? {
        switch state {
        case .continuation:
            guard byte >= unit.lowest, byte <= unit.highest else { return rejection(at: index - unitLength) }
            (unit.lowest, unit.highest) = (0x80, 0xBF)
            unit.rest -= 1
            if unit.rest == 0 { state = .string }
        case .escape:
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                state = .string
            case UInt8(ascii: "u"): beginDigits()
            default: return rejection(at: index)
            }
        case .secondBackslash:
            guard byte == UInt8(ascii: "\\") else {
                noteLoneSurrogate(at: index, next: .string)
                return nil
            }
            state = .secondEscape
        case .secondEscape:
            guard byte == UInt8(ascii: "u") else {
                noteLoneSurrogate(at: index, next: .escape)
                return nil
            }
            beginDigits()
        default:
            guard let digit = Self.value(ofDigit: byte) else { return rejection(at: index) }
            unit.scalar = unit.scalar << 4 | digit
            unit.rest -= 1
            if unit.rest == 0 { endDigits(at: index) }
        }
        unitLength += 1
        index += 1
        return nil
    }

    private mutating func beginDigits() {
        state = .hexadecimal
        (unit.rest, unit.scalar) = (4, 0)
    }

    /// Ends a `\u` escape at its last digit.
    private mutating func endDigits(at index: Int) {
        let (isHigh, isLow) = (unit.scalar & 0xFC00 == 0xD800, unit.scalar & 0xFC00 == 0xDC00)
        state = .string
        if isLow != unit.isSecond { noteLoneSurrogate(at: index, next: .string) }
        if isHigh {
            state = .secondBackslash
            // The current byte is counted later.
            (unit.isSecond, unitLength) = (true, 5)
        }
    }

    /// Records a lone surrogate, and continues in the given state.
    private mutating func noteLoneSurrogate(at index: Int, next: State) {
        firstLoneSurrogate = firstLoneSurrogate ?? index - unitLength
        (state, unitLength, unit.isSecond) = (next, 1, false)
    }

    private static func value(ofDigit byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46, 0x61...0x66: UInt32(byte & 0xF + 9)
        default: nil
        }
    }
}
