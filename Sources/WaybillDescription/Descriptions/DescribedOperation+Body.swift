import Waybill
import WaybillSystem

extension DescribedOperation.Body {
    /// Creates the content of a request from its plan; nil if it has no body.
    init?(_ outline: RequestOutline, type: (any Decodable.Type)?, _ probe: TypeProbe) {
        let plan = outline.plan
        guard let body = plan.body, let contentType = plan.headerFields[.contentType] else { return nil }
        let media = MediaType(contentType)
        mediaType = media.essence
        if case .multipart(let parts)? = outline.body?.content {
            schema = JSONSchema(.object(parts.compactMap { part in part.property }))
            self.parts = parts.reduce(into: [:]) { types, part in
                if let name = part.name, let type = part.contentType { types[name] = type }
            }
            return
        }
        if media == .form {
            let items = Self.items(of: body)
            schema = JSONSchema(
                .object(
                    items.map {
                        JSONSchema.Property($0.name, JSONSchema(.string(format: nil)), isRequired: false)
                    }.uniqued
                )
            )
            let members = Dictionary(items.map { ($0.name, JSONValue.string($0.value)) }) { first, _ in first }
            example = SecretExamples(plan.secrets.collected).removed(from: .object(members), schema)
            return
        }
        guard media.isJSON, let bytes = body.bytes,
            let document = try? WaybillJSONDecoder().decode(JSONValue.self, from: bytes)
        else {
            schema = JSONSchema(.any)
            return
        }
        schema = Self.schema(of: document, keys: plan.bodyKeys, type: type ?? outline.body?.valueType, probe)
        // Of any JSON, the value of the call says more than its type.
        if type == nil, plan.bodyKeys.isEmpty, schema.form == .any { schema = JSONSchema(sampling: document) }
        // The schema knows the formats of the members.
        example = SecretExamples(plan.secrets.collected, probe.definitions).removed(from: document, schema)
    }

    /// Creates the content of a request whose type does not decode, so that no value of it can be generated.
    ///
    /// - Parameters:
    ///   - type: the name of the type.
    ///   - outline: the request, which has an empty object in place of the value.
    init(unknown type: String, _ outline: RequestOutline) {
        let value = JSONSchema.unknown("\(type) does not decode; list the call itself, with a value")
        mediaType = outline.plan.headerFields[.contentType].map { MediaType($0).essence } ?? "application/json"
        schema = value
        guard MediaType(mediaType).isJSON, let bytes = outline.plan.body?.bytes,
            let document = try? WaybillJSONDecoder().decode(JSONValue.self, from: bytes)
        else { return }
        schema = Self.schema(of: document, keys: outline.plan.bodyKeys[...], around: value)
    }

    /// Returns the schema of a document with keys around a value, and members beside it.
    private static func schema(
        of document: JSONValue,
        keys: ArraySlice<String>,
        around value: JSONSchema
    ) -> JSONSchema {
        guard let first = keys.first else {
            guard document.objectValue?.isEmpty == false else { return value }
            var members = JSONSchema(sampling: document)
            members.origin = value.origin
            return members
        }
        let inner = schema(of: document[first] ?? .null, keys: keys.dropFirst(), around: value)
        let wrapped = JSONSchema(.object([JSONSchema.Property(first, inner, isRequired: true)]))
        var others = document.objectValue ?? [:]
        others[first] = nil
        return wrapped.merging(JSONSchema(sampling: .object(others)))
    }

    /// Returns the schema of a JSON body: of its type if the value has that form, of the value itself otherwise.
    private static func schema(
        of document: JSONValue,
        keys: [String],
        type: (any Decodable.Type)?,
        _ probe: TypeProbe
    ) -> JSONSchema {
        if let first = keys.first {
            let inner = schema(of: document[first] ?? .null, keys: Array(keys.dropFirst()), type: type, probe)
            let sampled = JSONSchema(sampling: document)
            let wrapped = JSONSchema(.object([JSONSchema.Property(first, inner, isRequired: true)]))
            return wrapped.merging(sampled)
        }
        guard let type else { return JSONSchema(sampling: document) }
        let schema = probe.schema(of: type)
        // Of a dictionary the value has the names.
        if case .dictionary = schema.form, document != [:] { return JSONSchema(sampling: document) }
        let whole = JSONSchema.Document(root: schema, definitions: probe.definitions)
        let fits = whole.problem(of: document, schema) == nil && whole.lists(document, schema)
        return fits ? schema : JSONSchema(sampling: document)
    }

    private static func items(of body: HTTPBody) -> [(name: String, value: String)] {
        guard let bytes = body.bytes else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            func text(_ part: Substring) -> String {
                PercentEncoding.decode(part.map { $0 == "+" ? " " : String($0) }.joined()) ?? String(part)
            }
            return (text(parts[0]), parts.count > 1 ? text(parts[1]) : "")
        }
    }
}

extension Body {
    /// The type of the value, if the body has one that decodes.
    fileprivate var valueType: (any Decodable.Type)? {
        switch content {
        case .value(let value), .changes(let value): Swift.type(of: value) as? any Decodable.Type
        case .form, .formItems, .difference, .document, .bytes, .file, .multipart, .lines: nil
        }
    }
}

extension Part {
    fileprivate var property: JSONSchema.Property? {
        guard let name else { return nil }
        let schema =
            switch content {
            case .none, .text, .fileAsText, .form: JSONSchema(.string(format: nil))
            case .json, .bytes, .file: JSONSchema(.any)
            }
        return JSONSchema.Property(name, schema, isRequired: false)
    }
}

extension JSONSchema.Document {
    /// Whether a schema lists all members of an object.
    fileprivate func lists(_ value: JSONValue, _ schema: JSONSchema) -> Bool {
        guard case .object(let properties)? = resolving(schema)?.form, let members = value.objectValue else {
            return true
        }
        return members.keys.allSatisfy { key in properties.contains { $0.key == key } }
    }
}
