/// The tokens of a JSON text, for finding places in it.
///
/// A copy continues from the place of the original. Any text is safe to read: nesting takes one bit of memory a level.
struct JSONTokens {
    struct Token {
        enum Kind { case beginObject, endObject, beginArray, endArray, key, string, number, literal }

        let kind: Kind
        /// The token's bytes, quotation marks included.
        let range: Range<Int>
    }

    private let bytes: [UInt8]

    /// The offset after the last token.
    private(set) var offset: Int

    private var validator = JSONValidator(maximumDepth: .max, longestKey: 0)

    init(_ bytes: [UInt8], from offset: Int) {
        self.bytes = bytes
        self.offset = offset
        validator.state = .document
        validator.watchedDepth = .max
    }

    /// The number of open containers.
    var depth: Int { validator.depth }

    /// The offset of the first lone surrogate, a `\u` escape: the grammar allows it, many decoders do not.
    var loneSurrogate: Int? { validator.firstLoneSurrogate }

    /// Reads the next token; nil at the end of the text.
    mutating func next() throws(JSONSyntaxError) -> Token? {
        switch try event() {
        case .valueBegins: return try value()
        case .key: return Token(kind: .key, range: offset - validator.keyLength - 2..<offset)
        case .valueEnds:
            let isObject = bytes[offset - 1] == UInt8(ascii: "}")
            return Token(kind: isObject ? .endObject : .endArray, range: offset - 1..<offset)
        case .needsBytes, .byteOrderMark, .rejected:
            if let rejection = validator.finish() { throw error(of: rejection, from: bytes.count) }
            return nil
        }
    }

    /// Reads on until the container that was opened last, or the scalar that was read last, is complete.
    mutating func skipRest(of token: Token) throws(JSONSyntaxError) {
        guard token.kind == .beginArray || token.kind == .beginObject else { return }
        let outer = depth - 1
        while depth > outer, try next() != nil {}
    }

    private mutating func value() throws(JSONSyntaxError) -> Token {
        let start = offset
        switch bytes[start] {
        case UInt8(ascii: "{"):
            _ = try event(before: start + 1)
            return Token(kind: .beginObject, range: start..<offset)
        case UInt8(ascii: "["):
            _ = try event(before: start + 1)
            return Token(kind: .beginArray, range: start..<offset)
        case let first:
            if case .needsBytes = try event() {
                // Nothing shows the end of a number at the end of the text.
                if validator.isWithinNumber {
                    validator.passValue()
                } else if let rejection = validator.finish() {
                    throw error(of: rejection, from: bytes.count)
                }
            }
            switch first {
            case UInt8(ascii: "\""): return Token(kind: .string, range: start..<offset)
            case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
                return Token(kind: .literal, range: start..<offset)
            default: return Token(kind: .number, range: start..<offset)
            }
        }
    }

    /// Reads up to the next event, or to an offset.
    private mutating func event(before end: Int = .max) throws(JSONSyntaxError) -> JSONValidator.Event {
        let event = bytes.withUnsafeBufferPointer {
            validator.read(UnsafeBufferPointer(rebasing: $0.prefix(end)), from: &offset)
        }
        guard case .rejected(let rejection) = event else { return event }
        throw error(of: rejection, from: 0)
    }

    private func error(of rejection: JSONValidator.Rejection, from start: Int) -> JSONSyntaxError {
        // No depth is too great here.
        guard case .syntax(let expected) = rejection.reason else { preconditionFailure("\(rejection.reason)") }
        return JSONSyntaxError(offset: start + rejection.offset, expected: expected, in: bytes)
    }
}
