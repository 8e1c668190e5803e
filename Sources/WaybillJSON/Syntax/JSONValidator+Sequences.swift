/// The form of a sequence of JSON texts.
package enum JSONSequenceForm: Sendable {
    /// Texts that a line feed separates (JSON Lines, NDJSON).
    case lines
    /// Texts with a record separator before each (RFC 7464).
    case textSequence
    /// Texts with or without white space between them.
    case concatenated

    /// The byte after which the next text begins, in any state; nil if no byte shows that.
    var separator: UInt8? {
        switch self {
        case .lines: UInt8(ascii: "\n")
        case .textSequence: 0x1E
        case .concatenated: nil
        }
    }
}

extension JSONValidator {
    /// Reads white space after a text of a sequence.
    mutating func passWhiteSpace(_ byte: UInt8) {
        needsWhiteSpace = false
        if sequence == .lines, byte == UInt8(ascii: "\n") { state = .document }
    }

    /// Whether a byte begins the next text of a sequence, or separates it from the one before.
    func beginsText(_ byte: UInt8) -> Bool {
        switch sequence {
        case .concatenated: canBeginValue(byte)
        case .textSequence: byte == Self.recordSeparator && !needsWhiteSpace
        case .lines, nil: false
        }
    }

    /// Whether a byte is the separator of RFC 7464, at a place where one can be.
    @inline(__always)
    func isRecordSeparator(_ byte: UInt8) -> Bool {
        byte == Self.recordSeparator && depth == 0 && sequence == .textSequence
    }

    /// Returns the rejection of a number or a literal directly followed by a separator, which shows that it may be
    /// cut (RFC 7464, section 2.4).
    @inline(__always)
    mutating func cutText(before byte: UInt8, at index: Int) -> Rejection? {
        guard isRecordSeparator(byte) else { return nil }
        (state, needsWhiteSpace) = (.afterValue, true)
        return rejection(at: index)
    }

    /// The state before the first text.
    var beginning: State { sequence == .textSequence ? .firstSeparator : .document }

    private static var recordSeparator: UInt8 { 0x1E }

    /// Starts again between two texts.
    mutating func beginText() {
        let sequence = sequence
        self = JSONValidator(maximumDepth: maximumDepth, longestKey: longestKey)
        self.sequence = sequence
        state = .document
    }

    /// The valid continuation after a text, in the words of ``JSONSyntaxError``.
    var expectedAfterText: String {
        switch sequence {
        case nil: "the end of the text"
        case .lines: "a line feed after the text"
        case .textSequence: needsWhiteSpace ? "white space after the text" : "a record separator after the text"
        case .concatenated: "a value"
        }
    }
}
