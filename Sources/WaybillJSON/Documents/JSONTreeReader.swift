import WaybillSystem

/// A reader of a value of any shape, word by word, for a type that keeps all of it as a tree: without containers, and
/// without trying one kind after the other for each value.
package struct JSONTreeReader {
    /// One value, or the beginning of one.
    package enum Node {
        case null
        case bool(Bool)
        /// A number without a fraction that `Int` holds.
        case integer(Int)
        /// Any other number that `Decimal` holds exactly.
        case decimal(Decimal)
        /// A number beyond `Decimal` that is the shortest text of a `Double`.
        case double(Double)
        /// Any other number, as its text.
        case numeral(String)
        case string(String)
        /// An array: its elements come next, until the reader leaves it.
        case array(count: Int)
        /// An object: its keys and values come next, in turn, until the reader leaves it.
        case object(count: Int)
    }

    private let session: DecodingSession
    private var position: Int
    private var container: Int

    /// The number of arrays and objects around the value.
    package let depth: Int

    /// Creates a reader of a decoder's value; nil if the decoder is not of this module.
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

    /// Leaves the array or the object that was begun last, if the reader is at its end.
    ///
    /// - Returns: whether the reader was at the end.
    package mutating func leave() -> Bool {
        guard position >= TapeWord.lower(session.state.pointee.tape[container]) else { return false }
        container = session.state.container(of: container)
        return true
    }

    /// Reads a key.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for one with a lone surrogate that is not to be replaced.
    package mutating func nextKey() throws -> String {
        defer { position = session.state.pointee.tape.end(of: position) }
        return try session.state.keyText(at: position, of: container)
    }

    /// Reads a value; of an array or an object, its beginning.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a string with a lone surrogate that is not to be replaced.
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

    /// Returns the text of the value that comes next.
    package func text() -> String? {
        let bytes = session.state.text(fromValueAt: position)
        return ValueBounds.endOfValue(in: bytes, from: 0).map { String(decoding: bytes[..<$0], as: UTF8.self) }
    }

    /// Returns the error of the array or the object that was begun last, if the tree cannot take it.
    package func rejection(_ reason: String) -> DecodingError {
        let state = session.state
        return state.corrupted(reason, state.codingPath(to: container, in: state.container(of: container)))
    }
}

extension UnsafeMutablePointer<DecodingState> {
    /// Returns a number in the narrowest of the kinds that hold it.
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
