import Waybill

/// Writes operations as an OpenAPI document.
struct OpenAPIWriter {
    private let operations: [DescribedOperation]
    private let definitions: [String: JSONSchema]
    private let secretNames: SecretNameSet
    private let secrets: SecretExamples
    private let place = "#/components/schemas/"

    init(_ operations: [DescribedOperation], _ library: SchemaLibrary) {
        self.operations = operations
        secretNames = operations.reduce(into: SecretNameSet.usual) { $0.formUnion($1.secretNames) }
        secrets = SecretExamples(secretNames, library.definitions)
        definitions = secrets.removed(from: library.definitions)
    }

    func document(title: String, version: String, server: String) -> JSONValue {
        let streams = operations.contains { $0.responses.contains(where: \.isStream) }
        var paths: [String: JSONValue] = [:]
        for operation in operations.joiningBatches {
            var methods = paths[operation.path]?.objectValue ?? [:]
            methods["\(operation.method)".lowercased()] = self.operation(operation)
            paths[operation.path] = .object(methods)
        }
        var components: [String: JSONValue] = [:]
        if !definitions.isEmpty {
            components["schemas"] = .object(definitions.mapValues { $0.json(referencesIn: place) })
        }
        let schemes = Dictionary(
            operations.compactMap { $0.credential.map { ($0.schemeName, $0.securityScheme) } }
        ) { first, _ in first }
        if !schemes.isEmpty { components["securitySchemes"] = .object(schemes) }
        var document: [String: JSONValue] = [
            "openapi": streams ? "3.2.0" : "3.1.0",
            "info": ["title": .string(title), "version": .string(version)],
            "servers": [["url": .string(Redaction.url(text: server, secretNames: secretNames))]],
            "paths": .object(paths),
        ]
        let tags = operations.compactMap(\.tag).uniqued
        if !tags.isEmpty { document["tags"] = .array(tags.map { ["name": .string($0)] }) }
        if !components.isEmpty { document["components"] = .object(components) }
        return .object(document)
    }

    private func operation(_ operation: DescribedOperation) -> JSONValue {
        var members: [String: JSONValue] = [
            "operationId": .string(operation.identifier),
            "responses": responses(operation.responses),
        ]
        if let tag = operation.tag { members["tags"] = [.string(tag)] }
        if !operation.parameters.isEmpty { members["parameters"] = .array(operation.parameters.map(parameter)) }
        if let body = operation.body { members["requestBody"] = requestBody(body) }
        if let credential = operation.credential {
            members["security"] = [.object([credential.schemeName: []])]
        }
        return .object(members)
    }

    private func schema(_ schema: JSONSchema) -> JSONValue {
        secrets.removed(from: schema).json(referencesIn: place)
    }

    private func parameter(_ parameter: DescribedOperation.Parameter) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(parameter.name),
            "in": .string(parameter.place.rawValue),
            "schema": schema(parameter.schema),
        ]
        if parameter.isRequired { members["required"] = true }
        if !parameter.isExploded { members["explode"] = false }
        if let example = parameter.example { members["example"] = example }
        return .object(members)
    }

    private func requestBody(_ body: DescribedOperation.Body) -> JSONValue {
        var content: [String: JSONValue] = ["schema": schema(body.schema)]
        if let example = body.example { content["example"] = example }
        if !body.parts.isEmpty {
            content["encoding"] = .object(body.parts.mapValues { ["contentType": .string($0)] })
        }
        return ["required": true, "content": .object([body.mediaType: .object(content)])]
    }

    private func responses(_ responses: [DescribedOperation.Response]) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for response in responses {
            var entry = members[response.status]?.objectValue ?? ["description": .string(response.description)]
            if let mediaType = response.mediaType {
                var content = entry["content"]?.objectValue ?? [:]
                var media: [String: JSONValue] = [:]
                if let schema = response.schema {
                    media[response.isStream ? "itemSchema" : "schema"] = self.schema(schema)
                }
                content[mediaType] = .object(media)
                entry["content"] = .object(content)
            }
            members[response.status] = .object(entry)
        }
        return .object(members)
    }
}
