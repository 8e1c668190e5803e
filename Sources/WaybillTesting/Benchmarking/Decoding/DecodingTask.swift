import Foundation
import Waybill

/// The task of the candidates of a benchmark: a document, and the place of the value in it.
struct DecodingTask: Sendable {
    let name: String
    let document: Document
    let envelope: Envelope

    /// Returns the place of a value of a type.
    func path<Value>(to type: Value.Type) -> [EnvelopeKey] {
        Shape.isList(Value.self) ? envelope.list : envelope.item
    }

    /// Returns the error of a candidate, with the reason for which it cannot decode the document.
    func error<Value: Decodable>(
        _ error: any Error,
        decoding type: Value.Type,
        by candidate: String,
        _ decoder: any ResponseDecoder,
        from data: Data
    ) -> any Error {
        if error is CancellationError || Task.isCancelled { return CancellationError() }
        let path = path(to: type)
        let reason: DecodingBenchmarkError.Reason =
            Self.lacks(path, data, decoder)
            ? .missingValue(decoder: candidate, path: path.pathDescription)
            : .undecodable(
                decoder: candidate,
                type: "\(Value.self)",
                diagnosis: Self.diagnosis(of: error, by: decoder, in: data)
            )
        return DecodingBenchmarkError(reason, of: name)
    }

    /// Whether a document can be read, but has no value at a path.
    private static func lacks(_ path: [EnvelopeKey], _ data: Data, _ decoder: any ResponseDecoder) -> Bool {
        func canDecode(at path: [EnvelopeKey]) -> Bool {
            (try? Extraction(path: path).decode(IgnoredValue.self, from: data, with: decoder)) != nil
        }
        return !path.isEmpty && !canDecode(at: path) && canDecode(at: [])
    }

    private static func diagnosis(of error: any Error, by decoder: any ResponseDecoder, in data: Data) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        let own = JSONDiagnosis(error)
        guard own != nil || decoder is JSONDecoder else { return "\(error)" }
        // Foundation's decoder does not say where in the document the place is.
        let diagnosis = own ?? JSONDiagnosis(of: error, inEncoded: data)
        return diagnosis.redacting(SecretNameSet.usual.names).description
    }
}
