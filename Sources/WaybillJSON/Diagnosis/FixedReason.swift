/// The decoder's error messages that quote nothing from the document and therefore never need redaction.
enum FixedReason {
    /// The message for a string that contains a lone surrogate: a `\u` escape without its other half.
    static let loneSurrogateInString = "The string has \(loneSurrogate)"

    /// The message for a key that contains a lone surrogate.
    static let loneSurrogateInKey = "The key has \(loneSurrogate)"

    private static let loneSurrogate =
        "a lone surrogate, half of a character; Decode(loneSurrogates: .replace), or the decoder's"
        + " loneSurrogateDecodingStrategy, reads it as U+FFFD."

    /// Whether a message is one of these.
    static func contains(_ reason: String) -> Bool {
        reason == loneSurrogateInString || reason == loneSurrogateInKey
    }
}
