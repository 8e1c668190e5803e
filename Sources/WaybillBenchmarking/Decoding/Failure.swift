extension DecodingBenchmark {
    /// An error thrown by a ``DecodingBenchmark``: the input cannot be measured, or the decoders disagree.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The reason for an error.
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
            /// The document can be read, but has no value at the path of the envelope.
            case missingValue(decoder: String, path: String)
            /// A candidate cannot decode the document; the diagnosis describes the error.
            case undecodable(decoder: String, type: String, diagnosis: String)
            /// Two candidates have different results.
            case differentResults(Difference)
            /// The task was cancelled.
            case cancelled
        }

        /// The first difference between the results of two candidates.
        public struct Difference: Sendable, Hashable {
            /// The names of the two candidates.
            public let decoders: [String]

            /// The path of the differing values, such as `[3].price`; empty for the whole results.
            public let path: String

            /// The values of the two candidates as text, shortened.
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

        /// The name of the document; nil if the error does not concern a document.
        public let document: String?

        package init(_ reason: Reason, of document: String? = nil) {
            self.reason = reason
            self.document = document
        }

        /// The document, the reason and the remedy.
        public var description: String { (document.map { "\($0): " } ?? "") + text }

        private var text: String {
            switch reason {
            case .invalidRounds(let rounds): "the number of rounds is \(rounds), and has to be at least 1"
            case .noDocuments: "there is no document to measure; create the benchmark with at least one"
            case .repeatedDocument: "two documents have this name; give each its own"
            case .emptyDocument: "the document is empty; pass the bytes of a response's body"
            case .noDecoders: "there is no decoder to measure; add one, such as .decoder(JSONDecoder())"
            case .repeatedDecoder(let name):
                "two decoders have the name \(name.debugDescription); give each its own: .decoder(\"…\", decoder)"
            case .missingValue(let decoder, let path):
                "\(decoder) finds no value at \(path); correct the path of the envelope, or leave it out"
            case .undecodable(let decoder, let type, let diagnosis):
                """
                \(decoder) cannot decode the document as \(type)
                \(diagnosis.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
                change the type or the decoder's strategies, or leave this decoder out
                """
            case .differentResults(let difference):
                """
                the results of \(difference.decoders.joined(separator: " and ")) differ; nothing was measured
                \(difference.text)
                give the decoders the same strategies, or leave one out
                """
            case .cancelled: "the task was cancelled"
            }
        }
    }
}
