import WaybillSystem

/// The diagnosis of a ``WaybillJSONDecoder``'s `DecodingError` in the document, in the form of a compiler's.
///
/// It is the underlying error of every `DecodingError` that the decoder makes itself:
///
/// ```swift
/// do {
///     show(try WaybillJSONDecoder().decode(Product.self, from: data))
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
/// Creating one costs next to nothing; all of its properties are computed from the document on access, in time linear
/// in its size. It holds the document's bytes; if that was read element by element, those of the element or of its
/// chunk. Of an element with more than 1 MiB the beginning is read: an error after it has a path and no excerpt.
public struct JSONDiagnosis: Error, Sendable, CustomStringConvertible {
    private let error: DecodingError
    private let source: JSONSource
    private var redactedKeys: Set<String> = []
    private var removal: @Sendable (String) -> String = { $0 }

    init(of error: DecodingError, in document: JSONSource) {
        self.error = error
        source = document.trimmed
    }

    /// Creates the diagnosis of an error; nil unless a decoder of this module has made it.
    ///
    /// - Parameter error: an error that ``WaybillJSONDecoder`` has thrown, unchanged.
    public init?(_ error: DecodingError) {
        guard let diagnosis = error.context?.underlyingError as? JSONDiagnosis else { return nil }
        self = diagnosis
    }

    /// The expected and the actual value.
    public var summary: String { removal(diagnosis.summary) }

    /// The path from the top of the document, such as `data[3].price`; empty for the whole of it.
    public var path: String { removal(diagnosis.path) }

    /// The line, from 1; nil if the document does not show the location.
    public var line: Int? { diagnosis.position?.line }

    /// The character of the line, from 1; nil if the document does not show the location.
    public var column: Int? { diagnosis.position?.column }

    /// The line of the document, cut to a width that can be shown, and a line of marks below the location.
    public var excerpt: [String] { diagnosis.excerpt.map(removal) }

    /// The key that was probably meant, if one is missing and one that is there resembles it.
    public var nearestKey: String? { diagnosis.nearestKey.map(removal) }

    /// The path and the position, the summary, and the excerpt indented below.
    public var description: String { removal(diagnosis.description) }

    /// Returns the same diagnosis without the values of some keys: `‹redacted›` replaces them.
    ///
    /// Keys match without regard to case, `_` and `-`. In a document that is not valid JSON, or of which only a part is
    /// available, more is hidden than has to be, because it is unknown there which value belongs to which key.
    ///
    /// - Parameter keys: the keys whose values must not be shown, in addition to those of earlier calls.
    /// - Returns: the diagnosis; its texts show none of these values.
    public func redacting(_ keys: some Sequence<String>) -> JSONDiagnosis {
        var diagnosis = self
        diagnosis.redactedKeys.formUnion(keys)
        return diagnosis
    }

    /// Returns the same diagnosis with each of its texts passed through a function, which removes secrets.
    package func redacting(texts removal: @escaping @Sendable (String) -> String) -> JSONDiagnosis {
        var diagnosis = self
        diagnosis.removal = removal
        return diagnosis
    }

    /// The paths of keys to arrays in the object at which the error expects an array, from the top of the document;
    /// empty if the error is another one, or there are no arrays.
    package var arrayPaths: [[String]] {
        guard source.part == nil, case .typeMismatch(let type, let context) = error,
            DecodingDiagnosis.Finding.words(for: type) == "an array",
            context.codingPath.allSatisfy({ $0.intValue == nil })
        else { return [] }
        let keys = context.codingPath.map(\.stringValue)
        return JSONText(source.data).arrayPaths(inObjectAt: context.codingPath).map { keys + $0 }
    }

    /// Whether the document has a value at a path of keys, below the object or array at the path of the error.
    package func hasValue(at keys: [String]) -> Bool {
        guard source.part == nil, case .keyNotFound(_, let context) = error else { return false }
        return JSONText(source.data).location(of: context.codingPath + keys.map { PathKey($0) as any CodingKey }) != nil
    }

    /// The bytes of the document, or of the value that the error is about, in UTF-8.
    var document: Data { source.readable }

    /// Whether ``document`` is only the beginning of the value.
    var isTruncated: Bool { source.isTruncated }

    private var diagnosis: DecodingDiagnosis {
        DecodingDiagnosis(error: error, in: source, redacting: redactedKeys)
    }
}

extension JSONDiagnosis: CustomReflectable {
    /// The diagnosis as text; not the document.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension DecodingError {
    /// Creates an error with its diagnosis in a document.
    ///
    /// - Parameters:
    ///   - path: the path from the top of the document.
    ///   - reason: the reason in words.
    ///   - source: the document; nil for an error without a diagnosis.
    ///   - make: creates the error of a context.
    /// - Returns: the error.
    static func diagnosed(
        _ path: [any CodingKey],
        _ reason: String,
        in source: JSONSource?,
        _ make: (Context) -> DecodingError
    ) -> DecodingError {
        let plain = make(Context(codingPath: path, debugDescription: reason))
        guard let source else { return plain }
        let diagnosis = JSONDiagnosis(of: plain, in: source)
        return make(Context(codingPath: path, debugDescription: reason, underlyingError: diagnosis))
    }
}
