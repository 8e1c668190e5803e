extension APIError {
    /// The first line of the ``description``, which has the call and what came of it; secrets redacted.
    ///
    /// ```swift
    /// log(error.summary)      // GET products/{} failed: 404 Not Found
    /// ```
    ///
    /// It is for lines of logs. Control characters, with which a server could forge a line, are spaces.
    public var summary: String {
        let line = description.prefix { !$0.isNewline }
        return String(
            String.UnicodeScalarView(
                line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
            )
        )
    }
}
