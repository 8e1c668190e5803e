import WaybillJSON

extension Decode {
    /// The format of the list in the body of a streamed response.
    ///
    /// ```swift
    /// endpoint {
    ///     GET("log")
    ///     Decode.StreamFormat(.jsonLines)
    /// }
    /// ```
    ///
    /// Without the clause, the response's media type determines the format: `application/x-ndjson`, `application/jsonl`
    /// and similar types indicate JSON Lines, `application/json-seq` and types with the suffix `+json-seq` indicate a
    /// JSON text sequence, and any other type indicates a document with an array.
    ///
    /// ``Envelope`` and ``Metadata`` apply only to an array in a document. If a text in a sequence is a declared
    /// ``Problem``, iteration throws it after returning the preceding elements. The clause does not affect `send()`,
    /// which always reads one JSON document.
    ///
    /// A sequence ends with its response, unless the clause declares a member that marks the last element:
    ///
    /// ```swift
    /// Decode.StreamFormat(.jsonLines, until: "done", is: true)  // {"text":"","done":true}
    /// ```
    public struct StreamFormat: Setting, Hashable {
        /// The clause's name in declarations.
        public static var clauseName: String { "Decode.StreamFormat" }

        /// A list format.
        public enum Form: Sendable, Hashable {
            /// An array in a JSON document, within its envelope.
            case array
            /// One JSON text per line, as in JSON Lines and NDJSON; empty lines are ignored.
            case jsonLines
            /// JSON texts, each preceded by a record separator (RFC 7464).
            case jsonTextSequence
            /// Consecutive JSON texts, optionally separated by whitespace.
            case concatenatedJSON
        }

        /// The declared format; nil if the response's media type determines it.
        public let form: Form?

        /// The marker of the last element; nil if the list ends with the response.
        package let end: End?

        /// Declares the format, overriding the response's media type.
        ///
        /// - Parameter form: the format of the list.
        public init(_ form: Form) {
            self.form = form
            end = nil
        }

        /// Declares the format and a member that marks the last element.
        ///
        /// Iteration returns the marked element, then closes the connection without reading any further. If the
        /// response ends without a marked element, iteration throws an ``APIError/DecodingFailure`` after the last
        /// element, because some may be missing.
        ///
        /// - Parameters:
        ///   - form: the format of the list. `.array` is a declaration error, because an array ends with its bracket.
        ///   - step: the first key or index on the path to the member, as spelled in the JSON.
        ///   - steps: the remaining keys and indices.
        ///   - value: the value of the member in the last element.
        ///   - others: other values that mark the last element.
        public init(
            _ form: Form,
            until step: EnvelopeKey,
            _ steps: EnvelopeKey...,
            is value: JSONValue,
            _ others: JSONValue...
        ) {
            self.form = form
            end = End(path: [step] + steps, values: [value] + others)
        }

        private init() { (form, end) = (nil, nil) }

        /// The format indicated by the response's media type, overriding outer scopes.
        public static let none = Self()

        /// The name of the format and the marker of the last element; `none` if no format is declared.
        public var summary: String { (form?.name ?? "none") + (end.map { ", until \($0)" } ?? "") }

        /// Adds the format to a scope.
        ///
        /// An array with a marker for its last element is a declaration error.
        ///
        /// - Parameter scope: the scope that declares the format.
        public func declare(in scope: inout Scope) {
            if let end, form == .array {
                scope.declare(
                    Scope.DeclarationError(
                        clause: Self.clauseName,
                        value: ".array, until: \(end)",
                        reason: "an array ends with its bracket; leave out `until`, or declare the format of a sequence"
                            + " such as .jsonLines"
                    )
                )
            }
            scope.declare(self)
        }
    }
}

extension Decode.StreamFormat {
    /// The member that marks a stream's last element.
    package struct End: Sendable, Hashable, CustomStringConvertible {
        /// The path of the member in the element.
        package let path: [EnvelopeKey]

        /// The values of the member in the last element.
        package let values: [JSONValue]

        package init(path: [EnvelopeKey], values: [JSONValue]) {
            self.path = path
            self.values = values
        }

        /// Whether an element is the last one.
        package func marks(_ element: JSONValue) -> Bool { element.value(at: path).map(values.contains) ?? false }

        /// Whether a decoder's element is the last one; false if the element cannot be decoded.
        package func marks(_ element: any Decoder) -> Bool {
            let walker = DocumentWalker(path: path)
            if let value = try? walker.decodeIfPresent(JSONValue.self, from: element) { return values.contains(value) }
            // An absent member is not null.
            return values.contains(.null) && (try? walker.decode(JSONValue.self, from: element)) == .null
        }

        /// The member and its values, such as `done = true`.
        package var description: String {
            "\(path.pathDescription) = \(values.map(\.description).joined(separator: " or "))"
        }
    }
}

extension Decode.StreamFormat.Form {
    private static let lineTypes: Set<String> = [
        "application/jsonl", "application/x-jsonl", "application/jsonlines", "application/x-jsonlines",
        "application/ndjson", "application/x-ndjson", "application/x-json-stream", "text/jsonl", "text/x-jsonl",
    ]

    /// Creates the format indicated by a content type.
    package init(_ contentType: String?) {
        let essence = contentType.map { MediaType($0).essence } ?? ""
        if Self.lineTypes.contains(essence) {
            self = .jsonLines
        } else if essence == "application/json-seq" || essence.hasSuffix("+json-seq") {
            self = .jsonTextSequence
        } else {
            self = .array
        }
    }

    fileprivate var name: String {
        switch self {
        case .array: "array"
        case .jsonLines: "JSON Lines"
        case .jsonTextSequence: "JSON text sequence"
        case .concatenatedJSON: "concatenated JSON"
        }
    }

    /// The form of the text sequence; nil for an array in a document.
    package var sequence: JSONSequenceForm? {
        switch self {
        case .array: nil
        case .jsonLines: .lines
        case .jsonTextSequence: .textSequence
        case .concatenatedJSON: .concatenated
        }
    }
}
