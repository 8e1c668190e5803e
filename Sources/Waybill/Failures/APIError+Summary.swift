extension APIError {
    /// The first line of the ``description``, which has the call and what came of it; secrets redacted.
    ///
    /// ```swift
    /// log(error.summary)      // GET products/{} failed: 404 Not Found
    /// ```
    ///
    /// For a body that does not decode it goes on with the place and the reason: `…does not decode as Product: name
    /// (line 1, column 9): expected a string, found null`.
    ///
    /// It is for lines of logs. Control characters, with which a server could forge a line, are spaces.
    public var summary: String {
        let text = if case .decoding(let failure) = self { failure.summary } else { description }
        let line = text.prefix { !$0.isNewline }
        return String(
            String.UnicodeScalarView(
                line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
            )
        )
    }
}
