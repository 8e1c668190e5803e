import Foundation
import Waybill

extension DecodingBenchmark {
    /// A decoder with a name, which takes part in a ``DecodingBenchmark``.
    ///
    /// ```swift
    /// let candidates: [DecodingBenchmark.Candidate<[Product]>] = [
    ///     .decoder(JSONDecoder()),
    ///     .decoder("Waybill", WaybillJSONDecoder()),
    ///     .stream("Waybill, one by one"),
    /// ]
    /// ```
    public struct Candidate<Value: Decodable & Sendable>: Sendable {
        let name: String
        let subject: @Sendable (DecodingTask, Instruments) -> Subject

        /// Returns a candidate that decodes the document as a whole, with the name of the decoder's type.
        ///
        /// - Parameter decoder: Foundation's, Waybill's, or any other. It is reused from round to round.
        /// - Returns: the candidate.
        public static func decoder(_ decoder: some ResponseDecoder) -> Self {
            Self("\(type(of: decoder))", decoder: decoder)
        }

        /// Returns a candidate that decodes the document as a whole.
        ///
        /// - Parameters:
        ///   - name: the name in the report, which no other candidate of the document may have.
        ///   - decoder: Foundation's, Waybill's, or any other. It is reused from round to round.
        /// - Returns: the candidate.
        public static func decoder(_ name: String, _ decoder: some ResponseDecoder) -> Self {
            Self(name, decoder: decoder)
        }

        private init(_ name: String, decoder: some ResponseDecoder) {
            self.name = name
            subject = { task, instruments in
                Subject(
                    name,
                    decoding: task.document,
                    with: instruments,
                    by: task.decoding(Value.self, by: name, decoder),
                    result: { ComparedValue($0) }
                )
            }
        }

        init(_ name: String, subject: @escaping @Sendable (DecodingTask, Instruments) -> Subject) {
            self.name = name
            self.subject = subject
        }
    }
}
