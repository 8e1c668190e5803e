import Waybill

extension ProbeNode {
    /// The schema of what was asked for at this place.
    var schema: JSONSchema {
        if let constant { return JSONSchema(.enumeration([constant], isOpen: false)) }
        var alternatives = schemas
        if isKeyed { alternatives.append(keyedSchema) }
        if isUnkeyed { alternatives.append(unkeyedSchema) }
        var schema: JSONSchema
        switch alternatives.count {
        case 0: schema = JSONSchema(.any, origin: .unknown("the initializer reads nothing here"))
        case 1: schema = alternatives[0]
        default: schema = JSONSchema(.anyOf(alternatives))
        }
        if isNullable { schema.isNullable = true }
        if toleratesOtherTypes, schema.origin == .asked {
            schema.origin = .inferred("a value that does not fit is decoded too")
        }
        return schema
    }

    private var keyedSchema: JSONSchema {
        let values = members.filter { syntheticKeys.contains($0.key) }.map(\.member.node)
        guard !values.isEmpty || dictionaryKeys != nil else { return JSONSchema(.object(properties)) }
        let schemas = values.map(\.schema).uniqued
        let value =
            switch schemas.count {
            case 0: JSONSchema.unknown("the initializer reads no value")
            case 1: schemas[0]
            default: JSONSchema(.anyOf(schemas))
            }
        return JSONSchema(.dictionary(value, keys: dictionaryKeys ?? nil))
    }

    private var properties: [JSONSchema.Property] {
        members.map { key, member in
            var schema = member.node.schema
            if let problem = member.keyProblem { schema.origin = .unknown(problem) }
            if let value = member.defaultValue, schema.fits(value) { schema.defaultValue = value }
            if member.toleratesOtherTypes, schema.origin == .asked {
                schema.origin = .inferred("a value that does not fit is taken as if it were absent")
            }
            return JSONSchema.Property(
                member.documentKey,
                schema,
                isRequired: !member.isOptional && !member.toleratesOtherTypes
            )
        }
    }

    private var unkeyedSchema: JSONSchema {
        let schemas = elements.map(\.schema)
        guard asksForCount || elements.isEmpty || elements.count > Self.longestTuple else {
            return JSONSchema(.tuple(schemas))
        }
        let different = schemas.uniqued
        switch different.count {
        case 0:
            return JSONSchema(
                .array(.unknown("the initializer reads no element"), hasUniqueElements: hasUniqueElements)
            )
        case 1: return JSONSchema(.array(different[0], hasUniqueElements: hasUniqueElements))
        default: return JSONSchema(.tuple(schemas))
        }
    }

    // An initializer that reads more elements without asking reads until the end.
    private static let longestTuple = 64
}

extension JSONSchema {
    /// Whether a value has the type of the schema, without regard to what is within it.
    func fits(_ value: JSONValue) -> Bool {
        switch form {
        case .boolean: value.boolValue != nil
        case .integer: value.intValue != nil
        case .number: value.doubleValue != nil
        case .string(format: nil): value.stringValue != nil
        case .enumeration(let values, let isOpen): isOpen || values.contains(value)
        case .array(let element, _): value.arrayValue.map { $0.allSatisfy(element.fits) } ?? false
        case .dictionary(let element, _): value.objectValue.map { $0.values.allSatisfy(element.fits) } ?? false
        default: false
        }
    }
}
