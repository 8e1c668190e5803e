import Waybill
import WaybillJSON

extension BodyComparison {
    /// Compares a value with a schema.
    mutating func compare(
        _ value: JSONValue,
        with schema: JSONSchema,
        isOptional: Bool = false,
        at node: DriftNode
    ) {
        node.valueCount += 1
        guard let schema = expectation.document.resolving(schema) else { return }
        guard !value.isNull else {
            if !isOptional, !expectation.document.acceptsNull(schema) { record(.null, at: node) }
            return
        }
        switch schema.form {
        case .any: break
        case .null: mismatch("null", value, at: node)
        case .boolean: if value.boolValue == nil { mismatch("boolean", value, at: node) }
        case .integer(let format): if !value.isInteger(of: format) { mismatch("integer", value, at: node) }
        case .number: if !value.isNumber { mismatch("number", value, at: node) }
        case .string, .base64: if value.stringValue == nil { mismatch("string", value, at: node) }
        case .enumeration(let cases, _): compare(value, withCases: cases, at: node)
        case .array(let element, _):
            guard case .array(let elements) = value else { return mismatch("array", value, at: node) }
            guard !elements.isEmpty, let child = self.child(.element, of: node) else { return }
            for value in elements { compare(value, with: element, at: child) }
        case .tuple(let schemas): compare(value, withTuple: schemas, at: node)
        case .object(let properties):
            guard case .object(let members) = value else { return mismatch("object", value, at: node) }
            compare(members, with: properties, isComplete: schema.listsAllMembers, at: node)
        case .dictionary(let element, _):
            guard case .object(let members) = value else { return mismatch("object", value, at: node) }
            guard !members.isEmpty, let child = self.child(.value, of: node) else { return }
            for value in members.values { compare(value, with: element, at: child) }
        case .oneOf(let schemas), .anyOf(let schemas):
            guard let best = bestMatch(of: schemas, for: value) else { return }
            node.valueCount -= 1
            compare(value, with: best, at: node)
        case .reference: break
        }
    }

    /// Compares the members of an object with those decoded by a type.
    ///
    /// - Parameters:
    ///   - members: the received members.
    ///   - properties: the members decoded by the type.
    ///   - isComplete: whether the type is known to decode no other members.
    ///   - node: the node of the object.
    mutating func compare(
        _ members: [String: JSONValue],
        with properties: [JSONSchema.Property],
        isComplete: Bool,
        at node: DriftNode
    ) {
        var absent: [JSONSchema.Property] = []
        for property in properties {
            guard let value = members[property.key] else {
                absent.append(property)
                continue
            }
            compare(value, of: property, named: property.key, at: node)
        }
        // The common case: all members are known.
        if members.count == properties.count - absent.count {
            for property in absent { recordAbsence(property.key, isRequired: property.isRequired, at: node) }
            return
        }
        var unread = Set(members.keys).subtracting(properties.map(\.key))
        for property in absent {
            if let name = unread.first(where: { expectation.isSpelling($0, of: property.key) }),
                let value = members[name]
            {
                unread.remove(name)
                compare(value, of: property, named: name, at: node)
            } else {
                recordAbsence(property.key, isRequired: property.isRequired, at: node)
            }
        }
        guard isComplete else { return }
        for name in unread { record(.unread, at: node.child(at: .member(name))) }
    }

    private mutating func compare(
        _ value: JSONValue,
        of property: JSONSchema.Property,
        named name: String,
        at node: DriftNode
    ) {
        guard let child = self.child(.member(name), of: node) else { return }
        compare(value, with: property.schema, isOptional: !property.isRequired, at: child)
    }

    private mutating func compare(_ value: JSONValue, withCases cases: [JSONValue], at node: DriftNode) {
        guard !cases.contains(value) else { return }
        guard let expected = cases.first?.schemaTypeName, expected != value.schemaTypeName else {
            return record(.unknownCase, at: node)
        }
        mismatch(expected, value, at: node)
    }

    private mutating func compare(_ value: JSONValue, withTuple schemas: [JSONSchema], at node: DriftNode) {
        guard case .array(let elements) = value else { return mismatch("array", value, at: node) }
        guard let child = self.child(.element, of: node) else { return }
        for (element, schema) in zip(elements, schemas) { compare(element, with: schema, at: child) }
        for _ in elements.dropFirst(schemas.count) { record(.unread, at: child) }
        for _ in schemas.dropFirst(elements.count) { record(.missing, at: child) }
    }

    private mutating func mismatch(_ expected: String, _ value: JSONValue, at node: DriftNode) {
        record(.otherType(expected: expected, found: value.schemaTypeName), at: node)
    }

    /// Returns the alternative that best matches a value.
    ///
    /// This is the alternative with the fewest contradictions and, among those, the fewest undecoded members.
    private func bestMatch(of schemas: [JSONSchema], for value: JSONValue) -> JSONSchema? {
        // The costs of nested alternatives multiply.
        guard alternativeDepth < 3 else {
            return schemas.first { expectation.document.problem(of: value, $0) == nil }
        }
        var best: (schema: JSONSchema, severe: Int, unread: Int)?
        for schema in schemas {
            var trial = trial()
            trial.compare(value, with: schema, at: trial.root)
            let (severe, unread) = (trial.severeCount, trial.unreadCount)
            if let best, (best.severe, best.unread) <= (severe, unread) { continue }
            best = (schema, severe, unread)
            if severe == 0, unread == 0 { break }
        }
        return best?.schema
    }
}

extension JSONSchema {
    /// Whether the schema is known to list all members that the type decodes.
    ///
    /// An initializer that rejected every attempted value might not have requested all of them.
    var listsAllMembers: Bool { if case .unknown = origin { false } else { true } }
}

extension JSONValue {
    /// The name of the value's type in JSON Schema.
    var schemaTypeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .number, .double, .numeral: intValue == nil ? "number" : "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .number, .double, .numeral: true
        default: false
        }
    }

    /// Whether the value is an integer; values that overflow `Int` are accepted only in one of the larger formats.
    fileprivate func isInteger(of format: String?) -> Bool {
        if intValue != nil { return true }
        guard ["uint64", "int128", "uint128"].contains(format), let number = doubleValue else { return false }
        return number == number.rounded()
    }
}
