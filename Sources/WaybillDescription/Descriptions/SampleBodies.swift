import Waybill
import WaybillSystem

/// Bodies of real responses, whose values are tried where an initializer rejects those that are made up.
///
/// ```swift
/// var calls: APIDescription {
///     accounts
///     SampleBodies(recordedAccount)       // an initializer checks the IBAN
/// }
/// ```
///
/// A value is tried for the members of its key, or for every scalar of a type that stands alone. Values that have to
/// fit together are taken from the first body that has them. A value that is accepted becomes an example of the schema,
/// and so part of an OpenAPI document.
public struct SampleBodies: Sendable {
    let documents: [Data]

    /// Creates samples of JSON documents; one that is not JSON is a ``DescriptionError`` of the description.
    public init(_ documents: Data...) { self.documents = documents }
}

extension APIDescription {
    /// Returns a library of schemas, which uses the samples of the description.
    ///
    /// - Throws: ``DescriptionError`` with the samples that are not JSON.
    package func library() throws(DescriptionError) -> SchemaLibrary {
        var values: [JSONValue] = []
        var problems: [String] = []
        for (index, document) in samples.flatMap(\.documents).enumerated() {
            do {
                values.append(try JSONDefaults.decoder.decode(JSONValue.self, from: document))
            } catch {
                let diagnosis = (error as? DecodingError).flatMap(JSONDiagnosis.init)?.description
                problems.append("sample body \(index + 1) is not JSON: \(diagnosis ?? "\(error)")")
            }
        }
        guard problems.isEmpty else { throw DescriptionError(errors: [], sampleProblems: problems) }
        return SchemaLibrary(samples: values)
    }
}
