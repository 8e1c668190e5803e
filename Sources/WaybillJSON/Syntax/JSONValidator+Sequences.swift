/// The format of a sequence of JSON texts.
package enum JSONSequenceForm: Sendable {
    /// Texts separated by line feeds (JSON Lines, NDJSON).
    case lines
    /// Texts, each preceded by a record separator (RFC 7464).
    case textSequence
    /// Texts with optional whitespace between them.
    case concatenated

    /// The byte that separates texts even after a syntax error; nil if the format has none.
    var separator: UInt8? {
        switch self {
        case .lines: UInt8(ascii: "\n")
        case .textSequence: 0x1E
        case .concatenated: nil
        }
    }
}

extension JSONValidator {
    /// Reads whitespace after a text in a sequence.
    mutating func passWhiteSpace(_ byte: UInt8) {
        needsWhiteSpace = false
        if sequence == .lines, byte == UInt8(ascii: "\n") { state = .document }
    }

    /// Whether a byte begins the next text in a sequence, or separates it from the previous one.
    func beginsText(_ byte: UInt8) -> Bool {
        switch sequence {
        case .concatenated: canBeginValue(byte)
        case .textSequence: byte == Self.recordSeparator && !needsWhiteSpace
        case .lines, nil: false
        }
    }

    /// Whether a byte is the record separator of RFC 7464, in a valid position.
    @inline(__always)
    func isRecordSeparator(_ byte: UInt8) -> Bool {
        byte == Self.recordSeparator && depth == 0 && sequence == .textSequence
    }

    /// Returns the rejection of a number or literal directly followed by a record separator.
    ///
    /// Such a value may be truncated (RFC 7464, section 2.4).
    @inline(__always)
    mutating func cutText(before byte: UInt8, at index: Int) -> Rejection? {
        guard isRecordSeparator(byte) else { return nil }
        (state, needsWhiteSpace) = (.afterValue, true)
        return rejection(at: index)
    }

    /// The state before the first text.
    var beginning: State { sequence == .textSequence ? .firstSeparator : .document }

    private static var recordSeparator: UInt8 { 0x1E }

    /// Resets the validator between two texts.
    mutating func beginText() {
        let sequence = sequence
        self = JSONValidator(maximumDepth: maximumDepth, longestKey: longestKey)
        self.sequence = sequence
        state = .document
    }

    /// A description of the valid continuation after a text, for ``JSONSyntaxError``.
    var expectedAfterText: String {
        switch sequence {
        case nil: "the end of the text"
        case .lines: "a line feed after the text"
        case .textSequence: needsWhiteSpace ? "white space after the text" : "a record separator after the text"
        case .concatenated: "a value"
        }
    }
}
