import Foundation

/// What a `DecodingError` of ``WaybillJSONDecoder`` means in the document, told as a compiler would.
///
/// It is the underlying error of every `DecodingError` that the decoder makes itself:
///
/// ```swift
/// do {
///     return try WaybillJSONDecoder().decode(Product.self, from: data)
/// } catch let error as DecodingError {
///     if let diagnosis = JSONDiagnosis(error) { print(diagnosis) }
///     throw error
/// }
/// ```
///
/// ```text
/// price (line 3, column 14): expected a number (Decimal), found the string "cheap"
///     "price": "cheap"
///              ^~~~~~~
/// ```
///
/// Making one costs next to nothing; all of its properties are found out in the document, in time linear in its size,
/// when they are asked for. It holds on to the document's bytes; where that was read element by element, to those of the
/// element or of its chunk.
public struct JSONDiagnosis: Error, Sendable, CustomStringConvertible {
    private let error: DecodingError
    private let source: JSONSource
    private var redactedKeys: Set<String> = []
    private var removal: @Sendable (String) -> String = { $0 }

    init(of error: DecodingError, in document: JSONSource) {
        self.error = error
        source = document
    }

    /// The diagnosis of an error; nil where no decoder of this module has made it.
    public init?(_ error: DecodingError) {
        let context: DecodingError.Context? =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        guard let diagnosis = context?.underlyingError as? JSONDiagnosis else { return nil }
        self = diagnosis
    }

    /// What was expected and what was found.
    public var summary: String { removal(diagnosis.summary) }

    /// The way from the top of the document, such as `data[3].price`; empty for the whole of it.
    public var path: String { removal(diagnosis.path) }

    /// The line, from 1; nil where the document does not show the place.
    public var line: Int? { diagnosis.position?.line }

    /// The character of the line, from 1; nil where the document does not show the place.
    public var column: Int? { diagnosis.position?.column }

    /// The line of the document, cut to a width that can be shown, and a line of marks below the place.
    public var excerpt: [String] { diagnosis.excerpt.map(removal) }

    /// The key that was probably meant, where one is missing and one that is there resembles it.
    public var nearestKey: String? { diagnosis.nearestKey.map(removal) }

    /// Path and place, the summary, and the excerpt indented below.
    public var description: String { removal(diagnosis.description) }

    /// The same diagnosis without the values of some keys: `‹redacted›` stands in their place.
    ///
    /// Keys match without regard to case, `_` and `-`. In a document that is not valid JSON, or of which only a part is at
    /// hand, more is hidden than has to be, because nobody knows there which value belongs to which key.
    public func redacting(_ keys: some Sequence<String>) -> JSONDiagnosis {
        var diagnosis = self
        diagnosis.redactedKeys.formUnion(keys)
        return diagnosis
    }

    /// The same diagnosis with each of its texts as a function returns it, which takes out what no text may show.
    package func redacting(texts removal: @escaping @Sendable (String) -> String) -> JSONDiagnosis {
        var diagnosis = self
        diagnosis.removal = removal
        return diagnosis
    }

    /// The bytes of the document, or of the part of it that is at hand, in UTF-8.
    var document: Data { source.data }

    private var diagnosis: DecodingDiagnosis {
        DecodingDiagnosis(error: error, in: source, redacting: redactedKeys)
    }
}

extension JSONDiagnosis: CustomReflectable {
    /// The diagnosis as text; not the document.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
