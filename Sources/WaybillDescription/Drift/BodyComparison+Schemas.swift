import Waybill
import WaybillJSON

extension BodyComparison {
    /// Compares a value with a schema.
    mutating func compare(
        _ value: JSONValue,
        with schema: JSONSchema,
        isOptional: Bool = false,
        at place: DriftPlace
    ) {
        place.valueCount += 1
        guard let schema = expectation.document.resolving(schema) else { return }
        guard !value.isNull else {
            if !isOptional, !expectation.document.takesNull(schema) { note(.null, at: place) }
            return
        }
        switch schema.form {
        case .any: break
        case .null: mismatch("null", value, at: place)
        case .boolean: if value.boolValue == nil { mismatch("boolean", value, at: place) }
        case .integer(let format): if !value.isInteger(of: format) { mismatch("integer", value, at: place) }
        case .number: if !value.isNumber { mismatch("number", value, at: place) }
        case .string, .base64: if value.stringValue == nil { mismatch("string", value, at: place) }
        case .enumeration(let cases, _): compare(value, withCases: cases, at: place)
        case .array(let element, _):
            guard case .array(let elements) = value else { return mismatch("array", value, at: place) }
            guard !elements.isEmpty, let child = self.place(.element, below: place) else { return }
            for value in elements { compare(value, with: element, at: child) }
        case .tuple(let schemas): compare(value, withTuple: schemas, at: place)
        case .object(let properties):
            guard case .object(let members) = value else { return mismatch("object", value, at: place) }
            compare(members, with: properties, isWhole: schema.isWhole, at: place)
        case .dictionary(let element, _):
            guard case .object(let members) = value else { return mismatch("object", value, at: place) }
            guard !members.isEmpty, let child = self.place(.value, below: place) else { return }
            for value in members.values { compare(value, with: element, at: child) }
        case .oneOf(let schemas), .anyOf(let schemas):
            guard let best = best(of: schemas, for: value) else { return }
            place.valueCount -= 1
            compare(value, with: best, at: place)
        case .reference: break
        }
    }

    /// Compares the members of an object with those that a type decodes.
    ///
    /// - Parameters:
    ///   - members: the received members.
    ///   - properties: the members that the type decodes.
    ///   - isWhole: whether the type is known to decode no other members.
    ///   - place: the location of the object.
    mutating func compare(
        _ members: [String: JSONValue],
        with properties: [JSONSchema.Property],
        isWhole: Bool,
        at place: DriftPlace
    ) {
        var absent: [JSONSchema.Property] = []
        for property in properties {
            guard let value = members[property.key] else {
                absent.append(property)
                continue
            }
            compare(value, of: property, named: property.key, at: place)
        }
        // The usual case: every member is known.
        if members.count == properties.count - absent.count {
            for property in absent { noteAbsence(property.key, isRequired: property.isRequired, at: place) }
            return
        }
        var unread = Set(members.keys).subtracting(properties.map(\.key))
        for property in absent {
            if let name = unread.first(where: { expectation.isSpelling($0, of: property.key) }),
                let value = members[name]
            {
                unread.remove(name)
                compare(value, of: property, named: name, at: place)
            } else {
                noteAbsence(property.key, isRequired: property.isRequired, at: place)
            }
        }
        guard isWhole else { return }
        for name in unread { note(.unread, at: place.place(.member(name))) }
    }

    private mutating func compare(
        _ value: JSONValue,
        of property: JSONSchema.Property,
        named name: String,
        at place: DriftPlace
    ) {
        guard let child = self.place(.member(name), below: place) else { return }
        compare(value, with: property.schema, isOptional: !property.isRequired, at: child)
    }

    private mutating func compare(_ value: JSONValue, withCases cases: [JSONValue], at place: DriftPlace) {
        guard !cases.contains(value) else { return }
        guard let expected = cases.first?.schemaTypeName, expected != value.schemaTypeName else {
            return note(.unknownCase, at: place)
        }
        mismatch(expected, value, at: place)
    }

    private mutating func compare(_ value: JSONValue, withTuple schemas: [JSONSchema], at place: DriftPlace) {
        guard case .array(let elements) = value else { return mismatch("array", value, at: place) }
        guard let child = self.place(.element, below: place) else { return }
        for (element, schema) in zip(elements, schemas) { compare(element, with: schema, at: child) }
        for _ in elements.dropFirst(schemas.count) { note(.unread, at: child) }
        for _ in schemas.dropFirst(elements.count) { note(.missing, at: child) }
    }

    private mutating func mismatch(_ expected: String, _ value: JSONValue, at place: DriftPlace) {
        note(.otherType(expected: expected, found: value.schemaTypeName), at: place)
    }

    /// Returns the alternative that fits a value best.
    ///
    /// The best one has the fewest contradictions, and among those the fewest members that it does not decode.
    private func best(of schemas: [JSONSchema], for value: JSONValue) -> JSONSchema? {
        // The cost of nested alternatives multiplies.
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
    /// Whether all members of the schema are known.
    ///
    /// An initializer that rejected every attempted value may not have requested all of them.
    var isWhole: Bool { if case .unknown = origin { false } else { true } }
}

extension JSONValue {
    /// The JSON Schema name of the value's type.
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

    /// Whether the value is an integer; values that overflow `Int` require one of the larger formats.
    fileprivate func isInteger(of format: String?) -> Bool {
        if intValue != nil { return true }
        guard ["uint64", "int128", "uint128"].contains(format), let number = doubleValue else { return false }
        return number == number.rounded()
    }
}
