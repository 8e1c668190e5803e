import Waybill

/// The schemas of an API's types, each learned once for the decoder that reads it.
package final class SchemaLibrary {
    private var probes: [(rules: String, probe: TypeProbe)] = []
    private let names = TypeNames()

    private let samples: SampleValues

    /// Creates a library.
    ///
    /// - Parameter samples: bodies of real responses.
    package init(samples: [JSONValue] = []) { self.samples = SampleValues(samples) }

    /// The schemas that others refer to, by their names.
    package var definitions: [String: JSONSchema] {
        probes.reduce(into: [:]) { all, entry in all.merge(entry.probe.definitions) { first, _ in first } }
    }

    /// Returns the schema of a type, by the decoder of a call.
    package func schema(of type: any Decodable.Type, _ settings: Scope.Settings) -> JSONSchema {
        probe(for: settings).schema(of: type)
    }

    /// Returns the probe for the decoder of a call.
    func probe(for settings: Scope.Settings) -> TypeProbe {
        let decode = settings[Decode.self]
        let rules = decode?.summary ?? ""
        if let known = probes.first(where: { $0.rules == rules }) { return known.probe }
        let decoder = decode?.decoder ?? SchemaDocument.usualDecoder
        let probe = TypeProbe(conventions: DecodingConventions(of: decoder), names: names, samples: samples)
        probes.append((rules, probe))
        return probe
    }
}
