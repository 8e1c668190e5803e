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

    /// Returns the rejection of a text that is neither `true` nor `false` nor `null`: from its first byte on.
    mutating func rejectedLiteral(at index: Int) -> Event {
        state = unit.literalState
        return rejected(at: index - unitLength)
    }

    /// Reads on in a number (RFC 8259, section 6).
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - index: the index to continue at; then that of the first unread byte.
    /// - Returns: whether it ends before the next byte. If it neither ends nor is out of bytes, it is not valid.
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
}
