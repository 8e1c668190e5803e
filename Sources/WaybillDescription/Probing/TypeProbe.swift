import Waybill

/// A probe that learns the schemas of types.
///
/// It runs their initializers with a decoder that records the requests. Each type is learned once and separately, so
/// that the runs for a type do not multiply with those for enclosing types. The schema of a recursive type references
/// its definition, and generated values of the type end at an optional, an array or an enum case.
final class TypeProbe {
    /// A learned type.
    struct Learned {
        /// The schema to use for the type: the complete schema, or a reference to its definition.
        var reference: JSONSchema

        /// The choices with which the initializer succeeded; nil if no run succeeded.
        var script: [Int]?
    }

    let conventions: DecodingConventions

    /// The sample values, for initializers that reject generated ones.
    let samples: SampleValues

    /// The schema definitions, keyed by name.
    private(set) var definitions: [String: JSONSchema] = [:]

    private var learned: [ObjectIdentifier: Learned] = [:]
    private var rawCases: [ObjectIdentifier: RawCases?] = [:]
    private let names: TypeNames

    // The types being learned, each with whether another schema references it.
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

    /// Returns the schema to use for a type, and stores the definitions that it references.
    func schema(of type: any Decodable.Type) -> JSONSchema {
        // A nominal type is learned during the run. Containers of the type, such as an array, need only this run.
        exploration(type).attempt.run.root.schema
    }

    /// Returns a generated value of a type; nil if none is known.
    func instance(of type: Any.Type) -> (any Encodable)? {
        (type as? any Decodable.Type).flatMap { exploration($0).attempt.value as? any Encodable }
    }

    private func exploration<Value: Decodable>(_ type: Value.Type) -> Exploration {
        Exploration(self) { decoder in
            guard let decoder = decoder as? ProbeDecoder else { return nil }
            return try decoder.run.value(type, at: decoder.node, decoder.codingPath)
        }
    }

    /// Returns the schema of the values that a closure decodes.
    func schema(of read: @escaping (any Decoder) throws -> Any) -> JSONSchema { Exploration(self, read).schema }

    /// Learns a type unless it is already known or being learned.
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
        let script = exploration.attempt.hasSucceeded ? exploration.attempt.run.taken : nil
        // From now on, generated values of the type can contain values of the same type.
        if script != nil {
            learned[id] = Learned(reference: JSONSchema(.reference(names.name(of: type, in: self))), script: script)
        }
        let schema = exploration.schema
        let isReferenced = current.removeValue(forKey: id) ?? false
        let result = Learned(
            reference: schema.needsDefinition || isReferenced ? define(type, schema) : schema,
            script: script
        )
        learned[id] = result
        return result
    }

    /// Returns the cases of an enum that decodes as its raw value; nil for any other type.
    func rawCases(of type: any Decodable.Type) -> RawCases? {
        let id = ObjectIdentifier(type)
        if let known = rawCases[id] { return known }
        let cases = RawCases(type)
        rawCases[id] = .some(cases)
        return cases
    }

    /// Returns the schema to use for an enum.
    func schema(of type: any Decodable.Type, _ cases: RawCases) -> JSONSchema {
        var schema = JSONSchema(.enumeration(cases.rawValues, isOpen: cases.isOpen))
        if cases.isOpen { schema.origin = .inferred("the type also decodes unlisted values") }
        return define(type, schema)
    }

    private func define(_ type: Any.Type, _ schema: JSONSchema) -> JSONSchema {
        let name = names.name(of: type, in: self)
        definitions[name] = schema
        return JSONSchema(.reference(name))
    }
}

extension JSONSchema {
    /// Whether the schema needs a named definition instead of being inlined.
    fileprivate var needsDefinition: Bool {
        switch form {
        case .object, .oneOf, .enumeration: true
        case .anyOf(let schemas): schemas.contains(where: \.needsDefinition)
        default: false
        }
    }
}

/// The unique names of definitions, derived from type names without modules.
final class TypeNames {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let probe: ObjectIdentifier
    }

    private var names: [Key: String] = [:]
    private var taken: Set<String> = []

    /// Returns the name of a type's definition, consisting of letters, digits, dots, hyphens and underscores.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - probe: the probe. A type can have a different schema for each decoder, and therefore has a separate name for
    ///     each probe.
    /// - Returns: the name.
    func name(of type: Any.Type, in probe: TypeProbe) -> String {
        let key = Key(type: ObjectIdentifier(type), probe: ObjectIdentifier(probe))
        if let known = names[key] { return known }
        let name = taken.insertUnique(Self.base(of: type))
        names[key] = name
        return name
    }

    /// Returns a type's name, including enclosing types and generic arguments: `Shop.Product` and `Page_Product`.
    private static func base(of type: Any.Type) -> String {
        var text = String(reflecting: type)
        // The context of a local type is an address, which changes between runs.
        while let start = text.firstRange(of: "(unknown context at ") {
            guard let end = text[start.upperBound...].firstRange(of: ").") else { break }
            text.removeSubrange(start.lowerBound..<end.upperBound)
        }
        var names: [String] = []
        for qualified in text.split(whereSeparator: { "<>, ".contains($0) }) {
            let parts = qualified.split(separator: ".")
            names.append(parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: "."))
        }
        let name = names.joined(separator: "_")
        return String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }
}

extension Set<String> {
    /// Inserts a name, with a number appended if the set already contains it, and returns the inserted name.
    mutating func insertUnique(_ name: String) -> String {
        let numbered = (2...).lazy.map { "\(name)\($0)" }
        let unused = contains(name) ? numbered.first { !contains($0) } ?? name : name
        insert(unused)
        return unused
    }
}

/// The scalars of sample bodies, by key.
struct SampleValues {
    /// The maximum number of values tried for each key, or for a scalar without a key.
    private static let limit = 50

    private var byKey: [String: [JSONValue]] = [:]
    private var all: [JSONValue] = []

    init(_ documents: [JSONValue]) { for document in documents { add(document, key: nil) } }

    var isEmpty: Bool { all.isEmpty }

    /// Returns the values for the given key, in the order of the bodies; all values if the key is nil.
    func values(for key: String?) -> [JSONValue] { Array((key.map { byKey[$0] ?? [] } ?? all).prefix(Self.limit)) }

    private mutating func add(_ value: JSONValue, key: String?) {
        switch value {
        case .object(let members):
            // Sorted keys make the schema reproducible.
            for (key, member) in members.sorted(by: { $0.key < $1.key }) { add(member, key: key) }
        case .array(let elements): for element in elements { add(element, key: key) }
        case .null: break
        default:
            if !all.contains(value) { all.append(value) }
            if let key, !byKey[key, default: []].contains(value) { byKey[key, default: []].append(value) }
        }
    }
}
