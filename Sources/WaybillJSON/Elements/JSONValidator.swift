/// Checks JSON as its bytes arrive, wherever they are cut (RFC 8259).
///
/// It keeps what it needs to go on at the next byte: a few words, and a bit for each level of nesting. Every byte is
/// looked at once, and the stack does not grow with the depth.
///
/// It tells where keys and values are that are not nested deeper than ``watchedDepth``.
struct JSONValidator: Sendable {
    /// What ``read(_:from:)`` stopped for.
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
        /// What was read is not JSON, or is not allowed.
        case refused(Refusal)
    }

    /// Why a document is refused.
    struct Refusal {
        enum Reason {
            case syntax(expected: String)
            /// Half of a surrogate pair.
            case surrogate
            case depth
        }

        let reason: Reason
        /// The place, as an offset in the bytes that are being read; below zero for one in those before them.
        let offset: Int
    }

    /// What may come next.
    enum State: UInt8 {
        case start, byteOrderMark
        case document, firstElement, element, memberValue
        case firstKey, key, colon, afterValue
        case string, escape, hexadecimal, secondBackslash, secondEscape, continuation
        case literal
        case minus, zero, integer, point, fraction, exponentMark, exponentSign, exponent
    }

    let maximumDepth: Int
    /// How deep containers may be nested in each other for what is in them to be told of.
    var watchedDepth = 0
    /// How many containers are open.
    var depth = 0
    /// The bytes of the last key that was told of, escapes as they are; cut to ``longestKey``.
    var keyBytes: [UInt8] = []
    /// The most bytes of a key that are kept.
    let longestKey: Int

    var state = State.start
    /// The first bytes of a character, an escape or a literal that are behind already.
    var unitLength = 0
    var unit = UnitProgress()
    /// Whether the string that is being read is a key, and whether it is kept.
    var isKey = false
    var keepsKey = false
    private var isAnnounced = false

    /// For each open container whether it is an object.
    var containers: [UInt64] = []
    var isObject = false

    init(maximumDepth: Int, longestKey: Int) {
        self.maximumDepth = maximumDepth
        self.longestKey = longestKey
    }

    /// Reads on, up to something that is to be told.
    ///
    /// - Parameters:
    ///   - bytes: The bytes at hand.
    ///   - index: Where to go on in them; then how far they have been read.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, from index: inout Int) -> Event {
        var keyStart = index
        while index < bytes.count {
            let byte = bytes[index]
            switch state {
            case .document, .firstElement, .element, .memberValue:
                if isWhiteSpace(byte) {
                    index += 1
                } else if state == .firstElement, byte == UInt8(ascii: "]") {
                    if let event = close(&index) { return event }
                } else if depth <= watchedDepth, !isAnnounced, canBeginValue(byte) {
                    isAnnounced = true
                    return .valueBegins
                } else {
                    isAnnounced = false
                    if let refusal = beginValue(byte, &index) { return .refused(refusal) }
                }
            case .firstKey, .key:
                if isWhiteSpace(byte) {
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    index += 1
                    (state, isKey, keepsKey, keyStart) = (.string, true, depth <= watchedDepth, index)
                    keyBytes.removeAll(keepingCapacity: true)
                } else if state == .firstKey, byte == UInt8(ascii: "}") {
                    if let event = close(&index) { return event }
                } else {
                    return refused(at: index)
                }
            case .colon:
                index += 1
                if byte == UInt8(ascii: ":") {
                    state = .memberValue
                } else if !isWhiteSpace(byte) {
                    return refused(at: index - 1)
                }
            case .afterValue:
                if isWhiteSpace(byte) {
                    index += 1
                } else if depth == 0 {
                    return refused(at: index)
                } else if byte == UInt8(ascii: ",") {
                    index += 1
                    state = isObject ? .key : .element
                } else if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    if let event = close(&index) { return event }
                } else {
                    return refused(at: index)
                }
            case .string:
                skipPlainText(bytes, &index)
                guard index < bytes.count else { break }
                let special = bytes[index]
                guard special == UInt8(ascii: "\"") else {
                    if let refusal = beginUnit(special, &index) { return .refused(refusal) }
                    break
                }
                if keepsKey { keep(bytes[keyStart..<index]) }
                index += 1
                if let event = endString() { return event }
            case .start:
                state = .document
                if byte == 0xEF { (state, unitLength, index) = (.byteOrderMark, 1, index + 1) }
            case .byteOrderMark:
                guard byte == (unitLength == 1 ? 0xBB : 0xBF) else { return refused(at: index - unitLength) }
                (unitLength, index) = (unitLength + 1, index + 1)
                guard unitLength == 3 else { break }
                state = .document
                return .byteOrderMark
            case .escape, .hexadecimal, .secondBackslash, .secondEscape, .continuation:
                if let refusal = continueUnit(byte, &index) { return .refused(refusal) }
            case .literal:
                guard byte == unit.nextOfLiteral else { return refusedLiteral(at: index) }
                (unitLength, index) = (unitLength + 1, index + 1)
                unit.literal &>>= 8
                if unit.literal == 0, let event = endValue() { return event }
            case .minus, .zero, .integer, .point, .fraction, .exponentMark, .exponentSign, .exponent:
                guard !isEndOfNumber(bytes, &index) else {
                    if let event = endValue() { return event }
                    break
                }
                if index < bytes.count { return refused(at: index) }
            }
        }
        if keepsKey { keep(bytes[min(keyStart, index)..<index]) }
        return .needsBytes
    }

    /// Goes on behind a value that began here and that somebody else has checked.
    mutating func passValue() {
        isAnnounced = false
        state = .afterValue
    }

    /// Comes to the end of a value.
    mutating func endValue() -> Event? {
        state = .afterValue
        return depth <= watchedDepth ? .valueEnds : nil
    }

    private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        keyBytes.append(contentsOf: bytes.prefix(longestKey - keyBytes.count))
    }

    @inline(__always)
    func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
