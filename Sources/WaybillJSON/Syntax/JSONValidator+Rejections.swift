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
                expectedBehindText
            } else {
                isObject ? "',' or '}'" : "',' or ']'"
            }
        }
    }
}
