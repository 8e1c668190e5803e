extension JSONValidator {
    /// Why the document cannot end here; nil where it can.
    mutating func finish() -> Refusal? {
        switch state {
        case .afterValue, .zero, .integer, .fraction, .exponent:
            guard depth > 0 else { return nil }
            state = .afterValue
            return refusal(at: 0)
        case .continuation, .byteOrderMark: return refusal(at: -unitLength)
        case .start, .document, .firstElement, .element, .memberValue, .firstKey, .key, .colon, .string, .escape,
            .hexadecimal, .secondBackslash, .secondEscape, .literal, .minus, .point, .exponentMark, .exponentSign:
            return refusal(at: 0)
        }
    }

    func refused(at index: Int) -> Event { .refused(refusal(at: index)) }

    func refusal(at index: Int) -> Refusal { Refusal(reason: .syntax(expected: expected), offset: index) }

    /// What could come next, in the words of ``JSONSyntaxError``.
    var expected: String {
        switch state {
        case .start, .byteOrderMark, .document: "a value"
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
        case .afterValue, .integer, .fraction, .exponent:
            depth == 0 ? "the end of the text" : isObject ? "',' or '}'" : "',' or ']'"
        }
    }
}
