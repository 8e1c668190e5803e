/// An incremental validator for JSON (RFC 8259) that arrives in pieces, split at arbitrary bytes.
///
/// Its state takes a few words, plus one bit per nesting level. Every byte is read once, without recursion.
///
/// It reports keys and values up to a nesting depth of ``watchedDepth``.
struct JSONValidator: Sendable {
    /// The reason why ``read(_:from:)`` stopped.
    enum Event {
        /// All bytes have been read.
        case needsBytes
        /// A byte order mark has been read.
        case byteOrderMark
        /// A key has been read; its content is in ``keyBytes``.
        case key
        /// A value begins at the next byte, which is still unread.
        case valueBegins
        /// A value has been read to its end.
        case valueEnds
        /// The document is invalid or nested too deeply.
        case rejected(Rejection)
    }

    /// The reason for rejecting a document, and its location.
    struct Rejection {
        enum Reason {
            case syntax(expected: String)
            case depth
        }

        let reason: Reason
        /// The offset in the current bytes; negative if it is before them.
        let offset: Int
    }

    /// The state of the grammar, which determines the valid next bytes.
    enum State: UInt8 {
        case start, byteOrderMark, firstSeparator
        case document, firstElement, element, memberValue
        case firstKey, key, colon, afterValue
        case string, escape, hexadecimal, secondBackslash, secondEscape, continuation
        case literal, endOfLiteral
        case minus, zero, integer, point, fraction, exponentMark, exponentSign, exponent
    }

    let maximumDepth: Int
    /// The nesting depth up to which keys and values are reported.
    var watchedDepth = 0
    /// The number of open containers.
    var depth = 0
    /// The bytes of the last reported key, with escapes unresolved, truncated to ``longestKey``.
    var keyBytes: [UInt8] = []
    /// The maximum number of bytes stored per key.
    let longestKey: Int
    /// The length of the last reported key in bytes.
    private(set) var keyLength = 0
    /// The offset of the first lone surrogate, which the grammar allows although it is not a character.
    var firstLoneSurrogate: Int?

    var state = State.start
    /// The number of bytes read so far of the current character, escape or literal.
    var unitLength = 0
    var unit = UnitProgress()
    /// Whether the current string is a key, and whether its bytes are kept.
    var isKey = false
    var keepsKey = false
    private var isAnnounced = false

    /// The format of a sequence of texts; nil for a single text.
    var sequence: JSONSequenceForm?
    /// Whether whitespace must precede the next text, to ensure that a number or literal is not truncated.
    var needsWhiteSpace = false

    /// Whether each open container is an object, as one bit per level.
    var containers: [UInt64] = []
    var isObject = false

    init(maximumDepth: Int, longestKey: Int) {
        self.maximumDepth = maximumDepth
        self.longestKey = longestKey
    }

    /// Reads up to the next event.
    ///
    /// - Parameters:
    ///   - bytes: the available bytes.
    ///   - index: the index to continue at; set to that of the first unread byte.
    /// - Returns: the event.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, from index: inout Int) -> Event {
        var keyStart = index
        while index < bytes.count {
            let byte = bytes[index]
            switch state {
            case .document, .firstElement, .element, .memberValue:
                if isWhiteSpace(byte) || isRecordSeparator(byte) {
                    index += 1
                } else if state == .firstElement, byte == UInt8(ascii: "]") {
                    if let event = close(&index) { return event }
                } else if depth <= watchedDepth, !isAnnounced, canBeginValue(byte) {
                    isAnnounced = true
                    return .valueBegins
                } else {
                    isAnnounced = false
                    if let rejection = beginValue(byte, &index) { return .rejected(rejection) }
                }
            case .firstKey, .key:
                if isWhiteSpace(byte) {
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    index += 1
                    (state, isKey, keepsKey, keyStart) = (.string, true, depth <= watchedDepth, index)
                    keyBytes.removeAll(keepingCapacity: true)
                    keyLength = 0
                } else if state == .firstKey, byte == UInt8(ascii: "}") {
                    if let event = close(&index) { return event }
                } else {
                    return rejected(at: index)
                }
            case .colon:
                index += 1
                if byte == UInt8(ascii: ":") {
                    state = .memberValue
                } else if !isWhiteSpace(byte) {
                    return rejected(at: index - 1)
                }
            case .afterValue:
                if isWhiteSpace(byte) {
                    index += 1
                    if sequence != nil, depth == 0 { passWhiteSpace(byte) }
                } else if depth == 0 {
                    guard beginsText(byte) else { return rejected(at: index) }
                    state = .document
                } else if byte == UInt8(ascii: ",") {
                    index += 1
                    state = isObject ? .key : .element
                } else if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    if let event = close(&index) { return event }
                } else {
                    return rejected(at: index)
                }
            case .string:
                skipPlainText(bytes, &index)
                guard index < bytes.count else { break }
                let special = bytes[index]
                guard special == UInt8(ascii: "\"") else {
                    if let rejection = beginUnit(special, &index) { return .rejected(rejection) }
                    break
                }
                if keepsKey { keep(bytes[keyStart..<index]) }
                index += 1
                if let event = endString() { return event }
            case .start:
                state = beginning
                if byte == 0xEF { (state, unitLength, index) = (.byteOrderMark, 1, index + 1) }
            case .byteOrderMark:
                guard byte == (unitLength == 1 ? 0xBB : 0xBF) else { return rejected(at: index - unitLength) }
                (unitLength, index) = (unitLength + 1, index + 1)
                guard unitLength == 3 else { break }
                state = beginning
                return .byteOrderMark
            case .firstSeparator:
                guard isWhiteSpace(byte) || isRecordSeparator(byte) else { return rejected(at: index) }
                if isRecordSeparator(byte) { state = .document }
                index += 1
            case .escape, .hexadecimal, .secondBackslash, .secondEscape, .continuation:
                if let rejection = continueUnit(byte, &index) { return .rejected(rejection) }
            case .literal:
                guard byte == unit.nextOfLiteral else { return rejectedLiteral(at: index) }
                (unitLength, index) = (unitLength + 1, index + 1)
                unit.literal &>>= 8
                guard unit.literal == 0 else { break }
                if depth == 0, sequence == .textSequence {
                    state = .endOfLiteral
                } else if let event = endValue() {
                    return event
                }
            case .endOfLiteral:
                if let rejection = cutText(before: byte, at: index) { return .rejected(rejection) }
                if let event = endValue() { return event }
            case .minus, .zero, .integer, .point, .fraction, .exponentMark, .exponentSign, .exponent:
                guard !isEndOfNumber(bytes, &index) else {
                    if let rejection = cutText(before: bytes[index], at: index) { return .rejected(rejection) }
                    if let event = endValue() { return event }
                    break
                }
                if index < bytes.count { return rejected(at: index) }
            }
        }
        if keepsKey { keep(bytes[min(keyStart, index)..<index]) }
        return .needsBytes
    }

    /// Continues after a value validated by other code.
    mutating func passValue() {
        isAnnounced = false
        state = .afterValue
    }

    /// Ends a value after all of its bytes have been read.
    mutating func endValue() -> Event? {
        state = .afterValue
        return depth <= watchedDepth ? .valueEnds : nil
    }

    /// Opens a container; returns false if it is nested too deeply.
    mutating func open(object: Bool) -> Bool {
        guard depth < maximumDepth else { return false }
        if depth >> 6 == containers.count { containers.append(0) }
        let bit: UInt64 = 1 << UInt64(depth & 63)
        if object { containers[depth >> 6] |= bit } else { containers[depth >> 6] &= ~bit }
        depth += 1
        isObject = object
        state = object ? .firstKey : .firstElement
        return true
    }

    /// Closes the innermost container, whose closing bracket is the next byte.
    mutating func close(_ index: inout Int) -> Event? {
        index += 1
        depth -= 1
        isObject = depth > 0 && containers[(depth - 1) >> 6] >> UInt64((depth - 1) & 63) & 1 == 1
        return endValue()
    }

    private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        keyBytes.append(contentsOf: bytes.prefix(longestKey - keyBytes.count))
        keyLength += bytes.count
    }

    @inline(__always)
    func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

extension JSONValidator {
    /// Returns the rejection of a document that ends here; nil if it is complete.
    mutating func finish() -> Rejection? {
        switch state {
        case .start where sequence != nil, .document where sequence != nil, .firstSeparator: return nil
        case .afterValue, .zero, .integer, .fraction, .exponent, .endOfLiteral:
            // A number or literal at the end of a text sequence may be truncated.
            if state != .afterValue, sequence == .textSequence { needsWhiteSpace = true }
            guard depth > 0 || needsWhiteSpace else { return nil }
            state = .afterValue
            return rejection(at: 0)
        case .continuation, .byteOrderMark: return rejection(at: -unitLength)
        case .start, .document, .firstElement, .element, .memberValue, .firstKey, .key, .colon, .string, .escape,
            .hexadecimal, .secondBackslash, .secondEscape, .literal, .minus, .point, .exponentMark, .exponentSign:
            return rejection(at: 0)
        }
    }

    func rejected(at index: Int) -> Event { .rejected(rejection(at: index)) }

    func rejection(at index: Int) -> Rejection { Rejection(reason: .syntax(expected: expected), offset: index) }

    /// Whether the digits so far form a complete number.
    var isWithinNumber: Bool {
        switch state {
        case .zero, .integer, .fraction, .exponent: true
        default: false
        }
    }

    /// A description of the valid continuations, for ``JSONSyntaxError``.
    var expected: String {
        switch state {
        case .start, .byteOrderMark, .document: "a value"
        case .firstSeparator: "a record separator before the first text"
        case .firstElement: "a value or ']'"
        case .element: "a value after ','"
        case .memberValue: "a value after ':'"
        case .firstKey: "a key in double quotes or '}'"
        case .key: "a key in double quotes after ','"
        case .colon: "':' after the key"
        case .string, .secondBackslash: "'\"' at the end of the string"
        case .escape, .secondEscape: "one of \" \\ / b f n r t u after '\\'"
        case .hexadecimal: "four hexadecimal digits after '\\u'"
        case .continuation: "valid UTF-8 in the string"
        case .literal: "'\(unit.literalName)'"
        case .minus: "a digit after '-'"
        case .zero: "no digit after a leading 0"
        case .point: "a digit after '.'"
        case .exponentMark, .exponentSign: "a digit after the exponent's 'e'"
        case .afterValue, .integer, .fraction, .exponent, .endOfLiteral:
            if depth == 0 {
                expectedAfterText
            } else {
                isObject ? "',' or '}'" : "',' or ']'"
            }
        }
    }
}
