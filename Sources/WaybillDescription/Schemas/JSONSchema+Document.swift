import Waybill
import WaybillSystem

extension JSONSchema {
    /// A schema with the definitions that it references, as a JSON Schema (2020-12) document.
    public struct Document: Sendable, Hashable {
        /// The schema of the type.
        public let root: JSONSchema

        /// The definitions referenced by the root schema, keyed by name.
        public let definitions: [String: JSONSchema]

        package init(root: JSONSchema = JSONSchema(.any), definitions: [String: JSONSchema]) {
            self.root = root
            self.definitions = definitions
        }

        /// The document as JSON.
        public var json: JSONValue {
            guard var members = root.json.objectValue else { return root.json }
            members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
            if !definitions.isEmpty { members["$defs"] = .object(definitions.mapValues(\.json)) }
            return .object(members)
        }
    }
}

extension JSONSchema.Document {
    /// Returns the target of a reference.
    ///
    /// - Parameter schema: the schema, which is returned unchanged if it is not a reference.
    /// - Returns: the resolved schema; nil if a name is unknown or references form a cycle.
    package func resolving(_ schema: JSONSchema) -> JSONSchema? {
        var schema = schema
        for _ in 0..<32 {
            guard case .reference(let name) = schema.form else { return schema }
            guard var definition = definitions[name] else { return nil }
            if schema.isNullable { definition.isNullable = true }
            schema = definition
        }
        return nil
    }
}

extension JSONSchema.Document {
    /// Whether a type with the schema accepts `null`.
    func acceptsNull(_ schema: JSONSchema, depth: Int = 0) -> Bool {
        guard depth < 8, let schema = resolving(schema), !schema.isNullable else { return true }
        switch schema.form {
        case .any, .null: return true
        case .oneOf(let schemas), .anyOf(let schemas): return schemas.contains { acceptsNull($0, depth: depth + 1) }
        default: return false
        }
    }
}

extension JSONSchema.Document {
    /// Learns the schema of a type by running its initializer with a decoder that records the requests.
    ///
    /// ```swift
    /// let schema = JSONSchema.Document(of: Order.self)
    /// print(schema.json)
    /// ```
    ///
    /// The initializer runs several times with generated values. Parts that could not be learned have a `$comment`.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - decoder: the decoder whose date, data and key conventions apply; by default ``usualDecoder``.
    ///   - samples: bodies of real responses that supply values if the initializer rejects the generated ones.
    public init<Value: Decodable>(
        of type: Value.Type,
        decodedWith decoder: some ResponseDecoder = Self.usualDecoder,
        samples: [JSONValue] = []
    ) {
        let probe = TypeProbe(conventions: DecodingConventions(of: decoder), samples: SampleValues(samples))
        let schema = probe.schema(of: type)
        self.init(root: schema, definitions: probe.definitions)
    }

    /// The decoder of a client that declares none; it reads ISO 8601 dates.
    public static var usualDecoder: WaybillJSONDecoder { JSONDefaults.decoder }
}

extension JSONSchema.Document {
    /// Returns a value that the schema allows, with all members and one element in each array.
    ///
    /// - Parameter schema: the schema.
    /// - Returns: the value; `null` if no other value can be derived from the schema.
    package func example(of schema: JSONSchema) -> JSONValue { example(of: schema, open: []) ?? .null }

    /// Returns an example; nil if a recursive type has no finite value.
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
            return schemas.lazy.compactMap { example(of: $0, open: open) }.first ?? nullIfAllowed(schema)
        case .reference(let name):
            guard !open.contains(name), let definition = definitions[name] else {
                return nullIfAllowed(schema)
            }
            return example(of: definition, open: open.union([name])) ?? nullIfAllowed(schema)
        }
    }

    /// Returns `null` if the schema allows it; otherwise nil.
    private func nullIfAllowed(_ schema: JSONSchema) -> JSONValue? { schema.isNullable ? .some(.null) : .none }

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

extension JSONSchema.Document {
    /// Returns the reason that a value does not match a schema; nil if it matches.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - schema: the schema.
    ///   - isStrict: whether to check formats, unique elements and nulls too. A decoder accepts some values that a
    ///     schema does not allow, such as duplicate elements in an array decoded as a set.
    ///   - isPartial: whether members can be missing, because the value will be merged into another.
    /// - Returns: the reason, with the path of the member; nil if the value matches.
    package func problem(
        of value: JSONValue,
        _ schema: JSONSchema,
        isStrict: Bool = false,
        isPartial: Bool = false
    ) -> String? {
        SchemaValidation(document: self, isStrict: isStrict, isPartial: isPartial).problem(of: value, schema, at: "")
    }
}

/// A validator of values against a schema.
private struct SchemaValidation {
    let document: JSONSchema.Document
    let isStrict: Bool
    let isPartial: Bool

    func problem(of value: JSONValue, _ schema: JSONSchema, at path: String) -> String? {
        guard let schema = document.resolving(schema) else { return nil }
        let place = path.isEmpty ? "the value" : path
        if value.isNull {
            return schema.isNullable || schema.form == .any || schema.form == .null ? nil : "\(place) is null"
        }
        func expect(_ type: String, _ fits: Bool) -> String? { fits ? nil : "\(place) is not \(type)" }
        switch schema.form {
        case .any: return nil
        case .null: return "\(place) is not null"
        case .boolean: return expect("a Boolean", value.boolValue != nil)
        case .integer(let format):
            return expect(format.map { "an integer in the format \($0)" } ?? "an integer", value.isInteger(format))
        case .number: return expect("a number", value.doubleValue != nil)
        case .string(let format?) where isStrict && value.stringValue != nil:
            return expect("in the format \(format)", (value.stringValue ?? "").hasFormat(format))
        case .string, .base64: return expect("a string", value.stringValue != nil)
        case .enumeration(let values, let isOpen):
            return expect(
                "one of \(values.map(\.description).joined(separator: ", "))",
                isOpen || values.contains(value)
            )
        case .array(let element, let hasUniqueElements):
            guard let elements = value.arrayValue else { return "\(place) is not an array" }
            if isStrict, hasUniqueElements, elements.uniqued.count < elements.count {
                return "\(place) has a duplicate element"
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
            if isStrict, fitting > 1, case .oneOf = schema.form { return "\(place) matches several cases" }
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

extension String {
    /// Whether a decoder accepts the string for a JSON Schema format; true for unknown formats.
    func hasFormat(_ format: String) -> Bool {
        switch format {
        case "date":
            wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil && ISO8601.date(from: self + "T00:00:00Z") != nil
        case "date-time":
            // RFC 3339 without leap seconds, which no decoder accepts.
            wholeMatch(of: /[-0-9]{10}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\.[0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})/) != nil
                && ISO8601.date(from: self) != nil
        case "uuid": utf8.count == 36 && UUID(uuidString: self) != nil
        case "uri": isURIReference && prefixMatch(of: /[A-Za-z][-+.A-Za-z0-9]*:/) != nil
        case "uri-reference": isURIReference
        case "int64": Int64(self) != nil
        case "uint64": UInt64(self) != nil
        default: true
        }
    }

    /// The JSON Schema date format of the string; nil if it has none.
    var dateFormat: String? { ["date-time", "date"].first(where: hasFormat) }

    /// Whether the string is a URI reference (RFC 3986); Foundation by itself also accepts other characters.
    private var isURIReference: Bool {
        wholeMatch(of: /([-._~:\/?#@!$&'()*+,;=A-Za-z0-9]|%[0-9A-Fa-f]{2})*/) != nil && URL(string: self) != nil
    }
}

extension JSONValue {
    /// Whether the value is an integer in the range of a format such as `uint8`.
    fileprivate func isInteger(_ format: String?) -> Bool {
        switch format {
        case "int8": Int8.represents(self)
        case "int16": Int16.represents(self)
        case "int32": Int32.represents(self)
        case "uint8": UInt8.represents(self)
        case "uint16": UInt16.represents(self)
        case "uint32": UInt32.represents(self)
        case "uint64", "uint": UInt64.represents(self)
        default: intValue != nil
        }
    }
}

extension FixedWidthInteger {
    /// Whether the type can represent a JSON number exactly.
    fileprivate static func represents(_ value: JSONValue) -> Bool {
        if let number = value.intValue { return Self(exactly: number) != nil }
        // Numbers that overflow `Int` are stored as decimals.
        return value.doubleValue != nil && Self(value.description) != nil
    }
}
