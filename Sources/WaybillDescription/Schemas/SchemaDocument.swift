import Waybill

/// A schema with the definitions that it refers to: a document of JSON Schema (2020-12).
public struct SchemaDocument: Sendable, Hashable {
    /// The schema of the type.
    public let root: JSONSchema

    /// The schemas of the types that it refers to, by their names.
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

extension SchemaDocument {
    /// Returns a schema without references at its top.
    ///
    /// - Returns: the definition, or nil for an unknown name.
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
