import Waybill
import WaybillJSON
import WaybillSystem

/// The schemas of all that a call decodes of a body, learned once for the types, their places and the decoder.
struct BodyExpectation: Sendable {
    /// The identity of an expectation.
    struct Key: Hashable, Sendable {
        private let types: [ObjectIdentifier]
        private let paths: [[EnvelopeKey]]
        private let decoder: String

        /// Creates the key of a response; nil if its decoder is not one for JSON whose rules are known.
        init?(_ response: InspectedResponse) {
            let decode = response.settings[Decode.self]
            if let decoder = decode?.decoder {
                guard decoder is WaybillJSONDecoder || type(of: decoder) == JSONDecoder.self else { return nil }
            }
            types = response.parts.map { ObjectIdentifier($0.type) }
            paths = response.parts.map(\.path)
            decoder = decode?.summary ?? ""
        }
    }

    /// A schema at the end of a path.
    struct Part: Sendable {
        let schema: JSONSchema
        var path: ArraySlice<EnvelopeKey>
        let isRequired: Bool
    }

    let document: SchemaDocument
    let parts: [Part]
    private let keys: WaybillJSONDecoder.KeyDecodingStrategy

    /// Learns the schemas of the types of a response.
    init(_ response: InspectedResponse) {
        let library = SchemaLibrary()
        parts = response.parts.map { part in
            let schema = library.schema(of: part.type, response.settings)
            return Part(schema: schema, path: part.path[...], isRequired: part.isRequired)
        }
        document = SchemaDocument(definitions: library.definitions)
        keys = library.probe(for: response.settings).conventions.keys
    }

    /// Whether the decoder takes a key of a document for a key of a schema.
    func isSpelling(_ name: String, of key: String) -> Bool {
        if case .useDefaultKeys = keys { return false }
        let converted = keys.converting(name, in: [])
        return converted == key || converted == keys.converting(key, in: [])
    }
}
