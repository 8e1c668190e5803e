import WaybillSystem

/// The names that a key strategy of Foundation's encoder gives to the keys of objects.
package struct KeyNames: Sendable {
    private let strategy: JSONEncoder.KeyEncodingStrategy

    /// Creates the names of a strategy.
    package init(_ strategy: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys) { self.strategy = strategy }

    /// Returns the name of the key that ends a coding path.
    ///
    /// - Throws: `EncodingError` if the strategy's encoder writes no key.
    func name(at path: [EncodedValue.Key]) throws -> String {
        let key = path.last?.stringValue ?? ""
        switch strategy {
        case .useDefaultKeys: return key
        case .custom(let convert): return convert(path).stringValue
        default:
            // Foundation knows its own rules best, and keys of forms are few.
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = strategy
            let names = try JSONDecoder().decode([String: Int].self, from: encoder.encode(Probe(key: key)))
            return names.keys.first ?? key
        }
    }

    private struct Probe: Encodable {
        let key: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: EncodedValue.Key.self)
            try container.encode(0, forKey: EncodedValue.Key(stringValue: key))
        }
    }
}
