import Waybill

/// The schemas of the responses of a call: of its value with the envelope around it, and of its problems.
struct ResponseSchemas {
    private let settings: Scope.Settings
    private let probe: TypeProbe

    /// The media type that the call accepts; nil if it accepts several.
    private let acceptedType: String?

    init(_ outline: RequestOutline, _ probe: TypeProbe) {
        settings = outline.plan.settings
        self.probe = probe
        let accepted = outline.headerFields[.accept].map { MediaType($0).essence }
        acceptedType = accepted.flatMap { $0.contains("*") || $0.contains(",") ? nil : $0 }
    }

    /// Returns the responses of a call, those of success first.
    func responses(_ call: DescribedCall) -> [DescribedOperation.Response] {
        var responses = successes(call)
        if let clause = settings[LongRunning.self] { responses.append(accepted(clause)) }
        for rule in settings[ProblemRules.self]?.rules ?? [] {
            let schema = wrapping(probe.schema(of: rule.extra.type), at: rule.extra.path)
            for status in rule.statuses.openAPIKeys {
                for type in rule.contentTypes.isEmpty ? ["application/json"] : rule.contentTypes {
                    add(schema, status, type, to: &responses)
                }
            }
        }
        return responses
    }

    private func add(
        _ schema: JSONSchema,
        _ status: String,
        _ mediaType: String,
        to responses: inout [DescribedOperation.Response]
    ) {
        let index = responses.firstIndex { $0.status == status && ($0.mediaType ?? mediaType) == mediaType }
        guard let index else {
            responses.append(.init(status: status, description: "A problem", mediaType: mediaType, schema: schema))
            return
        }
        // The first type that decodes wins.
        responses[index].schema = responses[index].schema?.joined(schema) ?? schema
        responses[index].mediaType = mediaType
    }

    private func successes(_ call: DescribedCall) -> [DescribedOperation.Response] {
        let declared = settings[Success.self]?.statuses.openAPIKeys
        let usual =
            switch (call.operation, call.content) {
            case (.create?, _), (.createBatch?, _): ["201"]
            case (.upsert?, _): ["200", "201"]
            case (_, .ignored): ["204"]
            default: ["200"]
            }
        return (declared ?? usual).map { status in
            var response = DescribedOperation.Response(status: status, description: "Success")
            switch call.content {
            case .value(let type):
                let isText = type == String.self || type == String?.self
                let envelope = settings[Envelope.self] ?? .none
                if isText, envelope.item.isEmpty {
                    response.mediaType = "text/plain"
                    response.schema = JSONSchema(.string(format: nil))
                } else {
                    response.mediaType = jsonType
                    response.schema = schema(of: type, in: envelope)
                }
            case .events(let type):
                response.mediaType = "text/event-stream"
                response.schema = eventSchema(probe.schema(of: type))
                response.isStream = true
            case .bytes: response.mediaType = acceptedType ?? "application/octet-stream"
            case .ignored: break
            case .unknown(let name):
                response.mediaType = jsonType
                response.schema = .unknown("\(name) does not decode")
            }
            return response
        }
    }

    /// Returns the response of an operation that goes on, with the place of its status.
    private func accepted(_ clause: LongRunning) -> DescribedOperation.Response {
        let description = "The operation has begun; the URL of its status is at \(clause.place)"
        var response = DescribedOperation.Response(status: "202", description: description)
        switch clause.place.form {
        case .fields(let names): response.urlFields = Array(names.prefix(1))
        case .member(let path):
            response.mediaType = jsonType
            response.schema = wrapping(JSONSchema(.string(format: "uri-reference")), at: path)
        case .path(let path, _):
            response.description = "The operation has begun; its id is at \(clause.place)"
            response.mediaType = jsonType
            response.schema = wrapping(JSONSchema(.any), at: path)
        }
        return response
    }

    /// Returns the schema of an event, as OpenAPI 3.2 has it: its fields, with the schema of the data.
    private func eventSchema(_ data: JSONSchema) -> JSONSchema {
        JSONSchema(
            .object([
                JSONSchema.Property("data", data, isRequired: true),
                JSONSchema.Property("event", JSONSchema(.string(format: nil)), isRequired: false),
                JSONSchema.Property("id", JSONSchema(.string(format: nil)), isRequired: false),
            ])
        )
    }

    private func schema(of type: any Decodable.Type, in envelope: Envelope) -> JSONSchema {
        let isList = Shape.isList(type)
        var value = probe.schema(of: type)
        if isList, let idKey = envelope.idKey { value = keyed(value, by: idKey) }
        var schema = wrapping(value, at: isList ? envelope.list : envelope.item)
        for value in (settings[MetadataRules.self]?.elements ?? []).map(\.extra) {
            schema = schema.merging(
                wrapping(probe.schema(of: value.type), at: value.path, isRequired: value.isRequired)
            )
        }
        guard isList, let scheme = settings[Paginated.self]?.scheme else { return schema }
        for path in scheme.reads where !path.isEmpty {
            schema = schema.merging(wrapping(JSONSchema(.any, origin: .paging), at: path, isRequired: false))
        }
        return schema
    }

    /// Returns the schema of an object of entities in place of that of a list; the entities may lack the id.
    private func keyed(_ list: JSONSchema, by idKey: String) -> JSONSchema {
        guard case .array(let entity, _) = list.form else { return list }
        var element = entity
        let whole = JSONSchema.Document(root: entity, definitions: probe.definitions)
        if case .object(var properties)? = whole.resolving(entity)?.form {
            for index in properties.indices where properties[index].key == idKey {
                properties[index].isRequired = false
            }
            element.form = .object(properties)
        }
        return JSONSchema(.dictionary(element, keys: nil), isNullable: list.isNullable)
    }

    /// Returns a schema with the objects and arrays of a path around it; null in place of one that is not required is
    /// taken for an absent one.
    private func wrapping(_ schema: JSONSchema, at path: [EnvelopeKey], isRequired: Bool = true) -> JSONSchema {
        path.reversed().reduce(schema) { inner, key in
            switch key {
            case .key(let name):
                JSONSchema(
                    .object([JSONSchema.Property(name, inner, isRequired: isRequired)]),
                    isNullable: !isRequired,
                    origin: inner.origin == .paging ? .paging : .asked
                )
            case .index(let index) where index >= 0:
                JSONSchema(.tuple(Array(repeating: JSONSchema(.any), count: index) + [inner]))
            case .index:
                JSONSchema(.array(inner, hasUniqueElements: false), origin: .inferred("the path counts from the end"))
            }
        }
    }

    private var jsonType: String { acceptedType ?? "application/json" }
}

extension JSONSchema.Origin {
    /// The origin of what only the pagination scheme reads.
    static let paging = Self.inferred("the pagination scheme reads it")
}

extension JSONSchema {
    /// Returns the schema of objects that have the members of both schemas.
    func merging(_ other: JSONSchema) -> JSONSchema {
        guard case .object(var properties) = form, case .object(let others) = other.form else {
            return form == .any ? other : self
        }
        for property in others {
            if let index = properties.firstIndex(where: { $0.key == property.key }) {
                properties[index].schema = properties[index].schema.merging(property.schema)
                properties[index].isRequired = properties[index].isRequired || property.isRequired
            } else {
                properties.append(property)
            }
        }
        var merged = self
        merged.form = .object(properties)
        merged.isNullable = isNullable && other.isNullable
        return merged
    }
}

extension HTTPResponse.StatusSet {
    /// The statuses as OpenAPI writes them: `404`, and `4XX` for a whole class.
    var openAPIKeys: [String] {
        var keys: [String] = []
        for hundred in 1...5 {
            let codes = (hundred * 100...hundred * 100 + 99).filter { contains(HTTPResponse.Status(code: $0)) }
            if codes.count > 20 { keys.append("\(hundred)XX") } else { keys += codes.map(String.init) }
        }
        return keys
    }
}
