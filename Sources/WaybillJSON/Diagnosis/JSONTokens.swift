/// The tokens of a JSON text, read one by one and checked against RFC 8259 on the way.
///
/// Every byte is read once; nesting costs one byte of memory a level and no stack, so any text is safe to read. A copy
/// continues from the place of the original.
struct JSONTokens {
    struct Token {
        enum Kind { case beginObject, endObject, beginArray, endArray, key, string, number, literal }

        let kind: Kind
        /// The token's bytes, quotation marks included.
        let range: Range<Int>
    }

    /// The tokens that the grammar allows next.
    private enum Expectation {
        case document, firstElement, element, firstKey, key, colon, memberValue, afterValue
    }

    private enum Container { case object, array }

    let bytes: [UInt8]

    /// The offset after the last token.
    private(set) var offset: Int

    /// The number of open containers.
    var depth: Int { containers.count }

    /// The offset of the first `\u` escape of half a surrogate pair: the grammar allows it, many decoders do not.
    var unpairedSurrogate: Int?

    private var containers: [Container] = []
    private var expectation = Expectation.document

    init(_ bytes: [UInt8], from offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Reads the next token; nil at the end of the text.
    mutating func next() throws(JSONSyntaxError) -> Token? {
        skipWhitespace()
        switch expectation {
        case .document, .element, .memberValue:
            return try value()
        case .firstElement:
            return byte == UInt8(ascii: "]") ? close(.endArray) : try value()
        case .firstKey:
            return byte == UInt8(ascii: "}") ? close(.endObject) : try key()
        case .key:
            return try key()
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw unexpected("':' after the key") }
            offset += 1
            expectation = .memberValue
            return try next()
        case .afterValue:
            return try afterValue()
        }
    }

    /// Reads on until the container that was opened last, or the scalar that was read last, is complete.
    mutating func skipRest(of token: Token) throws(JSONSyntaxError) {
        guard token.kind == .beginArray || token.kind == .beginObject else { return }
        let outer = depth - 1
        while depth > outer, try next() != nil {}
    }

    private mutating func afterValue() throws(JSONSyntaxError) -> Token? {
        guard let container = containers.last else {
            guard byte == nil else { throw unexpected("the end of the text") }
            return nil
        }
        switch (container, byte) {
        case (.object, UInt8(ascii: ",")):
            offset += 1
            expectation = .key
            return try next()
        case (.array, UInt8(ascii: ",")):
            offset += 1
            expectation = .element
            return try next()
        case (.object, UInt8(ascii: "}")): return close(.endObject)
        case (.array, UInt8(ascii: "]")): return close(.endArray)
        case (.object, _): throw unexpected("',' or '}'")
        case (.array, _): throw unexpected("',' or ']'")
        }
    }

    private mutating func value() throws(JSONSyntaxError) -> Token {
        let start = offset
        switch byte {
        case UInt8(ascii: "{"): return open(.object)
        case UInt8(ascii: "["): return open(.array)
        case UInt8(ascii: "\""):
            offset = try endOfString(at: start)
            return token(.string, from: start)
        case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"):
            offset = try endOfNumber(at: start)
            return token(.number, from: start)
        default:
            offset = try endOfLiteral(at: start)
            return token(.literal, from: start)
        }
    }

    private mutating func key() throws(JSONSyntaxError) -> Token {
        guard byte == UInt8(ascii: "\"") else {
            throw unexpected("a key in double quotes" + (expectation == .firstKey ? " or '}'" : " after ','"))
        }
        let start = offset
        offset = try endOfString(at: start)
        expectation = .colon
        return Token(kind: .key, range: start..<offset)
    }

    private mutating func token(_ kind: Token.Kind, from start: Int) -> Token {
        expectation = .afterValue
        return Token(kind: kind, range: start..<offset)
    }

    private mutating func open(_ container: Container) -> Token {
        containers.append(container)
        expectation = container == .object ? .firstKey : .firstElement
        offset += 1
        return Token(kind: container == .object ? .beginObject : .beginArray, range: offset - 1..<offset)
    }

    private mutating func close(_ kind: Token.Kind) -> Token {
        containers.removeLast()
        offset += 1
        return token(kind, from: offset - 1)
    }

    private mutating func skipWhitespace() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func unexpected(_ expected: String) -> JSONSyntaxError { unexpected(expected, at: offset) }

    /// The valid continuations at the place of a value.
    var expectedValue: String {
        switch expectation {
        case .firstElement: "a value or ']'"
        case .element: "a value after ','"
        case .memberValue: "a value after ':'"
        default: "a value"
        }
    }
}
