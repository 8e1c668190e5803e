/// Error reasons of the decoder that quote nothing from the document, and so never need redaction.
enum FixedReason {
    /// The reason for a string that contains a lone surrogate, as a `\u` escape without its other half.
    static let loneSurrogateInString = "The string has \(loneSurrogate)"

    /// The reason for a key that contains one.
    static let loneSurrogateInKey = "The key has \(loneSurrogate)"

    private static let loneSurrogate =
        "a lone surrogate, half of a character; Decode(loneSurrogates: .replace), or the decoder's"
        + " loneSurrogateDecodingStrategy, reads it as U+FFFD."

    /// Whether a reason is one of these.
    static func contains(_ reason: String) -> Bool {
        reason == loneSurrogateInString || reason == loneSurrogateInKey
    }
}
