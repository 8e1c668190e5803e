/// A validator of JSON as its bytes arrive, cut at any byte (RFC 8259).
///
/// Its state for going on at the next byte is a few words, and a bit for each level of nesting. Every byte is read
/// once, and the stack does not grow with the depth.
///
/// It reports the keys and values that are not nested deeper than ``watchedDepth``.
struct JSONValidator: Sendable {
    /// The reason for which ``read(_:from:)`` stopped.
    enum Event {
        /// All bytes have been read.
        case needsBytes
        /// A byte order mark has been read.
        case byteOrderMark
        /// A key has been read; ``keyBytes`` are those between its quotation marks.
        case key
        /// A value begins at the next byte, which has not been read.
        case valueBegins
        /// A value has been read, and all of its bytes.
        case valueEnds
        /// The document is not JSON, or is not allowed.
        case rejected(Rejection)
    }

    /// The reason for which a document is rejected.
    struct Rejection {
        enum Reason {
            case syntax(expected: String)
            case depth
        }

        let reason: Reason
        /// The place, as an offset in the bytes that are being read; below zero for one in those before them.
        let offset: Int
    }

    /// The place in the grammar, which decides on the next byte.
    enum State: UInt8 {
        case start, byteOrderMark, firstSeparator
        case document, firstElement, element, memberValue
        case firstKey, key, colon, afterValue
        case string, escape, hexadecimal, secondBackslash, secondEscape, continuation
        case literal, endOfLiteral
        case minus, zero, integer, point, fraction, exponentMark, exponentSign, exponent
    }

    let maximumDepth: Int
    /// The depth of nesting up to which keys and values are reported.
    var watchedDepth = 0
    /// The number of open containers.
    var depth = 0
    /// The bytes of the last reported key, escapes as they are; cut to ``longestKey``.
    var keyBytes: [UInt8] = []
    /// The most bytes of a key that are kept.
    let longestKey: Int
    /// The number of bytes of the last reported key.
    private(set) var keyLength = 0
    /// The offset of the first lone surrogate: the grammar allows it, but it is no character.
    var firstLoneSurrogate: Int?

    var state = State.start
    /// The first bytes of a character, an escape or a literal that have been read.
    var unitLength = 0
    var unit = UnitProgress()
    /// Whether the string that is being read is a key, and whether it is kept.
    var isKey = false
    var keepsKey = false
    private var isAnnounced = false

    /// The form of a sequence of texts; nil for a single text.
    var sequence: JSONSequenceForm?
    /// Whether white space has to come before the next text, since nothing else shows that a number or a literal is not
    /// cut.
    var needsWhiteSpace = false

    /// For each open container whether it is an object.
    var containers: [UInt64] = []
    var isObject = false

    init(maximumDepth: Int, longestKey: Int) {
        self.maximumDepth = maximumDepth
        self.longestKey = longestKey
    }

    /// Reads on, up to the next event.
    ///
    /// - Parameters:
    ///   - bytes: the available bytes.
    ///   - index: the index to continue at; then that of the first unread byte.
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

    /// Continues after a value that began here and that other code has checked.
    mutating func passValue() {
        isAnnounced = false
        state = .afterValue
    }

    /// Ends a value, whose bytes have been read.
    mutating func endValue() -> Event? {
        state = .afterValue
        return depth <= watchedDepth ? .valueEnds : nil
    }

    /// Opens a container; returns false if it is nested too deep.
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

    /// Closes the innermost container; its bracket is the next byte.
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
    /// Returns the reason for which the document cannot end here; nil if it can.
    mutating func finish() -> Rejection? {
        switch state {
        case .start where sequence != nil, .document where sequence != nil, .firstSeparator: return nil
        case .afterValue, .zero, .integer, .fraction, .exponent, .endOfLiteral:
            // The number or the literal at the end of such a sequence may be cut.
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

    /// Whether the digits so far are a number, which the fault may follow.
    var isWithinNumber: Bool {
        switch state {
        case .zero, .integer, .fraction, .exponent: true
        default: false
        }
    }

    /// The valid continuations, in the words of ``JSONSyntaxError``.
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
