import Waybill
import WaybillSystem

extension DescribedOperation {
    /// Creates the operation of a call.
    ///
    /// - Throws: ``APIError/request(_:)`` if the call cannot be planned.
    init(_ call: DescribedCall, in library: SchemaLibrary) throws(APIError) {
        let outline = try call.outline.get()
        plan = outline.plan
        let route = outline.path ?? Route.Path(pieces: [])
        let namedPath = NamedPath(route)
        let probe = library.probe(for: plan.settings)
        path = "/" + namedPath.path
        isAtURL = outline.path == nil
        // Operations are tagged with the first literal segment of their path.
        tag = namedPath.words.first
        parameters = namedPath.parameters
        // A batch returns a list without pages, as does a POST whose pagination is declared only by the client.
        let declaresPaging = plan.innerScopes.contains { $0.settings[Paginated.self] != nil }
        let isList = call.operation.map { $0 == .list } ?? (plan.method.isSafe || declaresPaging)
        let isPaged = call.content.isList && isList
        let pages = isPaged ? plan.settings[Paginated.self]?.scheme.map { PageRequests($0) } : nil
        parameters += Self.queryParameters(outline)
        parameters += Self.headerParameters(outline)
        for page in pages?.parameters ?? [] where !parameters.contains(where: page.isSameParameter) {
            parameters.append(page)
        }
        let redactor = ExampleRedactor(plan.secrets.collected)
        for index in parameters.indices {
            parameters[index].example = redactor.redacting(parameters[index].example, named: parameters[index].name)
        }
        body =
            call.unknownBody.map { Body(unknown: $0, outline) } ?? Body(outline, type: call.requestType, probe)
        if let pages {
            let redactor = ExampleRedactor(plan.secrets.collected, probe.definitions)
            body = pages.body(body, redactor, JSONSchema.Document(definitions: probe.definitions))
        }
        shape = ResponseShape(call, outline, probe)
        responses = shape.responses
        element = call.element
        isSingleton = call.isSingleton
        isGenerated = call.operation != nil
        operation = call.operation ?? outline.operation
        pathTemplate = ResolvedPath(route).template
        features = RequestFeatures(outline, example: body?.example, isBatch: operation?.isBatch ?? false)
        place = operation == nil ? nil : EntityPlace(outline)
        content = call.content
        identifier = Self.identifier(of: call, plan, path: namedPath.words)
    }

    private static func identifier(of call: DescribedCall, _ plan: Call.Plan, path words: [String]) -> String {
        if let name = plan.settings[Call.Name.self]?.name { return name }
        let verb = call.operation?.rawValue ?? "\(plan.method)".lowercased()
        return (words + [verb]).joined(separator: ".")
    }

    private static func queryParameters(_ outline: RequestOutline) -> [Parameter] {
        var parameters: [Parameter] = []
        var elements: [String: Int] = [:]
        for item in outline.query where !item.standsForID {
            let isSecret = item.isSecret || outline.plan.secretNames.contains(item.name)
            let scalar =
                item.declared.map { JSONSchema(ofText: $0.type, example: item.pieces?.first) }
                ?? JSONSchema(.string(format: nil))
            let isArray = item.arrayStyle != nil && item.arrayStyle != .indexed
            let values = (item.pieces ?? []).map { scalar.value(ofText: $0) }
            // Items with the same name are the elements of an array.
            if let index = elements[item.name] {
                if let elements = parameters[index].example?.arrayValue {
                    parameters[index].example = .array(elements + values)
                }
                continue
            }
            elements[item.name] = parameters.count
            let schema = isArray ? JSONSchema(.array(scalar, hasUniqueElements: false)) : scalar
            let isID = item.declared?.isID ?? false
            var parameter = Parameter(name: item.name, place: .query, schema: schema, isRequired: isID)
            parameter.isExploded = item.arrayStyle != .commaSeparated
            if !isSecret { parameter.example = isArray ? .array(values) : values.first }
            parameters.append(parameter)
        }
        return parameters
    }

    private static func headerParameters(_ outline: RequestOutline) -> [Parameter] {
        // OpenAPI describes these fields elsewhere (version 3.1, section 4.8.12.1).
        let others: Set<HTTPField.Name> = [.accept, .contentType, .authorization]
        var seen = others
        var fields = outline.headerFields.compactMap { field -> Parameter? in
            guard seen.insert(field.name).inserted else { return nil }
            let isSecret = outline.plan.secretNames.contains(field.name)
            return Parameter(
                name: field.name.rawName,
                place: .header,
                schema: JSONSchema(.string(format: nil)),
                isRequired: false,
                example: isSecret ? JSONValue?.none : .string(field.value)
            )
        }
        // There is no example, because each call has a different key.
        if let name = outline.plan.settings[IdempotencyKey.self]?.name, !outline.plan.method.isIdempotent,
            seen.insert(name).inserted
        {
            let schema = JSONSchema(.string(format: nil))
            fields.append(Parameter(name: name.rawName, place: .header, schema: schema, isRequired: false))
        }
        return fields
    }
}

extension On.Operation {
    /// Whether the operation sends several entities in one request.
    package var isBatch: Bool { self == .createBatch || self == .updateBatch }

    /// Whether the operation requires an id.
    package var requiresID: Bool {
        switch self {
        case .read, .update, .upsert, .patch, .delete: true
        case .list, .create, .createBatch, .updateBatch: false
        }
    }
}
