import Waybill

extension SchemaDocument {
    /// Returns the reason for which a value does not fit a schema; nil if it fits.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - schema: the schema.
    ///   - isStrict: whether formats, unique elements and nulls count as well. A decoder takes some values that a
    ///     schema does not allow, such as a relative URL, and an array for a set with an element twice.
    ///   - isPartial: whether members may be missing, because the value is merged over another.
    /// - Returns: the reason, with the path of the member; nil if the value fits.
    package func problem(
        of value: JSONValue,
        _ schema: JSONSchema,
        isStrict: Bool = false,
        isPartial: Bool = false
    ) -> String? {
        SchemaValidation(document: self, isStrict: isStrict, isPartial: isPartial).problem(of: value, schema, at: "")
    }
}

/// Looks for what a schema does not allow.
private struct SchemaValidation {
    let document: SchemaDocument
    let isStrict: Bool
    let isPartial: Bool

    func problem(of value: JSONValue, _ schema: JSONSchema, at path: String) -> String? {
        guard let schema = document.resolving(schema) else { return nil }
        let place = path.isEmpty ? "the value" : path
        if value.isNull {
            return schema.isNullable || schema.form == .any || schema.form == .null ? nil : "\(place) is null"
        }
        func wants(_ type: String, _ fits: Bool) -> String? { fits ? nil : "\(place) is not \(type)" }
        switch schema.form {
        case .any: return nil
        case .null: return "\(place) is not null"
        case .boolean: return wants("a Boolean", value.boolValue != nil)
        case .integer(let format):
            return wants(format.map { "an integer of the format \($0)" } ?? "an integer", value.isInteger(format))
        case .number: return wants("a number", value.doubleValue != nil)
        case .string(let format?) where isStrict && value.stringValue != nil:
            return wants("of the format \(format)", StringFormat.fits(value.stringValue ?? "", format))
        case .string, .base64: return wants("a string", value.stringValue != nil)
        case .enumeration(let values, let isOpen):
            return wants(
                "one of \(values.map(\.description).joined(separator: ", "))",
                isOpen || values.contains(value)
            )
        case .array(let element, let hasUniqueElements):
            guard let elements = value.arrayValue else { return "\(place) is not an array" }
            if isStrict, hasUniqueElements, elements.uniqued.count < elements.count {
                return "\(place) has an element twice"
            }
            return elements.enumerated().lazy.compactMap { problem(of: $1, element, at: "\(path)[\($0)]") }.first
        case .tuple(let schemas):
            guard let elements = value.arrayValue, elements.count >= schemas.count else {
                return "\(place) is not an array of \(schemas.count) elements"
            }
            return zip(elements, schemas).enumerated().lazy
                .compactMap { problem(of: $1.0, $1.1, at: "\(path)[\($0)]") }.first
        case .dictionary(let element, let keys):
            guard let members = value.objectValue else { return "\(place) is not an object" }
            return members.sorted { $0.key < $1.key }.lazy.compactMap { key, value in
                keys.flatMap { problem(of: .string(key), $0, at: "the key \(key)") }
                    ?? problem(of: value, element, at: path.isEmpty ? key : "\(path).\(key)")
            }.first
        case .object(let properties): return problem(ofObject: value, properties, path)
        case .oneOf(let schemas), .anyOf(let schemas):
            let problems = schemas.map { problem(of: value, $0, at: path) }
            let fitting = problems.count { $0 == nil }
            if isStrict, fitting > 1, case .oneOf = schema.form { return "\(place) is of several cases" }
            return fitting > 0 ? nil : problems.first ?? nil
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
                if property.isRequired, !isPartial { return "\(inner) is missing" }
                continue
            }
            if member.isNull, !property.isRequired, !isStrict { continue }
            if let problem = problem(of: member, property.schema, at: inner) { return problem }
        }
        return nil
    }
}

extension JSONValue {
    /// Whether the value is an integer, in the range of a format such as `uint8`.
    fileprivate func isInteger(_ format: String?) -> Bool {
        switch format {
        case "int8": Int8.holds(self)
        case "int16": Int16.holds(self)
        case "int32": Int32.holds(self)
        case "uint8": UInt8.holds(self)
        case "uint16": UInt16.holds(self)
        case "uint32": UInt32.holds(self)
        case "uint64", "uint": UInt64.holds(self)
        default: intValue != nil
        }
    }
}

extension FixedWidthInteger {
    /// Whether a number of a document is one of the type's values.
    fileprivate static func holds(_ value: JSONValue) -> Bool {
        if let number = value.intValue { return Self(exactly: number) != nil }
        // Numbers beyond Int are decimals.
        return value.doubleValue != nil && Self(value.description) != nil
    }
}
