import Waybill
import WaybillDescription

/// A conversion of members whose shape differs between a request and the entity.
///
/// A request may contain an id in place of an entity, an entity in place of its id, or a string in place of a scalar.
struct MockConversion {
    let schemas: JSONSchema.Document

    /// An example of a complete body; nil if it is unknown, or if all of its scalars are text, as in a form.
    let sent: JSONValue?

    /// A closure that returns the entity with an id and a schema, or nil for an unknown id.
    let entity: (JSONValue, JSONSchema) -> JSONValue?

    /// The error for a member whose declared shape has no known conversion.
    struct Failure: Error {
        let path: [EnvelopeKey]
        let sent: String
        let expected: String
    }

    /// Returns a sent value in the shape of the entity.
    ///
    /// - Parameters:
    ///   - value: the value, with the keys of the entity.
    ///   - schema: the schema of the entity.
    /// - Returns: the value; members whose kind differs from the declaration are unchanged.
    /// - Throws: ``Failure`` for a member whose declared shape has no known conversion.
    func converted(_ value: JSONValue, to schema: JSONSchema) throws(Failure) -> JSONValue {
        guard value.objectValue != nil else { return value }
        return try converted(value, to: schema, sent: sent, at: [])
    }

    private func converted(
        _ value: JSONValue,
        to schema: JSONSchema,
        sent: JSONValue?,
        at path: [EnvelopeKey]
    ) throws(Failure) -> JSONValue {
        guard !value.isNull, let resolved = schemas.resolving(schema) else { return value }
        switch (resolved.form, value) {
        case (.object(let properties), .object(var members)):
            for property in properties {
                guard let member = members[property.key] else { continue }
                members[property.key] = try converted(
                    member,
                    to: property.schema,
                    sent: sent?[property.key],
                    at: path + [.key(property.key)]
                )
            }
            return .object(members)
        case (.array(let element, _), .array(let elements)):
            var converted: [JSONValue] = []
            for (index, value) in elements.enumerated() {
                let sent = sent?.arrayValue?.first
                converted.append(try self.converted(value, to: element, sent: sent, at: path + [.index(index)]))
            }
            return .array(converted)
        default: break
        }
        guard !schemas.allowsKind(of: value, schema) else { return value }
        // A value whose kind differs from the declaration is a client error. A later check of the entity rejects it.
        let isDeclared = sent.map { $0.kind == value.kind && !schemas.allowsKind(of: $0, schema) } ?? false
        guard isDeclared || self.sent == nil else { return value }
        if let other = other(value, schema, resolved) { return other }
        guard isDeclared else { return value }
        throw Failure(path: path, sent: value.kind.rawValue, expected: schemas.kinds(schema))
    }

    /// Returns an equivalent value of another kind, or nil if no conversion is known.
    private func other(_ value: JSONValue, _ schema: JSONSchema, _ resolved: JSONSchema) -> JSONValue? {
        switch (resolved.form, value.kind) {
        case (.object(let properties), .string), (.object(let properties), .number):
            guard let property = Self.idProperty(of: properties), let id = scalar(value, property.schema) else {
                return nil
            }
            return entity(id, schema) ?? schemas.example(of: schema).setting(id, at: [.key(property.key)])
        case (_, .object):
            guard let id = Self.idKeys.lazy.compactMap({ value[$0] }).first else { return nil }
            return scalar(id, schema)
        case (.string, .number), (.string, .boolean): return .string(value.plainText)
        case (_, .string): return scalar(value, schema)
        default: return nil
        }
    }

    /// Returns a scalar that a schema allows, parsed from text if necessary; otherwise nil.
    private func scalar(_ value: JSONValue, _ schema: JSONSchema) -> JSONValue? {
        let read = value.stringValue.flatMap { text in schemas.resolving(schema)?.value(ofText: text) }
        return [value, read].lazy.compactMap { $0 }.first { schemas.problem(of: $0, schema) == nil }
    }

    private static let idKeys = ["id", "_id", "ID", "Id", "uuid", "name"]

    private static func idProperty(of properties: [JSONSchema.Property]) -> JSONSchema.Property? {
        idKeys.lazy.compactMap { key in properties.first { $0.key == key } }.first
    }
}

extension JSONValue {
    /// The kind of a JSON value.
    fileprivate enum Kind: String {
        case null, boolean, number, string, array, object
    }

    fileprivate var kind: Kind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .integer, .number, .double, .numeral: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

extension JSONSchema.Document {
    /// Whether a schema allows values of the same kind as a value.
    fileprivate func allowsKind(of value: JSONValue, _ schema: JSONSchema, depth: Int = 0) -> Bool {
        guard depth < 16, let schema = resolving(schema) else { return true }
        return switch schema.form {
        case .any: true
        case .null: value.isNull
        case .boolean: value.kind == .boolean
        case .integer, .number: value.kind == .number
        case .string, .base64: value.kind == .string
        case .array, .tuple: value.kind == .array
        case .object, .dictionary: value.kind == .object
        case .enumeration(let values, let isOpen): isOpen || values.contains { $0.kind == value.kind }
        case .oneOf(let schemas), .anyOf(let schemas):
            schemas.contains { allowsKind(of: value, $0, depth: depth + 1) }
        case .reference: true
        }
    }

    /// Returns the kinds that a schema allows, in words.
    fileprivate func kinds(_ schema: JSONSchema) -> String {
        let examples: [JSONValue] = [true, 1, "", [], [:]]
        return examples.filter { allowsKind(of: $0, schema) }.map(\.kind.rawValue).joined(separator: " or ")
    }
}
