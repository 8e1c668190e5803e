import Waybill
import WaybillSystem

extension ProbeRun {
    /// Returns a value of a type, and records the request.
    func value<Value: Decodable>(_ type: Value.Type, at node: ProbeNode, _ path: [any CodingKey]) throws -> Value {
        guard path.count <= 128 else { throw ProbeError.tooDeep }
        if let scalar = try scalar(type, at: node, path) { return scalar }
        if let optional = type as? any ProbedOptional.Type {
            node.isNullable = true
            if try choose(.presence(nil), of: 2, at: node, path) == 1, let absent = optional.absent as? Value {
                return absent
            }
            if let value = try optional.wrapped(self, node, path) as? Value { return value }
        }
        if let known = try wellKnownValue(type, at: node, path) { return known }
        if type is any ProbedContainer.Type { return try container(type, at: node, path) }
        if let cases = probe.rawCases(of: type) { return try self.case(type, of: cases, at: node, path) }
        return try nominal(type, at: node, path)
    }

    /// Returns a value of a type whose schema is learned once.
    private func nominal<Value: Decodable>(
        _ type: Value.Type,
        at node: ProbeNode,
        _ path: [any CodingKey]
    ) throws -> Value {
        let learned = probe.learn(type)
        node.addRequest(for: learned.reference)
        _ = try choose(.type, of: 1, at: node, path)
        guard let script = learned.script else { throw ProbeError.noInstance("\(type)") }
        let run = ProbeRun(probe, script: script)
        return try type.init(from: ProbeDecoder(run: run, node: run.root, codingPath: path))
    }

    private func `case`<Value: Decodable>(
        _ type: Value.Type,
        of cases: RawCases,
        at node: ProbeNode,
        _ path: [any CodingKey]
    ) throws -> Value {
        node.addRequest(for: probe.schema(of: type, cases))
        let choice = try choose(.enumeration(cases.rawValues), of: cases.values.count, at: node, path)
        guard let value = cases.values[choice] as? Value else { throw ProbeError.noInstance("\(type)") }
        return value
    }

    /// Returns a standard library collection, whose elements belong to the current schema.
    private func container<Value: Decodable>(
        _ type: Value.Type,
        at node: ProbeNode,
        _ path: [any CodingKey]
    ) throws -> Value {
        let outer = keyType
        defer { keyType = outer }
        keyType = nil
        if let dictionary = type as? any ProbedDictionary.Type {
            keyType = dictionary.keyType
            if !dictionary.isKeyed {
                node.addRequest(for: dictionary.pairs(probe))
                _ = try choose(.type, of: 1, at: node, path)
                guard let empty = dictionary.empty as? Value else { throw ProbeError.noInstance("\(type)") }
                return empty
            }
        }
        _ = try choose(.type, of: 1, at: node, path)
        if type is any SetAlgebra.Type { node.hasUniqueElements = true }
        return try type.init(from: ProbeDecoder(run: self, node: node, codingPath: path))
    }
}

/// The reason that the probe has no value of a type.
enum ProbeError: Error {
    case noInstance(String)
    case tooDeep
}

/// An optional with a decodable wrapped type.
protocol ProbedOptional {
    static var absent: Any { get }

    static func wrapped(_ run: ProbeRun, _ node: ProbeNode, _ path: [any CodingKey]) throws -> Any
}

extension Optional: ProbedOptional where Wrapped: Decodable {
    static var absent: Any { Wrapped?.none as Any }

    static func wrapped(_ run: ProbeRun, _ node: ProbeNode, _ path: [any CodingKey]) throws -> Any {
        Optional.some(try run.value(Wrapped.self, at: node, path)) as Any
    }
}

/// A collection whose schema is inlined.
protocol ProbedContainer {}

extension Array: ProbedContainer where Element: Decodable {}
extension ContiguousArray: ProbedContainer where Element: Decodable {}
extension Set: ProbedContainer where Element: Decodable {}
extension Dictionary: ProbedContainer where Key: Decodable, Value: Decodable {}
extension Range: ProbedContainer where Bound: Decodable {}
extension ClosedRange: ProbedContainer where Bound: Decodable {}

/// A dictionary, which is encoded as an object or an array, depending on its key type.
protocol ProbedDictionary {
    static var keyType: any Decodable.Type { get }
    static var isKeyed: Bool { get }
    static var empty: Any { get }

    /// Returns the schema of an array of alternating keys and values.
    static func pairs(_ probe: TypeProbe) -> JSONSchema
}

extension Dictionary: ProbedDictionary where Key: Decodable, Value: Decodable {
    static var keyType: any Decodable.Type { Key.self }

    static var isKeyed: Bool {
        Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
    }

    static var empty: Any { [:] as Self }

    static func pairs(_ probe: TypeProbe) -> JSONSchema {
        let key = probe.schema(of: Key.self)
        let value = probe.schema(of: Value.self)
        var schema = JSONSchema(
            .array(key == value ? key : JSONSchema(.anyOf([key, value])), hasUniqueElements: false),
            origin: .inferred("the keys and values of the dictionary alternate")
        )
        // The schema cannot express that keys and values alternate, so it needs an example.
        let document = JSONSchema.Document(definitions: probe.definitions)
        let example = [key, value].map { document.example(of: $0) }
        if !example.contains(.null) { schema.examples = [.array(example)] }
        return schema
    }
}
