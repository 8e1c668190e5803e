/// The decoder's own words about a value that never repeat a part of the document, so that no secret can be in them.
enum FixedReason {
    /// The reason for a string with half of a pair of `\u` escapes.
    static let loneSurrogateInString = "The string has \(loneSurrogate)"

    /// The reason for such a key.
    static let loneSurrogateInKey = "The key has \(loneSurrogate)"

    private static let loneSurrogate =
        "a lone surrogate, half of a character; Decode(loneSurrogates: .replace), or the decoder's"
        + " loneSurrogateDecodingStrategy, reads it as U+FFFD."

    /// Whether a reason is one of these.
    static func contains(_ reason: String) -> Bool {
        reason == loneSurrogateInString || reason == loneSurrogateInKey
    }
}
