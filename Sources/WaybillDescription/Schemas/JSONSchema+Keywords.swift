import Waybill

extension JSONSchema {
    /// The schema as JSON.
    ///
    /// A `$comment` states how the schema was learned, unless its origin is ``Origin/asked``.
    public var json: JSONValue { json(referencesIn: "#/$defs/") }

    /// Returns the schema as JSON, with references to definitions below a JSON Pointer.
    package func json(referencesIn place: String) -> JSONValue {
        var members = keywords(place)
        if isNullable { members = Self.allowingNull(members) }
        if let defaultValue { members["default"] = defaultValue }
        if !examples.isEmpty { members["examples"] = .array(examples) }
        switch origin {
        case .asked: break
        case .inferred(let reason): members["$comment"] = .string("Inferred: \(reason).")
        case .sampled: members["$comment"] = "Learned from a value."
        case .unknown(let reason): members["$comment"] = .string("Not learned: \(reason).")
        }
        return .object(members)
    }

    private func keywords(_ place: String) -> [String: JSONValue] {
        func json(_ schema: JSONSchema) -> JSONValue { schema.json(referencesIn: place) }
        switch form {
        case .any: return [:]
        case .null: return ["type": "null"]
        case .boolean: return ["type": "boolean"]
        case .integer(let format): return Self.typed("integer", format).merging(Self.range(format)) { $1 }
        case .number(let format): return Self.typed("number", format)
        case .string(let format): return Self.typed("string", format)
        case .base64: return ["type": "string", "contentEncoding": "base64"]
        case .array(let element, let hasUniqueElements):
            var members: [String: JSONValue] = ["type": "array", "items": json(element)]
            if hasUniqueElements { members["uniqueItems"] = true }
            return members
        case .tuple(let elements):
            return [
                "type": "array", "prefixItems": .array(elements.map(json)), "minItems": .integer(elements.count),
            ]
        case .object(let properties):
            var members: [String: JSONValue] = ["type": "object"]
            if !properties.isEmpty {
                members["properties"] = .object(
                    Dictionary(properties.map { ($0.key, json($0.schema)) }) { first, _ in first }
                )
            }
            let required = properties.filter(\.isRequired).map(\.key)
            if !required.isEmpty { members["required"] = .array(required.map(JSONValue.string)) }
            return members
        case .dictionary(let value, let keys):
            var members: [String: JSONValue] = ["type": "object", "additionalProperties": json(value)]
            if let keys { members["propertyNames"] = json(keys) }
            return members
        case .enumeration(let values, let isOpen):
            var members: [String: JSONValue] = [isOpen ? "examples" : "enum": .array(values)]
            if let type = Self.type(ofAll: values) { members["type"] = .string(type) }
            return members
        case .oneOf(let schemas): return ["oneOf": .array(schemas.map(json))]
        case .anyOf(let schemas): return ["anyOf": .array(schemas.map(json))]
        case .reference(let name): return ["$ref": .string(place + name.replacingPointerCharacters)]
        }
    }

    private static func typed(_ type: String, _ format: String?) -> [String: JSONValue] {
        var members: [String: JSONValue] = ["type": .string(type)]
        if let format { members["format"] = .string(format) }
        return members
    }

    /// Returns the bounds of an integer format; empty for `int32` and larger signed formats.
    private static func range(_ format: String?) -> [String: JSONValue] {
        switch format {
        case "int8": ["minimum": -128, "maximum": 127]
        case "int16": ["minimum": -32_768, "maximum": 32_767]
        case "uint8": ["minimum": 0, "maximum": 255]
        case "uint16": ["minimum": 0, "maximum": 65_535]
        case "uint32": ["minimum": 0, "maximum": 4_294_967_295]
        case "uint64", "uint128": ["minimum": 0]
        default: [:]
        }
    }

    private static func allowingNull(_ members: [String: JSONValue]) -> [String: JSONValue] {
        var members = members
        if let values = members["enum"]?.arrayValue { members["enum"] = .array(values + [.null]) }
        if let type = members["type"], type != "null" {
            members["type"] = [type, "null"]
        } else if members["$ref"] != nil || members["oneOf"] != nil {
            return ["anyOf": [.object(members), ["type": "null"]]]
        } else if let schemas = members["anyOf"]?.arrayValue {
            members["anyOf"] = .array(schemas + [["type": "null"]])
        }
        return members
    }

    private static func type(ofAll values: [JSONValue]) -> String? {
        if values.isEmpty { return nil }
        if values.allSatisfy({ $0.stringValue != nil }) { return "string" }
        if values.allSatisfy({ $0.intValue != nil }) { return "integer" }
        if values.allSatisfy({ $0.doubleValue != nil }) { return "number" }
        return nil
    }
}

extension String {
    /// The string escaped as a JSON Pointer reference token (RFC 6901).
    package var replacingPointerCharacters: String { replacing("~", with: "~0").replacing("/", with: "~1") }
}
