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
    /// and similar types indicate JSON Lines, `application/json-seq` and types with the suffix `+json-seq` indicate
    /// JSON text sequences, and any other type indicates a document with an array.
    ///
    /// ``Envelope`` and ``Metadata`` apply only to the array of a document. If a text in a sequence is a declared
    /// ``Problem``, iteration returns the preceding elements and then throws it. The clause does not affect `send()`,
    /// which always reads one JSON document.
    public struct StreamFormat: Setting, Hashable {
        /// The clause's name in declarations.
        public static var clauseName: String { "Decode.StreamFormat" }

        /// A list format.
        public enum Form: Sendable, Hashable {
            /// An array in a JSON document, inside its envelope.
            case array
            /// One JSON text per line, as in JSON Lines and NDJSON; empty lines are ignored.
            case jsonLines
            /// JSON texts, each preceded by a record separator (RFC 7464).
            case jsonTextSequence
            /// Consecutive JSON texts, with or without whitespace between them.
            case concatenatedJSON
        }

        /// The declared format.
        public let form: Form

        /// Declares the format, regardless of the response's media type.
        ///
        /// - Parameter form: the format of the list.
        public init(_ form: Form) { self.form = form }

        /// The name of the format.
        public var summary: String {
            switch form {
            case .array: "array"
            case .jsonLines: "JSON Lines"
            case .jsonTextSequence: "JSON text sequence"
            case .concatenatedJSON: "concatenated JSON"
            }
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

    /// The form of the sequence of texts; nil for an array in a document.
    package var sequence: JSONSequenceForm? {
        switch self {
        case .array: nil
        case .jsonLines: .lines
        case .jsonTextSequence: .textSequence
        case .concatenatedJSON: .concatenated
        }
    }
}
