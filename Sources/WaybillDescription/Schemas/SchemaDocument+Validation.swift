import Waybill

extension SchemaDocument {
    /// Returns the reason for which a value does not fit a schema; nil if it fits.
    package func problem(of value: JSONValue, _ schema: JSONSchema, at path: String = "") -> String? {
        guard let schema = resolving(schema) else { return nil }
        let place = path.isEmpty ? "the value" : path
        if value.isNull {
            return schema.isNullable || schema.form == .any || schema.form == .null ? nil : "\(place) is null"
        }
        func wants(_ type: String, _ fits: Bool) -> String? { fits ? nil : "\(place) is not \(type)" }
        switch schema.form {
        case .any: return nil
        case .null: return "\(place) is not null"
        case .boolean: return wants("a Boolean", value.boolValue != nil)
        case .integer: return wants("an integer", value.intValue != nil)
        case .number: return wants("a number", value.doubleValue != nil)
        case .string, .base64: return wants("a string", value.stringValue != nil)
        case .enumeration(let values, let isOpen):
            return wants(
                "one of \(values.map(\.description).joined(separator: ", "))",
                isOpen || values.contains(value)
            )
        case .array(let element, _):
            guard let elements = value.arrayValue else { return "\(place) is not an array" }
            return elements.enumerated().lazy.compactMap { problem(of: $1, element, at: "\(path)[\($0)]") }.first
        case .tuple(let schemas):
            guard let elements = value.arrayValue, elements.count >= schemas.count else {
                return "\(place) is not an array of \(schemas.count) elements"
            }
            return zip(elements, schemas).enumerated().lazy
                .compactMap { problem(of: $1.0, $1.1, at: "\(path)[\($0)]") }.first
        case .dictionary(let element, _):
            guard let members = value.objectValue else { return "\(place) is not an object" }
            return members.sorted { $0.key < $1.key }.lazy
                .compactMap { problem(of: $1, element, at: path.isEmpty ? $0 : "\(path).\($0)") }.first
        case .object(let properties): return problem(ofObject: value, properties, path)
        case .oneOf(let schemas), .anyOf(let schemas):
            let problems = schemas.map { problem(of: value, $0, at: path) }
            return problems.contains { $0 == nil } ? nil : problems.first ?? nil
        case .reference: return nil
        }
    }

    private func problem(
        ofObject value: JSONValue,
        _ properties: [JSONSchema.Property],
        _ path: String
    ) -> String? {
        guard let members = value.objectValue else { return "\(path.isEmpty ? "the value" : path) is not an object" }
        for property in properties {
            let inner = path.isEmpty ? property.key : "\(path).\(property.key)"
            guard let member = members[property.key] else {
                if property.isRequired { return "\(inner) is missing" }
                continue
            }
            if member.isNull, !property.isRequired { continue }
            if let problem = problem(of: member, property.schema, at: inner) { return problem }
        }
        return nil
    }
}
