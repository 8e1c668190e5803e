import WaybillSystem

extension WaybillJSONDecoder {
    /// A description of a `DecodingError` that locates it in its document, formatted like a compiler diagnostic.
    ///
    /// ``WaybillJSONDecoder`` attaches it as the underlying error to almost every `DecodingError` that it creates:
    ///
    /// ```swift
    /// do {
    ///     show(try WaybillJSONDecoder().decode(Product.self, from: data))
    /// } catch let error as DecodingError {
    ///     if let diagnosis = WaybillJSONDecoder.Diagnosis(error) { print(diagnosis) }
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
    /// Creating a diagnosis is cheap. Its properties are computed from the document on each access, in time linear in
    /// the size of the document. It holds the document's bytes or, if the document was read element by element, those
    /// of the element or its chunk. Only the first 1 MiB of an element is examined: an error after that has a path but
    /// no excerpt.
    public struct Diagnosis: Error, Sendable, CustomStringConvertible {
        private let error: DecodingError
        private let source: JSONSource
        private var redactedKeys: Set<String> = []
        private var removal: @Sendable (String) -> String = { $0 }

        init(of error: DecodingError, in document: JSONSource) {
            self.error = error
            source = document.trimmed
        }

        /// Extracts the diagnosis from an error; nil unless a decoder of this module created the error.
        ///
        /// - Parameter error: an unmodified error thrown by ``WaybillJSONDecoder``.
        public init?(_ error: DecodingError) {
            guard let diagnosis = error.context?.underlyingError as? WaybillJSONDecoder.Diagnosis else { return nil }
            self = diagnosis
        }

        /// A description of the expected and the actual value.
        public var summary: String { removal(diagnosis.summary) }

        /// The path from the root of the document, such as `data[3].price`; empty for the whole document.
        public var path: String { removal(diagnosis.path) }

        /// The line of the error, starting at 1; nil if the error cannot be located in the document.
        public var line: Int? { diagnosis.position?.line }

        /// The column of the error in characters, starting at 1; nil if the error cannot be located in the document.
        public var column: Int? { diagnosis.position?.column }

        /// The line of the document, truncated to a readable width, followed by a line that marks the error.
        public var excerpt: [String] { diagnosis.excerpt.map(removal) }

        /// The existing key that was probably meant; nil unless a key is missing and the object contains a similar one.
        public var nearestKey: String? { diagnosis.nearestKey.map(removal) }

        /// The path and the position, the summary, and the indented excerpt.
        public var description: String { removal(diagnosis.description) }

        /// Returns the diagnosis with the values of some keys replaced by `‹redacted›`.
        ///
        /// Case, `_` and `-` are ignored when matching keys. If the document is not valid JSON, or only part of it is
        /// available, more than necessary is hidden, because it is unknown which value belongs to which key.
        ///
        /// - Parameter keys: the keys whose values are hidden, in addition to those of earlier calls.
        /// - Returns: a diagnosis that shows none of these values.
        public func redacting(_ keys: some Sequence<String>) -> WaybillJSONDecoder.Diagnosis {
            var diagnosis = self
            diagnosis.redactedKeys.formUnion(keys)
            return diagnosis
        }

        /// Returns the diagnosis with each of its texts passed through a function that removes secrets.
        package func redacting(texts removal: @escaping @Sendable (String) -> String) -> WaybillJSONDecoder.Diagnosis {
            var diagnosis = self
            diagnosis.removal = removal
            return diagnosis
        }

        /// The paths to arrays inside the object that was found in place of an expected array, from the root of the
        /// document.
        ///
        /// Empty for any other error, or if there are no arrays.
        package var arrayPaths: [[String]] {
            guard source.part == nil, case .typeMismatch(let type, let context) = error,
                DecodingDiagnosis.Finding.words(for: type) == "an array",
                context.codingPath.allSatisfy({ $0.intValue == nil })
            else { return [] }
            let keys = context.codingPath.map(\.stringValue)
            return JSONText(source.data).arrayPaths(inObjectAt: context.codingPath).map { keys + $0 }
        }

        /// Returns whether the document has a value at a path of keys, relative to the path of a missing-key error.
        package func hasValue(at keys: [String]) -> Bool {
            guard source.part == nil, case .keyNotFound(_, let context) = error else { return false }
            return JSONText(source.data).location(of: context.codingPath + keys.map { PathKey($0) as any CodingKey })
                != nil
        }

        /// The bytes of the document, or of the value that the error concerns, in UTF-8.
        var document: Data { source.readable }

        /// Whether ``document`` contains only the beginning of the value.
        var isTruncated: Bool { source.isTruncated }

        private var diagnosis: DecodingDiagnosis {
            DecodingDiagnosis(error: error, in: source, redacting: redactedKeys)
        }
    }
}

extension WaybillJSONDecoder.Diagnosis: CustomReflectable {
    /// A mirror that shows the diagnosis as text, without the document.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension DecodingError {
    /// Creates an error with its diagnosis in a document.
    ///
    /// - Parameters:
    ///   - path: the path from the root of the document.
    ///   - reason: the message.
    ///   - source: the document; nil for an error without a diagnosis.
    ///   - make: a closure that creates the error from a context.
    /// - Returns: the error.
    static func diagnosed(
        _ path: [any CodingKey],
        _ reason: String,
        in source: JSONSource?,
        _ make: (Context) -> DecodingError
    ) -> DecodingError {
        let plain = make(Context(codingPath: path, debugDescription: reason))
        guard let source else { return plain }
        let diagnosis = WaybillJSONDecoder.Diagnosis(of: plain, in: source)
        return make(Context(codingPath: path, debugDescription: reason, underlyingError: diagnosis))
    }
}
