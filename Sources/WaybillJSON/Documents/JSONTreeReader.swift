import WaybillSystem

/// A reader for types that store arbitrary JSON as a tree.
///
/// It reads the tape directly, without containers and without trying several types for each value.
package struct JSONTreeReader {
    /// A value, or the beginning of an array or object.
    package enum Node {
        case null
        case bool(Bool)
        /// A number without a fraction that fits into `Int`.
        case integer(Int)
        /// Any other number that `Decimal` represents exactly.
        case decimal(Decimal)
        /// A number that `Decimal` cannot represent but that equals the shortest decimal text of a `Double`.
        case double(Double)
        /// Any other number, as its text.
        case numeral(String)
        case string(String)
        /// An array, followed by its elements until ``leave()`` returns true.
        case array(count: Int)
        /// An object, followed by its alternating keys and values until ``leave()`` returns true.
        case object(count: Int)
    }

    private let session: DecodingSession
    private var position: Int
    private var container: Int

    /// The number of arrays and objects that enclose the value.
    package let depth: Int

    /// Creates a reader for a decoder's value; nil if the decoder is not from this module.
    package init?(_ decoder: any Decoder) {
        guard let decoder = decoder as? TapeDecoder else { return nil }
        session = decoder.session
        position = decoder.index
        container = decoder.container
        var depth = 0
        var outer = decoder.container
        while outer != 0 {
            depth += 1
            outer = decoder.state.container(of: outer)
        }
        self.depth = depth
    }

    /// Leaves the innermost open array or object if the reader is at its end.
    ///
    /// - Returns: whether the reader was at the end.
    package mutating func leave() -> Bool {
        guard position >= TapeWord.lower(session.state.pointee.tape[container]) else { return false }
        container = session.state.container(of: container)
        return true
    }

    /// Reads a key.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a key with a lone surrogate, unless the decoder replaces lone
    ///   surrogates.
    package mutating func nextKey() throws -> String {
        defer { position = session.state.pointee.tape.end(of: position) }
        return try session.state.keyText(at: position, of: container)
    }

    /// Reads a value, or the beginning of an array or object.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a string with a lone surrogate, unless the decoder replaces lone
    ///   surrogates.
    package mutating func next() throws -> Node {
        let state = session.state
        let index = position
        let word = state.pointee.tape[index]
        switch TapeWord.kind(word) {
        case TapeKind.array:
            position = index &+ 2
            container = index
            return .array(count: state.elementCount(of: index))
        case TapeKind.object:
            position = index &+ 2
            container = index
            return .object(count: state.memberCount(of: index))
        case TapeKind.null:
            position = index &+ 1
            return .null
        case TapeKind.true, TapeKind.false:
            position = index &+ 1
            return .bool(TapeWord.kind(word) == TapeKind.true)
        case TapeKind.positiveInteger, TapeKind.negativeInteger, TapeKind.decimal, TapeKind.longNumber:
            position = state.pointee.tape.end(of: index)
            return state.number(at: index)
        default:
            position = state.pointee.tape.end(of: index)
            return .string(try state.string(at: index, in: container))
        }
    }

    /// Returns the text of the next value.
    package func text() -> String? {
        let bytes = session.state.text(fromValueAt: position)
        return ValueBounds.endOfValue(in: bytes, from: 0).map { String(decoding: bytes[..<$0], as: UTF8.self) }
    }

    /// Returns the error for an unsupported array or object whose beginning was just read.
    package func rejection(_ reason: String) -> DecodingError {
        let state = session.state
        return state.corrupted(reason, state.codingPath(to: container, in: state.container(of: container)))
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// Returns a number as the first kind of node that represents it exactly.
    fileprivate func number(at index: Int) -> JSONTreeReader.Node {
        let word = pointee.tape[index]
        let magnitude = pointee.tape[index &+ 1]
        switch TapeWord.kind(word) {
        case TapeKind.positiveInteger:
            return Int(exactly: magnitude).map { .integer($0) } ?? .decimal(Decimal(magnitude))
        case TapeKind.negativeInteger:
            let integer = ExactNumber.integer(Int.self, isNegative: true, mantissa: magnitude)
            return integer.map { .integer($0) } ?? .decimal(-Decimal(magnitude))
        case TapeKind.decimal:
            let exponent = Int(Int16(truncatingIfNeeded: word &>> 32))
            if let node = decimalNode(isNegative: word & (1 &<< 48) != 0, magnitude, exponent) { return node }
        default: break
        }
        guard let digits = number(at: index) else { return .null }
        if let value = ExactNumber.integer(Int.self, digits: digits) { return .integer(value) }
        if let value = ExactNumber.decimal(digits: digits) { return .decimal(value) }
        let text = String(decoding: digits, as: UTF8.self)
        let value = ExactNumber.floatingPoint(Double.self, digits: digits)
        return value.isFinite && JSONNumber(value) == JSONNumber(text: text) ? .double(value) : .numeral(text)
    }

    private func decimalNode(isNegative: Bool, _ mantissa: UInt64, _ exponent: Int) -> JSONTreeReader.Node? {
        guard mantissa != 0 else { return .integer(0) }
        var (digits, power) = (mantissa, exponent)
        while power < 0, digits % 10 == 0 {
            digits /= 10
            power += 1
        }
        if (0...18).contains(power) {
            let (magnitude, overflows) = digits.multipliedReportingOverflow(by: ExactNumber.powerOfTen(power))
            if !overflows, let value = ExactNumber.integer(Int.self, isNegative: isNegative, mantissa: magnitude) {
                return .integer(value)
            }
        }
        return ExactNumber.decimal(isNegative: isNegative, mantissa: mantissa, exponent: exponent).map { .decimal($0) }
    }
}
