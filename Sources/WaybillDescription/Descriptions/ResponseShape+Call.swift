import Waybill
import WaybillOperations
import WaybillTransfers

extension ResponseShape {
    /// Creates the shape of a call's responses.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - outline: the request of the call.
    ///   - probe: the probe for the call's decoder.
    init(_ call: DescribedCall, _ outline: RequestOutline, _ probe: TypeProbe) {
        self = ResponseSchemas(call, outline, probe).shape
    }
}

/// The response schemas of a call: its value in the envelope, and its problems.
private struct ResponseSchemas {
    private let call: DescribedCall
    private let settings: Scope.Settings
    private let probe: TypeProbe

    /// The only media type accepted by the call; nil if it accepts several.
    private let acceptedType: String?

    /// Whether the app declares the accepted media type.
    private let declaresAccept: Bool

    /// The resource operation; nil for an endpoint outside a resource.
    private let operation: On.Operation?

    /// The source of the entity returned by a write.
    private let writeResult: WriteResult.Source

    /// The values accepted in place of a list.
    private let missingList: Envelope.MissingList

    init(_ call: DescribedCall, _ outline: RequestOutline, _ probe: TypeProbe) {
        self.call = call
        self.probe = probe
        settings = outline.plan.settings
        operation = call.operation ?? outline.operation
        let accepted = outline.headerFields[.accept].map { MediaType($0).essence }
        acceptedType = accepted.flatMap { $0.contains("*") || $0.contains(",") ? nil : $0 }
        declaresAccept =
            acceptedType != nil
            && outline.plan.scopes.contains { scope in
                // The outermost scope contains the library's own defaults.
                scope.name != outline.plan.scopes.first?.name && scope.headerFields.contains { $0.name == .accept }
            }
        writeResult = outline.plan.write == nil ? .response : settings[WriteResult.self]?.source ?? .response
        missingList = outline.plan.missingList
    }

    var shape: ResponseShape {
        let form = form
        let declared = settings[Success.self]?.statuses.openAPIKeys
        var shape = ResponseShape(
            statuses: declared ?? defaultStatuses,
            declaresStatuses: declared != nil,
            form: form,
            extent: form == .none ? .whole : extent,
            mediaType: mediaType(of: form),
            declaresMediaType: declaresAccept,
            schema: schema(of: form),
            acceptsEmptyBody: acceptsEmptyBody,
            accepted: settings.operation.map(accepted),
            problems: (settings[ProblemRules.self]?.rules ?? []).map(problem)
        )
        if case .id(let path) = shape.extent { shape.schema = wrapping(JSONSchema(.any), at: path) }
        shape.equivalents = (settings[ProblemRules.self]?.equivalents ?? []).flatMap { equivalent in
            equivalent.statuses.openAPIKeys.map { .init(status: $0, meaning: equivalent.status) }
        }
        if form == .events { shape.otherMediaTypes = Array(eventTypes.dropFirst()) }
        if shape.extent == .partial { shape.partialSchema = partialSchema }
        for field in settings[MetadataRules.self]?.fieldValues ?? []
        where !shape.fields.contains(where: { $0.name.lowercased() == field.name.lowercased() }) {
            let schema = probe.schema(of: field.type)
            shape.fields.append(.init(name: field.name, schema: schema, isRequired: field.isRequired))
        }
        return shape
    }

    private var defaultStatuses: [String] {
        switch (call.operation, call.content) {
        case (.create?, _), (.createBatch?, _): ["201"]
        case (.upsert?, _): ["200", "201"]
        case (_, .ignored): ["204"]
        default: ["200"]
        }
    }

    private var form: ResponseShape.Form {
        switch call.content {
        case .ignored: return .none
        case .bytes: return .bytes
        case .events: return .events
        case .unknown: return .value
        case .value(let type):
            let isText = type == String.self || type == String?.self
            if isText, (settings[Envelope.self] ?? .none).item.isEmpty { return .text }
            guard Shape.isList(type), operation == nil || operation == .list else { return .value }
            let form = settings[Decode.StreamFormat.self]?.form ?? Decode.StreamFormat.Form(acceptedType)
            return form == .array ? .value : .sequence(form)
        }
    }

    private var extent: ResponseShape.Extent {
        switch writeResult {
        case .response: .whole
        case .merged: .partial
        case .sent: .wholeOrNothing
        case .reread: idPath.map { .id(at: $0) } ?? .unread
        }
    }

    /// The path of the id in the response to a create; nil if the response is not read.
    private var idPath: [EnvelopeKey]? {
        guard case .create? = operation else { return nil }
        return settings[WriteResult.self]?.idPath
    }

    private var acceptsEmptyBody: Bool {
        guard case .value(let type) = call.content else { return true }
        return type is any ExpressibleByNilLiteral.Type
    }

    /// The media types of events, declared ones first.
    private var eventTypes: [String] {
        let declared = settings[Events<Never>.MediaTypes.self]?.types ?? []
        return declared.map { MediaType($0).essence } + ["text/event-stream"]
    }

    private func mediaType(of form: ResponseShape.Form) -> String? {
        let declared = declaresAccept ? acceptedType : nil
        switch form {
        case .none: return nil
        case .value: return acceptedType ?? "application/json"
        case .text: return declared ?? "text/plain"
        case .bytes: return declared ?? "application/octet-stream"
        case .events: return eventTypes.first
        case .sequence(.jsonLines): return declared ?? "application/jsonl"
        case .sequence(.jsonTextSequence): return declared ?? "application/json-seq"
        // Concatenated JSON has no registered media type.
        case .sequence: return declared ?? "application/json"
        }
    }

    private func schema(of form: ResponseShape.Form) -> JSONSchema? {
        switch (form, call.content) {
        case (.text, _): JSONSchema(.string(format: nil))
        case (.sequence, .value(let type)): element(of: probe.schema(of: type))
        case (_, .value(let type)): schema(of: type, probe.schema(of: type))
        case (_, .events(let type)): eventSchema(probe.schema(of: type))
        case (_, .unknown(let name)): .unknown("\(name) is not Decodable")
        case (_, .bytes), (_, .ignored): nil
        }
    }

    /// The schema of a response with some of the entity's members, to be merged into the sent ones.
    private var partialSchema: JSONSchema? {
        guard case .value(let type) = call.content else { return nil }
        return schema(of: type, partial(probe.schema(of: type), open: []))
    }

    private func element(of list: JSONSchema) -> JSONSchema {
        let whole = JSONSchema.Document(root: list, definitions: probe.definitions)
        return if case .array(let element, _)? = whole.resolving(list)?.form { element } else { list }
    }

    /// Returns the schema with all members optional.
    private func partial(_ schema: JSONSchema, open: Set<String>) -> JSONSchema {
        var open = open
        if case .reference(let name) = schema.form, !open.insert(name).inserted { return schema }
        let whole = JSONSchema.Document(root: schema, definitions: probe.definitions)
        var partial = whole.resolving(schema) ?? schema
        switch partial.form {
        case .object(let properties):
            partial.form = .object(
                properties.map { JSONSchema.Property($0.key, self.partial($0.schema, open: open), isRequired: false) }
            )
        case .array(let element, let isUnique):
            partial.form = .array(self.partial(element, open: open), hasUniqueElements: isUnique)
        // Other forms are not merged member by member.
        default: return schema
        }
        return partial
    }

    private func problem(_ rule: ProblemRule) -> ResponseShape.Problem {
        ResponseShape.Problem(
            statuses: rule.statuses.openAPIKeys,
            mediaTypes: rule.contentTypes,
            schema: wrapping(probe.schema(of: rule.extra.type), at: rule.extra.path),
            isText: rule.text != nil
        )
    }

    /// Returns the response that reports the start of a long-running operation and the location of its status.
    private func accepted(_ clause: LongRunning) -> DescribedOperation.Response {
        let description = "The operation has started; its status URL is at \(clause.location)"
        var response = DescribedOperation.Response(status: "202", description: description)
        switch clause.location.form {
        case .fields(let names): response.urlFields = Array(names.prefix(1))
        case .member(let path):
            response.mediaType = acceptedType ?? "application/json"
            response.schema = wrapping(JSONSchema(.string(format: "uri-reference")), at: path)
        case .path(let path, _):
            response.description = "The operation has started; its id is at \(clause.location)"
            response.mediaType = acceptedType ?? "application/json"
            response.schema = wrapping(JSONSchema(.any), at: path)
        }
        return response
    }

    /// Returns the schema of an event and its fields (OpenAPI 3.2), given the schema of its data.
    private func eventSchema(_ data: JSONSchema) -> JSONSchema {
        JSONSchema(
            .object([
                JSONSchema.Property("data", data, isRequired: true),
                JSONSchema.Property("event", JSONSchema(.string(format: nil)), isRequired: false),
                JSONSchema.Property("id", JSONSchema(.string(format: nil)), isRequired: false),
            ])
        )
    }

    /// Returns the schema of a body: a value in its envelope, with metadata and pagination fields.
    private func schema(of type: any Decodable.Type, _ value: JSONSchema) -> JSONSchema {
        let envelope = settings[Envelope.self] ?? .none
        let isList = Shape.isList(type)
        var value = addingItemProblem(to: value)
        if let idKey = envelope.idKey {
            let hasIDInPath = operation.map { [.read, .update, .upsert, .patch].contains($0) } ?? false
            value = isList ? keyed(value, by: idKey) : hasIDInPath ? makingOptional(idKey, in: value) : value
        }
        let canBeMissing = isList && missingList.contains(.isEmpty)
        if isList, missingList.contains(.isOneItem) { value = allowingSingleItem(value) }
        if canBeMissing { value.isNullable = true }
        var schema = wrapping(value, at: isList ? envelope.list : envelope.item, isRequired: !canBeMissing)
        for value in settings[MetadataRules.self]?.bodyValues ?? [] {
            // Without an envelope, one object contains both the entity and the metadata.
            schema = resolved(schema).merging(
                wrapping(probe.schema(of: value.type), at: value.path, isRequired: value.isRequired)
            )
        }
        guard isList, let scheme = settings[Paginated.self]?.scheme else { return schema }
        for path in scheme.reads where !path.isEmpty {
            schema = schema.merging(wrapping(JSONSchema(.any, origin: .paging), at: path, isRequired: false))
        }
        return schema
    }

    private func resolved(_ schema: JSONSchema) -> JSONSchema {
        JSONSchema.Document(root: schema, definitions: probe.definitions).resolving(schema) ?? schema
    }

    /// Returns the schema of a batch's response, whose items can be problems.
    private func addingItemProblem(to list: JSONSchema) -> JSONSchema {
        guard let rule = settings[WriteResult.ItemProblem.self]?.rule, operation?.isBatch ?? false,
            case .array(let entity, let isUnique) = list.form
        else { return list }
        let problem = wrapping(probe.schema(of: rule.extra.type), at: rule.extra.path)
        let item = wrapping(entity, at: rule.itemPath).union(problem)
        return JSONSchema(.array(item, hasUniqueElements: isUnique), isNullable: list.isNullable)
    }

    /// Returns the schema of an object of entities keyed by id, in which the id can be missing from the entity.
    private func keyed(_ list: JSONSchema, by idKey: String) -> JSONSchema {
        guard case .array(let entity, _) = list.form else { return list }
        return JSONSchema(.dictionary(makingOptional(idKey, in: entity), keys: nil), isNullable: list.isNullable)
    }

    /// Returns the schema of an entity with an optional id, because the id is also a key of the list or in the path.
    private func makingOptional(_ idKey: String, in entity: JSONSchema) -> JSONSchema {
        var element = entity
        let whole = JSONSchema.Document(root: entity, definitions: probe.definitions)
        if case .object(var properties)? = whole.resolving(entity)?.form {
            for index in properties.indices where properties[index].key == idKey {
                properties[index].isRequired = false
            }
            element.form = .object(properties)
        }
        return element
    }

    /// Returns the schema of a list, or of a single item in place of the list.
    private func allowingSingleItem(_ list: JSONSchema) -> JSONSchema {
        let item = element(of: list)
        guard item != list else { return list }
        var array = list
        array.isNullable = false
        return JSONSchema(.anyOf([array, item]), isNullable: list.isNullable)
    }

    /// Wraps a schema in the objects and arrays of a path.
    ///
    /// For an optional member, `null` counts as absent.
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
                JSONSchema(
                    .array(inner, hasUniqueElements: false),
                    origin: .inferred("the path has an index from the end")
                )
            }
        }
    }
}

extension JSONSchema.Origin {
    /// The origin of members read only by the pagination scheme.
    static let paging = Self.inferred("the pagination scheme reads it")
}

extension JSONSchema {
    /// Returns the schema of an object with the members of both schemas.
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
