import Waybill

extension SchemaDocument {
    /// Returns a value that the schema allows, with all of its members and one element in each list.
    ///
    /// - Returns: the value; null for a schema that allows nothing else.
    package func example(of schema: JSONSchema) -> JSONValue { example(of: schema, open: []) ?? .null }

    /// Returns an example; nil where a type contains itself and the value has to end.
    private func example(of schema: JSONSchema, open: Set<String>) -> JSONValue? {
        if let example = schema.examples.first { return example }
        if let value = schema.defaultValue { return value }
        switch schema.form {
        case .any, .null: return .null
        case .boolean: return true
        case .integer: return 1
        case .number: return 1
        case .string(let format): return .string(Self.text(format))
        case .base64: return "AQID"
        case .array(let element, _): return .array(example(of: element, open: open).map { [$0] } ?? [])
        case .tuple(let schemas):
            let values = schemas.map { example(of: $0, open: open) }
            return values.contains { $0 == nil } ? nil : .array(values.compactMap { $0 })
        case .object(let properties): return object(properties, open: open)
        case .dictionary(let value, let keys):
            let key = keys.map { example(of: $0) }?.stringValue ?? "key"
            return .object(example(of: value, open: open).map { [key: $0] } ?? [:])
        case .enumeration(let values, _): return values.first
        case .oneOf(let schemas), .anyOf(let schemas):
            return schemas.lazy.compactMap { example(of: $0, open: open) }.first ?? end(schema)
        case .reference(let name):
            guard !open.contains(name), let definition = definitions[name] else {
                return end(schema)
            }
            return example(of: definition, open: open.union([name])) ?? end(schema)
        }
    }

    /// Returns null where the schema allows it; nil elsewhere.
    private func end(_ schema: JSONSchema) -> JSONValue? { schema.isNullable ? .some(.null) : .none }

    private func object(_ properties: [JSONSchema.Property], open: Set<String>) -> JSONValue? {
        var members: [String: JSONValue] = [:]
        for property in properties {
            if let value = example(of: property.schema, open: open) {
                members[property.key] = value
            } else if property.isRequired {
                return nil
            }
        }
        return .object(members)
    }

    private static func text(_ format: String?) -> String {
        switch format {
        case "date-time": "2026-05-01T12:00:00Z"
        case "date": "2026-05-01"
        case "time": "12:30:00"
        case "uuid": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
        case "uri", "uri-reference": "https://example.com/"
        case "email": "someone@example.com"
        case "int64", "uint64": "1"
        default: "text"
        }
    }
}
