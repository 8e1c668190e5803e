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
        // Streams, QUERY and methods of other names came with this version.
        let isNew = operations.contains {
            $0.responses.contains(where: \.isStream) || $0.method == .query || !$0.method.isFixedField
        }
        var paths: [String: JSONValue] = [:]
        for operation in MergedOperation.all(operations) {
            var methods = paths[operation.path]?.objectValue ?? [:]
            if operation.method.isFixedField {
                methods["\(operation.method)".lowercased()] = self.operation(operation)
            } else {
                var others = methods["additionalOperations"]?.objectValue ?? [:]
                others["\(operation.method)"] = self.operation(operation)
                methods["additionalOperations"] = .object(others)
            }
            paths[operation.path] = .object(methods)
        }
        var components: [String: JSONValue] = [:]
        if !definitions.isEmpty {
            components["schemas"] = .object(definitions.mapValues { $0.json(referencesIn: place) })
        }
        let schemes = Dictionary(
            operations.flatMap { $0.credentials.map { ($0.schemeName, $0.securityScheme) } }
        ) { first, _ in first }
        if !schemes.isEmpty { components["securitySchemes"] = .object(schemes) }
        var document: [String: JSONValue] = [
            "openapi": isNew ? "3.2.0" : "3.1.0",
            "info": ["title": .string(title), "version": .string(version)],
            "servers": [["url": .string(Redaction.url(text: server, secretNames: secretNames))]],
            "paths": .object(paths),
        ]
        let tags = operations.compactMap(\.tag).uniqued
        if !tags.isEmpty { document["tags"] = .array(tags.map { ["name": .string($0)] }) }
        if !components.isEmpty { document["components"] = .object(components) }
        return .object(document)
    }

    private func operation(_ operation: MergedOperation) -> JSONValue {
        var members: [String: JSONValue] = [
            "operationId": .string(operation.calls[0].identifier),
            "responses": responses(operation.responses),
        ]
        if let summary = operation.summary { members["description"] = .string(summary) }
        if !operation.tags.isEmpty { members["tags"] = .array(operation.tags.map(JSONValue.string)) }
        let parameters = operation.parameters
        if !parameters.isEmpty { members["parameters"] = .array(parameters.map { parameter($0, examples: $1) }) }
        let bodies = operation.bodies
        if !bodies.isEmpty {
            let content = bodies.map { ($0.body.mediaType, self.content($0.body, examples: $0.examples)) }
            var body: [String: JSONValue] = ["content": .object(Dictionary(content) { first, _ in first })]
            if operation.requiresBody { body["required"] = true }
            members["requestBody"] = .object(body)
        }
        let credentials = operation.credentials
        if credentials.contains(where: { !$0.isEmpty }) {
            // The schemes of one object are all needed.
            members["security"] = .array(
                credentials.map { .object(Dictionary($0.map { ($0.schemeName, []) }) { first, _ in first }) }
            )
        }
        return .object(members)
    }

    private func schema(_ schema: JSONSchema) -> JSONValue {
        secrets.removed(from: schema).json(referencesIn: place)
    }

    private func parameter(_ parameter: DescribedOperation.Parameter, examples: [String: JSONValue]) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(parameter.name),
            "in": .string(parameter.place.rawValue),
            "schema": schema(parameter.schema),
        ]
        if parameter.isRequired { members["required"] = true }
        if !parameter.isExploded { members["explode"] = false }
        add(examples, to: &members)
        return .object(members)
    }

    private func content(_ body: DescribedOperation.Body, examples: [String: JSONValue]) -> JSONValue {
        var content: [String: JSONValue] = ["schema": schema(body.schema)]
        add(examples, to: &content)
        if !body.parts.isEmpty {
            content["encoding"] = .object(body.parts.mapValues { ["contentType": .string($0)] })
        }
        return .object(content)
    }

    /// Adds the example of all calls, or the examples by the names of their calls.
    private func add(_ examples: [String: JSONValue], to members: inout [String: JSONValue]) {
        let values = Array(examples.values).uniqued
        if values.count > 1 {
            members["examples"] = .object(examples.mapValues { ["value": $0] })
        } else if let value = values.first {
            members["example"] = value
        }
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
