import WaybillSystem

/// Redaction of the values of given keys in errors.
///
/// The document is parsed at most once, when an error first requires it.
package struct ErrorRedaction {
    private let keys: Set<String>
    private let document: Data?
    private let removal: (@Sendable (String) -> String)?
    private var lastRead: (document: Data, text: JSONText, hidden: [Range<Int>])?
    private var ownCopy: Data?

    /// Creates a redaction.
    ///
    /// - Parameters:
    ///   - keys: the keys whose values to hide, ignoring case, `_` and `-`.
    ///   - document: the document that the errors refer to, if known. Diagnoses of other documents, such as one nested
    ///     in a string, are dropped.
    ///   - removal: a function that removes other secrets from text, regardless of keys.
    package init(
        ofKeys keys: some Sequence<String>,
        in document: Data? = nil,
        removal: (@Sendable (String) -> String)? = nil
    ) {
        self.keys = Set(keys)
        self.removal = removal
        self.document = document.map { (try? DocumentReader.utf8(of: $0)) ?? $0 }
    }

    /// Returns the error without the values of the keys.
    ///
    /// Errors other than `DecodingError` and ``WaybillJSONDecoder/Diagnosis`` are returned unchanged.
    package mutating func redacting(_ error: any Error) -> any Error {
        switch error {
        case let error as WaybillJSONDecoder.Diagnosis: redacted(error)
        case let error as DecodingError: redacting(error)
        default: error
        }
    }

    private func redacted(_ diagnosis: WaybillJSONDecoder.Diagnosis) -> WaybillJSONDecoder.Diagnosis {
        let redacted = diagnosis.redacting(keys)
        return removal.map { redacted.redacting(texts: $0) } ?? redacted
    }

    private mutating func redacting(_ error: DecodingError) -> DecodingError {
        guard let context = error.context else { return error }
        let isCorrupted = if case .dataCorrupted = error { true } else { false }
        return error.with(redacting(context, mayRepeat: isCorrupted && !context.codingPath.isEmpty))
    }

    /// Returns the context of an error without the values of the keys.
    ///
    /// - Parameters:
    ///   - context: the context.
    ///   - mayRepeat: whether the error's message can repeat a value from the document.
    /// - Returns: the redacted context.
    private mutating func redacting(
        _ context: DecodingError.Context,
        mayRepeat: Bool
    ) -> DecodingError.Context {
        var reason = context.debugDescription
        var underlying = context.underlyingError.map { redacting($0) }
        if let diagnosis = underlying as? WaybillJSONDecoder.Diagnosis {
            if isForeign(diagnosis.document) {
                underlying = nil
                if mayRepeat { reason = "The reason is about another document." }
            } else if mayRepeat, !FixedReason.contains(reason),
                diagnosis.isTruncated || isRepeating(reason, of: diagnosis.document)
            {
                reason = Self.redactedReason
            }
        } else if let document, !FixedReason.contains(reason), isRepeating(reason, of: document) {
            reason = Self.redactedReason
        }
        return DecodingError.Context(
            codingPath: context.codingPath,
            debugDescription: removal?(reason) ?? reason,
            underlyingError: underlying
        )
    }

    private static let redactedReason = "The reason repeats what is redacted."

    private mutating func isRepeating(_ reason: String, of document: Data) -> Bool {
        if let lastRead, Self.isSame(lastRead.document, document) {
            return lastRead.text.isRepeated(anyOf: lastRead.hidden, in: reason)
        }
        let text = JSONText(document)
        let hidden = text.redactedRanges(ofKeys: keys)
        lastRead = (document, text, hidden)
        return text.isRepeated(anyOf: hidden, in: reason)
    }

    private mutating func isForeign(_ other: Data) -> Bool {
        guard let document else { return false }
        // All errors of one call share the same copy of the document.
        if let ownCopy, Self.isSame(ownCopy, other) { return false }
        guard document == other else { return true }
        ownCopy = other
        return false
    }

    /// Whether two values share the same memory, or are short and equal.
    private static func isSame(_ one: Data, _ other: Data) -> Bool {
        guard one.count == other.count else { return false }
        if one.count < 64 { return one == other }
        return one.withUnsafeBytes { one in other.withUnsafeBytes { one.baseAddress == $0.baseAddress } }
    }
}
