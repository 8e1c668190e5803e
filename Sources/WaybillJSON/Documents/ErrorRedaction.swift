import Foundation

/// Takes out of errors what they repeat of the values of some keys.
///
/// The document is looked at when the first error needs that, and only once.
package struct ErrorRedaction {
    private let document: Data
    private let keys: Set<String>
    private lazy var text = JSONText(UnicodeEncoding.utf8(of: document))
    private lazy var hidden = text.redactedRanges(ofKeys: keys)

    /// Creates a redaction for the errors of one document.
    package init(of document: Data, keys: Set<String>) {
        self.document = document
        self.keys = keys
    }

    /// The error without the values of the keys; one of an unknown type as it is.
    ///
    /// - Complexity: O(1) for the errors of ``WaybillJSONDecoder`` that repeat nothing; else linear in the document.
    package mutating func redacting(_ error: any Error) -> any Error {
        switch error {
        case let error as JSONDiagnosis: error.redacting(keys)
        case let error as DecodingError: redacting(error)
        default: error
        }
    }

    private mutating func redacting(_ error: DecodingError) -> DecodingError {
        switch error {
        case .typeMismatch(let type, let context): .typeMismatch(type, redacting(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, redacting(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, redacting(context))
        case .dataCorrupted(let context): .dataCorrupted(redacting(context, mayRepeat: !context.codingPath.isEmpty))
        @unknown default: error
        }
    }

    /// - Parameter mayRepeat: Whether this module's decoder repeats a value in such an error.
    private mutating func redacting(
        _ context: DecodingError.Context,
        mayRepeat: Bool = false
    ) -> DecodingError.Context {
        let isOwn = context.underlyingError is JSONDiagnosis
        let repeats = (mayRepeat || !isOwn) && text.isRepeated(anyOf: hidden, in: context.debugDescription)
        return DecodingError.Context(
            codingPath: context.codingPath,
            debugDescription: repeats ? "The reason repeats what is redacted." : context.debugDescription,
            underlyingError: context.underlyingError.map { redacting($0) }
        )
    }
}
