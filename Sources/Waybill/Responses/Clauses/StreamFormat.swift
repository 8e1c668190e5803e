import WaybillJSON

extension Decode {
    /// The form of the list that a streamed response has in its body.
    ///
    /// ```swift
    /// endpoint {
    ///     GET("log")
    ///     Decode.StreamFormat(.jsonLines)
    /// }
    /// ```
    ///
    /// Without it, the media type of the response decides: `application/x-ndjson`, `application/jsonl` and their like
    /// are JSON Lines, `application/json-seq` and types with the suffix `+json-seq` are JSON text sequences, and any
    /// other one is a document with an array. ``Envelope`` and ``Metadata`` are for the array alone. A text that is a
    /// ``Problem`` of the response's status is an error after the elements before it. `send()` reads one JSON document
    /// in any case.
    public struct StreamFormat: Setting, Hashable {
        /// The clause as a declaration writes it.
        public static var clauseName: String { "Decode.StreamFormat" }

        /// A form of a list.
        public enum Form: Sendable, Hashable {
            /// An array in a JSON document, in its envelope.
            case array
            /// One JSON text a line: JSON Lines, NDJSON. Empty lines are ignored.
            case jsonLines
            /// JSON texts, each after a record separator (RFC 7464).
            case jsonTextSequence
            /// JSON texts one after the other, with or without white space between them.
            case concatenatedJSON
        }

        /// The form.
        public let form: Form

        /// Declares the form, for any media type of the response.
        ///
        /// - Parameter form: the form of the list.
        public init(_ form: Form) { self.form = form }

        /// The form in words.
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

    /// Creates the form of a media type.
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

    /// The form of the sequence; nil for the array of a document.
    var sequence: JSONSequenceForm? {
        switch self {
        case .array: nil
        case .jsonLines: .lines
        case .jsonTextSequence: .textSequence
        case .concatenatedJSON: .concatenated
        }
    }
}
