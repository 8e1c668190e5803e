import Waybill
import WaybillSystem

extension JSONSchema {
    /// Creates the schema of a document whose types are unknown.
    package init(sampling document: JSONValue) { self = SampledDocument(document).schema }
}

/// A JSON document in a request, with the Swift value from which it was encoded.
///
/// In JSON, `30` looks like an integer. The Swift value reveals whether it was a `Double`.
struct SampledDocument {
    let document: JSONValue

    /// The Swift value; nil if unknown.
    private let value: EncodedValue?

    /// Returns the document key for a coding key.
    private let key: (String) -> String

    init(_ document: JSONValue, of value: EncodedValue? = nil, key: @escaping (String) -> String = { $0 }) {
        self.document = document
        self.value = value
        self.key = key
    }

    /// The member with a key.
    subscript(_ name: String) -> SampledDocument {
        SampledDocument(document[name] ?? .null, of: member(name), key: key)
    }

    /// Returns a sample with a different document but the same Swift value.
    func replacing(_ document: JSONValue) -> SampledDocument { SampledDocument(document, of: value, key: key) }

    /// Returns the document without some members, and a document with only those; nil if it has no such members.
    func split(_ names: Set<String>) -> (own: SampledDocument, split: SampledDocument?) {
        guard let members = document.objectValue, members.keys.contains(where: names.contains) else {
            return (self, nil)
        }
        return (
            replacing(.object(members.filter { !names.contains($0.key) })),
            replacing(.object(members.filter { names.contains($0.key) }))
        )
    }

    private func member(_ name: String) -> EncodedValue? {
        let members = value?.members ?? []
        if let own = members.last(where: { $0.key == name }) { return own.value }
        guard case .object? = value else { return nil }
        return members.last { key($0.key) == name }?.value
    }

    /// The schema of the document, with scalar types taken from the value.
    var schema: JSONSchema {
        var schema: JSONSchema
        switch document {
        case .null: return JSONSchema(.any, origin: .unknown("the value is null"))
        case .bool: schema = JSONSchema(.boolean)
        case .integer, .number, .double, .numeral: schema = JSONSchema(number)
        case .string(let text): schema = JSONSchema(string(text))
        case .array(let elements):
            let schemas = elements.enumerated().map { index, element in
                SampledDocument(element, of: self.element(index), key: key).schema
            }
            let element = JSONSchema.anyOf(schemas.uniqued, orUnknown: "the sampled array is empty")
            schema = JSONSchema(.array(element, hasUniqueElements: false))
        case .object(let members):
            schema = JSONSchema(
                .object(
                    members.keys.sorted().map { JSONSchema.Property($0, self[$0].schema, isRequired: false) }
                )
            )
        }
        if schema.origin == .asked { schema.origin = .sampled }
        return schema
    }

    private func element(_ index: Int) -> EncodedValue? {
        guard case .array(let elements)? = value else { return nil }
        return elements.indices.contains(index) ? elements[index] : nil
    }

    private var leaf: (any Encodable & Sendable)? {
        if case .leaf(let leaf)? = value { leaf } else { nil }
    }

    private var number: JSONSchema.Form {
        switch leaf {
        case is Double: .number(format: "double")
        case is Float: .number(format: "float")
        // A date can have fractional seconds.
        case is Decimal, is Date: .number(format: nil)
        case let integer as any FixedWidthInteger: .integer(format: type(of: integer).schemaFormat)
        default: document.intValue == nil ? .number(format: nil) : .integer(format: nil)
        }
    }

    private func string(_ text: String) -> JSONSchema.Form {
        switch leaf {
        case is Date: .string(format: text.dateFormat)
        case is UUID: text.hasFormat("uuid") ? .string(format: "uuid") : .string(format: nil)
        case is URL: text.hasFormat("uri-reference") ? .string(format: "uri-reference") : .string(format: nil)
        case let bytes as Data: bytes.base64EncodedString() == text ? .base64 : .string(format: nil)
        case let integer as any FixedWidthInteger: .string(format: type(of: integer).schemaFormat)
        default: .string(format: nil)
        }
    }
}

extension EncodedValue {
    /// Returns the value with a nested value set at the given path.
    func setting(_ value: EncodedValue, at path: ArraySlice<EnvelopeKey>) -> EncodedValue {
        guard let first = path.first else { return value }
        switch first {
        case .key(let name):
            var members = self.members ?? []
            let old = members.last { $0.key == name }?.value
            members.removeAll { $0.key == name }
            members.append((name, (old ?? .null).setting(value, at: path.dropFirst())))
            if case .object = self { return .object(members) }
            return .dictionary(members)
        case .index(let index):
            var elements: [EncodedValue] = if case .array(let own) = self { own } else { [] }
            guard index >= 0, index <= elements.count else { return self }
            let old = index < elements.count ? elements[index] : .null
            let changed = old.setting(value, at: path.dropFirst())
            if index < elements.count { elements[index] = changed } else { elements.append(changed) }
            return .array(elements)
        }
    }
}
