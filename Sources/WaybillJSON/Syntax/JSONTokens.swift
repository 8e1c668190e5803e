/// A reader of the tokens in JSON text, used to locate values.
///
/// A copy continues independently. It is safe for any text: nesting takes only one bit of memory per level.
struct JSONTokens {
    struct Token {
        enum Kind { case beginObject, endObject, beginArray, endArray, key, string, number, literal }

        let kind: Kind
        /// The range of the token's bytes, including quotation marks.
        let range: Range<Int>
    }

    private let bytes: [UInt8]

    /// The offset just past the last token.
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

    /// The offset of the first `\u` escape of a lone surrogate, which the grammar allows but many decoders reject.
    var loneSurrogate: Int? { validator.firstLoneSurrogate }

    /// Returns the next token; nil at the end of the text.
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

    /// Skips the rest of an array or object whose opening bracket was just read; does nothing for any other token.
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
                // At the end of the text, no delimiter marks the end of a number.
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

    /// Reads up to the next event, or up to an offset.
    private mutating func event(before end: Int = .max) throws(JSONSyntaxError) -> JSONValidator.Event {
        let event = bytes.withUnsafeBufferPointer {
            validator.read(UnsafeBufferPointer(rebasing: $0.prefix(end)), from: &offset)
        }
        guard case .rejected(let rejection) = event else { return event }
        throw error(of: rejection, from: 0)
    }

    private func error(of rejection: JSONValidator.Rejection, from start: Int) -> JSONSyntaxError {
        // The depth is not limited here.
        guard case .syntax(let expected) = rejection.reason else { preconditionFailure("\(rejection.reason)") }
        return JSONSyntaxError(offset: start + rejection.offset, expected: expected, in: bytes)
    }
}
