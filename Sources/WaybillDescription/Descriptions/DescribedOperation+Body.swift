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
            let items = FormDocument.items(of: String(decoding: body.bytes ?? Data(), as: UTF8.self))
            schema = JSONSchema(
                .object(
                    items.map {
                        JSONSchema.Property($0.name, JSONSchema(.string(format: nil)), isRequired: false)
                    }.uniqued
                )
            )
            let members = Dictionary(items.map { ($0.name, JSONValue.string($0.value ?? "")) }) { first, _ in first }
            example = SecretExamples(plan.secrets.collected).removed(from: .object(members), schema)
            return
        }
        guard media.isJSON, let bytes = body.bytes,
            let document = try? WaybillJSONDecoder().decode(JSONValue.self, from: bytes)
        else {
            schema = JSONSchema(.any)
            return
        }
        schema = Self.schema(of: document, keys: plan.bodyKeys[...]) { value in
            let declared = Self.schema(of: value, type: type ?? outline.body?.valueType, probe)
            // The value says more than a type that decodes any JSON.
            let saysLess = type == nil && declared.form == .any
            return saysLess || !plan.bodyKeys.isEmpty ? declared.merging(JSONSchema(sampling: value)) : declared
        }
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
        schema = Self.schema(of: document, keys: outline.plan.bodyKeys[...]) { inner in
            guard inner.objectValue?.isEmpty == false else { return value }
            var members = JSONSchema(sampling: inner)
            members.origin = value.origin
            return members
        }
    }

    /// Returns the schema of a document with keys around a value, and members beside it.
    private static func schema(
        of document: JSONValue,
        keys: ArraySlice<String>,
        around inner: (JSONValue) -> JSONSchema
    ) -> JSONSchema {
        guard let first = keys.first else { return inner(document) }
        let value = schema(of: document[first] ?? .null, keys: keys.dropFirst(), around: inner)
        let wrapped = JSONSchema(.object([JSONSchema.Property(first, value, isRequired: true)]))
        var others = document.objectValue ?? [:]
        others[first] = nil
        return wrapped.merging(JSONSchema(sampling: .object(others)))
    }

    /// Returns the schema of a JSON value: of its type if the value has that form, of the value itself otherwise.
    private static func schema(
        of document: JSONValue,
        type: (any Decodable.Type)?,
        _ probe: TypeProbe
    ) -> JSONSchema {
        guard let type else { return JSONSchema(sampling: document) }
        let schema = probe.schema(of: type)
        // The keys of a dictionary are known by the value only.
        if case .dictionary = schema.form, document != [:] { return JSONSchema(sampling: document) }
        let whole = JSONSchema.Document(root: schema, definitions: probe.definitions)
        let fits = whole.problem(of: document, schema) == nil && whole.lists(document, schema)
        return fits ? schema : JSONSchema(sampling: document)
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
