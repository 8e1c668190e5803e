import Waybill
import WaybillSystem

extension DescribedOperation.Body {
    /// Creates the body of a planned request; nil if it has none.
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
            let declared = outline.body?.itemSchemas ?? [:]
            let typed = items.map { ($0.name, declared[$0.name] ?? JSONSchema(.string(format: nil)), $0.value ?? "") }
            schema = JSONSchema(.object(typed.map { JSONSchema.Property($0.0, $0.1, isRequired: false) }.uniqued))
            let members = Dictionary(typed.map { ($0.0, $0.1.value(ofText: $0.2)) }) { first, _ in first }
            example = ExampleRedactor(plan.secrets.collected).redacting(.object(members), schema)
            return
        }
        guard media.isJSON, let bytes = body.bytes,
            let document = try? WaybillJSONDecoder().decode(JSONValue.self, from: bytes)
        else {
            schema = JSONSchema(.any)
            return
        }
        let definitions = { JSONSchema.Document(definitions: probe.definitions) }
        let sample = outline.sample(document)
        let names = outline.addedNames
        schema = Self.schema(of: sample, keys: plan.bodyKeys[...]) { sample in
            // Clauses can add members that the value's type lacks.
            let (own, added) = sample.split(names)
            let declared = Self.schema(of: own, type: type ?? outline.body?.valueType, probe)
            // A value is more specific than a type that decodes any JSON.
            let isLessSpecific = type == nil && declared.form == .any
            let known = isLessSpecific ? declared.merging(own.schema) : declared
            guard let added else { return known }
            return (definitions().resolving(known) ?? known).merging(added.schema)
        }
        // The schema supplies the formats of the members.
        let redactor = ExampleRedactor(plan.secrets.collected, probe.definitions)
        let redacted = document.replacingSecrets(at: plan.secretNames) {
            redactor.redacting($0, JSONSchema(.any), isSecret: true)
        }
        example = redactor.redacting(redacted, schema)
    }

    /// Creates the body of a request without a known example value.
    ///
    /// - Parameters:
    ///   - type: the name of the type.
    ///   - outline: the request, with an empty object in place of the value.
    init(unknown type: String, _ outline: RequestOutline) {
        let value = JSONSchema.unknown("no value of \(type) could be generated; list the call itself with a value")
        mediaType = outline.plan.headerFields[.contentType].map { MediaType($0).essence } ?? "application/json"
        schema = value
        guard MediaType(mediaType).isJSON, let bytes = outline.plan.body?.bytes,
            let document = try? WaybillJSONDecoder().decode(JSONValue.self, from: bytes)
        else { return }
        schema = Self.schema(of: outline.sample(document), keys: outline.plan.bodyKeys[...]) { inner in
            guard inner.document.objectValue?.isEmpty == false else { return value }
            var members = inner.schema
            members.origin = value.origin
            return members
        }
    }

    /// Returns the schema of a document with a value nested under keys, including any other members.
    private static func schema(
        of sample: SampledDocument,
        keys: ArraySlice<String>,
        around inner: (SampledDocument) -> JSONSchema
    ) -> JSONSchema {
        guard let first = keys.first else { return inner(sample) }
        let value = schema(of: sample[first], keys: keys.dropFirst(), around: inner)
        let wrapped = JSONSchema(.object([JSONSchema.Property(first, value, isRequired: true)]))
        var others = sample.document.objectValue ?? [:]
        others[first] = nil
        return wrapped.merging(sample.replacing(.object(others)).schema)
    }

    /// Returns the schema of the type if it matches the document; otherwise, the schema of the document.
    private static func schema(
        of sample: SampledDocument,
        type: (any Decodable.Type)?,
        _ probe: TypeProbe
    ) -> JSONSchema {
        guard let type else { return sample.schema }
        let schema = probe.schema(of: type)
        // Only the value reveals the keys of a dictionary.
        if case .dictionary = schema.form, sample.document != [:] { return sample.schema }
        let whole = JSONSchema.Document(root: schema, definitions: probe.definitions)
        let matches =
            whole.problem(of: sample.document, schema) == nil && whole.listsMembers(of: sample.document, schema)
        return matches ? schema : sample.schema
    }
}

extension Body {
    /// The schemas of form items with a declared type, keyed by name; names with several types are left out.
    fileprivate var itemSchemas: [String: JSONSchema] {
        guard case .formItems(let items) = content else { return [:] }
        var schemas: [String: JSONSchema] = [:]
        for (name, items) in Dictionary(grouping: items, by: \.name) {
            let own = items.map { item in
                item.declared.map { JSONSchema(ofText: $0.type, example: item.pieces?.first) }
            }
            if let first = own.first ?? nil, own.allSatisfy({ $0 == first }) { schemas[name] = first }
        }
        return schemas
    }

    /// The type of the value if it is `Decodable`.
    fileprivate var valueType: (any Decodable.Type)? {
        switch content {
        case .value(let value), .changes(let value): Swift.type(of: value) as? any Decodable.Type
        case .form, .formItems, .difference, .document, .bytes, .file, .multipart, .lines: nil
        }
    }
}

extension RequestOutline {
    /// The value of the body as a tree that preserves scalar types; nil for other content.
    private var value: EncodedValue? {
        switch body?.content {
        case .value(let value)?, .changes(let value)?: Self.tree(value)
        default: nil
        }
    }

    private static func tree(_ value: any Encodable) -> EncodedValue? { try? ValueEncoder(nils: .null).encode(value) }

    private var addedMembers: [(path: [EnvelopeKey], value: Body.Member.Value)] {
        plan.settings[BodyMembers.self]?.members ?? []
    }

    private var encoder: any RequestEncoder { plan.settings[Encode.self]?.encoder ?? JSONDefaults.requestEncoder }

    /// Returns the body's document, combined with the Swift values from which it was encoded.
    ///
    /// The values include members added by clauses.
    fileprivate func sample(_ document: JSONValue) -> SampledDocument {
        let wrapped = value.map { value in plan.bodyKeys.reversed().reduce(value) { .dictionary([($1, $0)]) } }
        let whole = addedMembers.reduce(wrapped) { whole, member in
            let value: (any Encodable)? =
                switch member.value {
                case .value(let value): value
                case .id: id?.value()
                }
            guard let tree = value.flatMap(Self.tree) else { return whole }
            return (whole ?? .dictionary([])).setting(tree, at: member.path[...])
        }
        let encoder = encoder
        return SampledDocument(document, of: whole) { encoder.documentKey(of: $0) }
    }

    /// The names of members added to the value by clauses.
    fileprivate var addedNames: Set<String> {
        guard plan.bodyKeys.isEmpty, body == nil || value != nil else { return [] }
        let own = Set((value?.members ?? []).map { encoder.documentKey(of: $0.key) })
        return Set(
            addedMembers.compactMap { member in
                if case .key(let name)? = member.path.first { own.contains(name) ? nil : name } else { nil }
            }
        )
    }
}

extension Multipart.Part {
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
    /// Whether a schema lists every member of an object; true for values that are not objects.
    fileprivate func listsMembers(of value: JSONValue, _ schema: JSONSchema) -> Bool {
        guard case .object(let properties)? = resolving(schema)?.form, let members = value.objectValue else {
            return true
        }
        return members.keys.allSatisfy { key in properties.contains { $0.key == key } }
    }
}
