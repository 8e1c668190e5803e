import WaybillSystem

extension WaybillJSONDecoder {
    /// A description of a `DecodingError` and its location in the document, formatted like a compiler diagnostic.
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
    /// Creating a diagnosis is cheap. Its properties are computed on each access, in time linear in the size of the
    /// document. It retains the document's bytes or, if the document was read element by element, those of the element
    /// or its chunk. Only the first 1 MiB of an element is examined: a later error has a path but no excerpt.
    public struct Diagnosis: Error, Sendable, CustomStringConvertible {
        private let error: DecodingError
        private let source: JSONSource
        private var redactedKeys: Set<String> = []
        private var removal: @Sendable (String) -> String = { $0 }

        init(of error: DecodingError, in document: JSONSource) {
            self.error = error
            source = document.trimmed
        }

        /// Extracts the diagnosis from an error; nil if the error was not created by this module.
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

        /// The line of the document, truncated to a readable width, and a line that marks the error.
        public var excerpt: [String] { diagnosis.excerpt.map(removal) }

        /// The existing key most similar to a missing one; nil if no key is missing or the object contains no similar
        /// key.
        public var nearestKey: String? { diagnosis.nearestKey.map(removal) }

        /// The path and the position, the summary, and the indented excerpt.
        public var description: String { removal(diagnosis.description) }

        /// Returns the diagnosis with the values of some keys replaced by `‹redacted›`.
        ///
        /// Case, `_` and `-` are ignored when matching keys. If the document is not valid JSON or only partly
        /// available, more than necessary is hidden, because values cannot be matched to keys with certainty.
        ///
        /// - Parameter keys: the keys whose values to hide, in addition to those from earlier calls.
        /// - Returns: the diagnosis without these values.
        public func redacting(_ keys: some Sequence<String>) -> WaybillJSONDecoder.Diagnosis {
            var diagnosis = self
            diagnosis.redactedKeys.formUnion(keys)
            return diagnosis
        }

        /// Returns the diagnosis with a function applied to each of its texts to remove secrets.
        package func redacting(texts removal: @escaping @Sendable (String) -> String) -> WaybillJSONDecoder.Diagnosis {
            var diagnosis = self
            diagnosis.removal = removal
            return diagnosis
        }

        /// The paths, from the root of the document, to arrays inside an object found in place of an expected array.
        ///
        /// Empty for any other error, or if the object contains no arrays.
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

        /// The bytes of the document or of the invalid value, in UTF-8.
        var document: Data { source.readable }

        /// Whether ``document`` contains only the beginning of the value.
        var isTruncated: Bool { source.isTruncated }

        private var diagnosis: DecodingDiagnosis {
            DecodingDiagnosis(error: error, in: source, redacting: redactedKeys)
        }
    }
}

extension WaybillJSONDecoder.Diagnosis: CustomReflectable {
    /// A mirror that contains the description but not the document.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension DecodingError {
    /// Creates an error with a diagnosis.
    ///
    /// - Parameters:
    ///   - path: the path from the root of the document.
    ///   - reason: the message.
    ///   - source: the document; nil to omit the diagnosis.
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
