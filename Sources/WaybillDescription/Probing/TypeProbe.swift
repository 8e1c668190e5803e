import Waybill

/// Learns the schemas of types by running their initializers against a decoder that records what they ask for.
///
/// Each type is learned once, by itself: the runs that a type needs do not multiply with those of the types around it.
/// A type that contains itself refers to its own definition, and its values end where an optional, a list or a case
/// lets them.
final class TypeProbe {
    /// The knowledge about a type.
    struct Learned {
        /// The schema where the type is used: the whole one, or a reference to its definition.
        var reference: JSONSchema

        /// The choices by which the initializer succeeds; nil if no run of it did.
        var script: [Int]?
    }

    let conventions: DecodingConventions

    /// The values of real bodies, for initializers that reject those that are made up.
    let samples: SampleValues

    /// The schemas that others refer to, by their names.
    private(set) var definitions: [String: JSONSchema] = [:]

    private var learned: [ObjectIdentifier: Learned] = [:]
    private var rawCases: [ObjectIdentifier: RawCases?] = [:]
    private let names: TypeNames

    // The types whose initializers are being run, with whether one of them has been referred to.
    private var current: [ObjectIdentifier: Bool] = [:]

    init(
        conventions: DecodingConventions,
        names: TypeNames = TypeNames(),
        samples: SampleValues = SampleValues([])
    ) {
        self.conventions = conventions
        self.samples = samples
        self.names = names
    }

    /// Returns the schema of a type where it is used; definitions that it refers to are kept.
    func schema(of type: any Decodable.Type) -> JSONSchema { schema(opening: type) }

    /// Returns a value of a type, made up; nil if none is known.
    func instance(of type: Any.Type) -> (any Encodable)? {
        (type as? any Decodable.Type).flatMap { exploration($0).value as? any Encodable }
    }

    // A type of its own has been explored already; what is around it, such as an array, is one run.
    private func schema<Value: Decodable>(opening type: Value.Type) -> JSONSchema {
        exploration(type).successfulRun().root.schema
    }

    private func exploration<Value: Decodable>(_ type: Value.Type) -> Exploration {
        Exploration(self) { decoder in
            guard let decoder = decoder as? ProbeDecoder else { return nil }
            return try decoder.run.value(type, at: decoder.node, decoder.codingPath, member: nil)
        }
    }

    /// Returns the schema of what a closure decodes.
    func schema(of read: @escaping (any Decoder) throws -> Any) -> JSONSchema { Exploration(self, read).schema }

    /// Learns a type, unless it is known or being learned.
    func learn<Value: Decodable>(_ type: Value.Type) -> Learned {
        let id = ObjectIdentifier(type)
        if let known = learned[id] {
            if current[id] != nil { current[id] = true }
            return known
        }
        if current[id] != nil {
            current[id] = true
            return Learned(reference: JSONSchema(.reference(names.name(of: type, in: self))), script: nil)
        }
        current[id] = false
        let exploration = Exploration(self) { try type.init(from: $0) }
        let run = exploration.successfulRun()
        // From here on a value of the type can be made within itself.
        if exploration.hasSucceeded {
            learned[id] = Learned(reference: JSONSchema(.reference(names.name(of: type, in: self))), script: run.taken)
        }
        let schema = exploration.schema
        let isReferredTo = current.removeValue(forKey: id) ?? false
        let result = Learned(
            reference: schema.needsDefinition || isReferredTo ? define(type, schema) : schema,
            script: exploration.hasSucceeded ? run.taken : nil
        )
        learned[id] = result
        return result
    }

    /// Returns the cases of an enum that decodes as raw values; nil for another type.
    func rawCases(of type: any Decodable.Type) -> RawCases? {
        let id = ObjectIdentifier(type)
        if let known = rawCases[id] { return known }
        let cases = RawCases(type)
        rawCases[id] = .some(cases)
        return cases
    }

    /// Returns the schema of an enum where it is used.
    func schema(of type: any Decodable.Type, _ cases: RawCases) -> JSONSchema {
        var schema = JSONSchema(.enumeration(cases.rawValues, isOpen: cases.isOpen))
        if cases.isOpen { schema.origin = .inferred("the type decodes values that are not listed too") }
        return define(type, schema)
    }

    private func define(_ type: Any.Type, _ schema: JSONSchema) -> JSONSchema {
        let name = names.name(of: type, in: self)
        definitions[name] = schema
        return JSONSchema(.reference(name))
    }
}

extension JSONSchema {
    /// Whether the schema stands under a name of its own, instead of where it is used.
    fileprivate var needsDefinition: Bool {
        switch form {
        case .object, .oneOf, .enumeration: true
        case .anyOf(let schemas): schemas.contains(where: \.needsDefinition)
        default: false
        }
    }
}
