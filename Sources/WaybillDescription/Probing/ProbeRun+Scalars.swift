import Waybill
import WaybillSystem

extension ProbeRun {
    /// Returns a scalar of a type, chosen from candidates; nil if the type is not a scalar.
    func scalar<Value>(_ type: Value.Type, at node: ProbeNode, _ path: [any CodingKey]) throws -> Value? {
        if type == String.self {
            let schema = JSONSchema(.string(format: nil))
            node.addRequest(for: schema)
            let (candidate, isUsual) = try choose(among: Self.texts, at: node, path) {
                $0.stringValue.map { (text: $0, format: nil) }
            }
            if !isUsual {
                let format = JSONSchema(.string(format: candidate.format))
                node.replace(schema, with: format.accepting(.string(candidate.text), insteadOf: "\"text\""))
            }
            return candidate.text as? Value
        }
        if type == Bool.self {
            node.addRequest(for: JSONSchema(.boolean))
            let choice = try choose(.scalar, of: 2, at: node, path)
            return (choice == 0) as? Value
        }
        if let integer = type as? any FixedWidthInteger.Type {
            let isText = probe.conventions.readsInt64FromString && (type == Int64.self || type == UInt64.self)
            let format = integer.schemaFormat
            let schema = JSONSchema(isText ? .string(format: format) : .integer(format: format))
            node.addRequest(for: schema)
            let (number, isUsual) = try choose(among: Self.integers, at: node, path, orSample: \.intValue)
            if !isUsual {
                let value: JSONValue = isText ? .string("\(number)") : .integer(number)
                node.replace(schema, with: schema.accepting(value, insteadOf: "1"))
            }
            return Self.make(integer, number) as? Value
        }
        if type == Double.self || type == Float.self {
            let schema = JSONSchema(.number(format: type == Double.self ? "double" : "float"))
            node.addRequest(for: schema)
            let (number, isUsual) = try choose(among: Self.numbers, at: node, path, orSample: \.doubleValue)
            if !isUsual { node.replace(schema, with: schema.accepting(JSONValue(number), insteadOf: "1")) }
            return number as? Value ?? Float(number) as? Value
        }
        if type == Decimal.self {
            let schema = JSONSchema(.number(format: nil))
            node.addRequest(for: schema)
            let (number, isUsual) = try choose(among: Self.numbers, at: node, path, orSample: \.doubleValue)
            if !isUsual { node.replace(schema, with: schema.accepting(JSONValue(number), insteadOf: "1")) }
            return Decimal(number) as? Value
        }
        return nil
    }

    /// Returns a candidate or a sample value, and whether it is the usual value: the first candidate.
    private func choose<Value>(
        among candidates: [Value],
        at node: ProbeNode,
        _ path: [any CodingKey],
        orSample read: (JSONValue) -> Value?
    ) throws -> (value: Value, isUsual: Bool) {
        let samples = probe.samples.isEmpty ? [] : probe.samples.values(for: node.key).compactMap(read)
        let values = candidates + samples
        let choice = try choose(.scalar, of: values.count, sample: candidates.count, at: node, path)
        return (values[choice], choice == 0)
    }

    /// Returns a value of a type with a predetermined schema, such as `Date`; nil for any other type.
    func wellKnownValue<Value>(_ type: Value.Type, at node: ProbeNode, _ path: [any CodingKey]) throws -> Value? {
        let schema: JSONSchema
        let value: Any?
        switch type {
        case is Date.Type: (schema, value) = (probe.conventions.date, Date(timeIntervalSince1970: 1_777_636_800))
        case is Data.Type: (schema, value) = (probe.conventions.data, Data([1, 2, 3]))
        case is URL.Type:
            (schema, value) = (JSONSchema(.string(format: "uri-reference")), URL(string: "https://example.com"))
        case is UUID.Type: (schema, value) = (JSONSchema(.string(format: "uuid")), UUID(uuidString: Self.uuid))
        case is Problem.Details.Type:
            schema = .problemDetails
            value = try? WaybillJSONDecoder().decode(Problem.Details.self, from: Data("{}".utf8))
        case is JSONValue.Type: (schema, value) = (JSONSchema(.any), JSONValue.null)
        default: return nil
        }
        node.addRequest(for: schema)
        _ = try choose(.type, of: 1, at: node, path)
        return value as? Value
    }

    /// The candidate keys of a dictionary, and the schema of its keys; nil if any string can be a key.
    var keyCandidates: (names: [String], schema: JSONSchema?) {
        let free = ["key", "1", Self.uuid, "2026-05-01"]
        guard let keyType else { return (free, nil) }
        if keyType is any FixedWidthInteger.Type { return (["1"], JSONSchema(.integer(format: nil)).asKeys) }
        guard let cases = probe.rawCases(of: keyType) else { return (free, nil) }
        return (
            cases.rawValues.compactMap { $0.stringValue ?? $0.intValue.map { "\($0)" } },
            JSONSchema(.enumeration(cases.rawValues, isOpen: false)).asKeys
        )
    }

    private static let uuid = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"

    /// Candidate strings for initializers that validate them, starting with the usual value.
    private static let texts: [(text: String, format: String?)] =
        [
            ("text", nil), (uuid, "uuid"), ("2026-05-01T12:00:00Z", "date-time"), ("2026-05-01", "date"),
            ("12:30:00", "time"), ("https://example.com/", "uri"), ("someone@example.com", "email"),
            ("127.0.0.1", "ipv4"), ("example.com", "hostname"),
        ]
        + ["1", "1.5", "EUR", "DE", "en", "en-US", "#336699", "+4930123456", "AQID", "a", "true", "1.0.0", ""]
        .map { ($0, nil) }

    private static let integers = [1, 0, 2, 10, 100, 1000, 2026, -1, 12, 200, 1_777_636_800]
    private static let numbers: [Double] = [1, 0, 0.5, 10, 100, -1, 50, 1_777_636_800]

    private static func make<Integer: FixedWidthInteger>(_ type: Integer.Type, _ value: Int) -> Any {
        Integer(exactly: value) ?? 1 as Integer
    }
}

extension JSONSchema {
    /// Returns the schema with a value that the initializer accepted after rejecting the usual one.
    fileprivate func accepting(_ value: JSONValue, insteadOf usual: String) -> JSONSchema {
        var schema = self
        schema.origin = .inferred("the initializer rejects \(usual) and accepts \(value)")
        schema.examples = [value]
        return schema
    }

    /// The schema converted to one of object keys, which are strings in a document.
    var asKeys: JSONSchema {
        switch form {
        case .integer:
            var keys = JSONSchema(.string(format: nil))
            keys.examples = ["1"]
            return keys
        case .enumeration(let values, let isOpen):
            let texts = values.map { $0.stringValue.map(JSONValue.string) ?? .string($0.description) }
            return JSONSchema(.enumeration(texts, isOpen: isOpen))
        default: return self
        }
    }
}
