extension DecodingBenchmark {
    /// The error thrown by ``DecodingBenchmark/run(rounds:)``.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The reason for a failure.
        public enum Reason: Sendable, Hashable {
            /// The number of rounds is less than 1.
            case invalidRounds(Int)
            /// The benchmark has no documents.
            case noDocuments
            /// Two documents have the same name.
            case repeatedDocument
            /// The document is empty.
            case emptyDocument
            /// The document has no candidates.
            case noDecoders
            /// Two candidates have the same name.
            case repeatedDecoder(String)
            /// The document is readable but has no value at the envelope's path.
            case missingValue(decoder: String, path: String)
            /// A candidate cannot decode the document; the diagnosis describes the error.
            case undecodable(decoder: String, type: String, diagnosis: String)
            /// Two candidates produced different results.
            case differentResults(Difference)
            /// The task was cancelled.
            case cancelled
        }

        /// The first difference between the results of two candidates.
        public struct Difference: Sendable, Hashable {
            /// The names of the two candidates.
            public let decoders: [String]

            /// The path of the differing values, such as `[3].price`; empty if the results differ as a whole.
            public let path: String

            /// The two candidates' values as text, truncated if long.
            public let values: [String]

            let text: String

            init(_ disagreement: Runner.Disagreement) {
                decoders = [disagreement.first, disagreement.second]
                path = disagreement.difference.path
                values = [disagreement.difference.first, disagreement.difference.second]
                text = disagreement.difference.text(disagreement.first, disagreement.second)
            }
        }

        /// The reason, with the decoders and values involved.
        public let reason: Reason

        /// The name of the affected document; nil if the failure does not concern a single document.
        public let document: String?

        package init(_ reason: Reason, of document: String? = nil) {
            self.reason = reason
            self.document = document
        }

        /// The document, the reason and the remedy.
        public var description: String { (document.map { "\($0): " } ?? "") + text }

        private var text: String {
            switch reason {
            case .invalidRounds(let rounds): "the number of rounds is \(rounds); pass at least 1"
            case .noDocuments: "there is no document to measure; create the benchmark with at least one"
            case .repeatedDocument: "two documents have this name; give each a unique name"
            case .emptyDocument: "the document is empty; pass the bytes of a response's body"
            case .noDecoders: "there is no decoder to measure; add one, such as .decoder(JSONDecoder())"
            case .repeatedDecoder(let name):
                "two decoders are named \(name.debugDescription); give each a unique name: .decoder(\"…\", decoder)"
            case .missingValue(let decoder, let path):
                "\(decoder) found no value at \(path); correct the envelope's path, or omit the envelope"
            case .undecodable(let decoder, let type, let diagnosis):
                """
                \(decoder) cannot decode the document as \(type)
                \(diagnosis.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
                change the type or the decoder's strategies, or remove this decoder
                """
            case .differentResults(let difference):
                """
                \(difference.decoders.joined(separator: " and ")) produced different results; nothing was measured
                \(difference.text)
                give the decoders the same strategies, or remove one of them
                """
            case .cancelled: "the task was cancelled"
            }
        }
    }
}
