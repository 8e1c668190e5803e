import Waybill

/// A writer of OpenAPI documents.
struct OpenAPIWriter {
    private let operations: [DescribedOperation]

    /// The errors of resource operations that cannot be planned.
    private let omitted: [APIError]
    private let definitions: [String: JSONSchema]
    private let secretNames: SecretNameSet
    private let redactor: ExampleRedactor

    /// The JSON Pointer fragment below which definitions are written.
    private let schemasPointer = "#/components/schemas/"

    init(_ operations: [DescribedOperation], omitting omitted: [APIError], _ library: SchemaLibrary) {
        self.operations = operations
        self.omitted = omitted
        secretNames = operations.reduce(into: SecretNameSet.usual) { $0.formUnion($1.plan.secrets.collected) }
        redactor = ExampleRedactor(secretNames, library.definitions)
        definitions = redactor.redacting(library.definitions)
    }

    func document(title: String, version: String, server: String) -> JSONValue {
        // Version 3.2 introduced streams, QUERY and other additional methods.
        let needsVersion32 = operations.contains {
            $0.responses.contains(where: \.isStream) || $0.plan.method == .query || !$0.plan.method.isFixedField
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
            components["schemas"] = .object(definitions.mapValues { $0.json(referencesIn: schemasPointer) })
        }
        let schemes = Dictionary(
            operations.flatMap { $0.plan.credentials.map { ($0.schemeName, $0.securityScheme) } }
        ) { first, _ in first }
        if !schemes.isEmpty { components["securitySchemes"] = .object(schemes) }
        var document: [String: JSONValue] = [
            "openapi": needsVersion32 ? "3.2.0" : "3.1.0",
            "info": info(title: title, version: version),
            "servers": [["url": .string(Redaction.url(text: server, secretNames: secretNames))]],
            "paths": .object(paths),
        ]
        let tags = operations.compactMap(\.tag).uniqued
        if !tags.isEmpty { document["tags"] = .array(tags.map { ["name": .string($0)] }) }
        if !components.isEmpty { document["components"] = .object(components) }
        return .object(document)
    }

    private func info(title: String, version: String) -> JSONValue {
        var members: [String: JSONValue] = ["title": .string(title), "version": .string(version)]
        if !omitted.isEmpty {
            let list = omitted.map { "\n- \($0)" }.joined()
            members["description"] = .string("Operations that cannot be planned are not described:\n\(list)")
        }
        return .object(members)
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
            // All schemes of one security requirement object must be satisfied.
            members["security"] = .array(
                credentials.map { .object(Dictionary($0.map { ($0.schemeName, []) }) { first, _ in first }) }
            )
        }
        return .object(members)
    }

    private func schema(_ schema: JSONSchema) -> JSONValue {
        redactor.redacting(schema).json(referencesIn: schemasPointer)
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

    /// Adds `example` if all examples are equal; otherwise, adds `examples` keyed by call.
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
            if !response.urlFields.isEmpty {
                let field: JSONValue = ["required": true, "schema": ["type": "string", "format": "uri-reference"]]
                entry["headers"] = .object(Dictionary(uniqueKeysWithValues: response.urlFields.map { ($0, field) }))
            }
            for field in response.fields {
                var headers = entry["headers"]?.objectValue ?? [:]
                var header: [String: JSONValue] = ["schema": schema(field.schema)]
                if field.isRequired { header["required"] = true }
                headers[field.name] = .object(header)
                entry["headers"] = .object(headers)
            }
            members[response.status] = .object(entry)
        }
        return .object(members)
    }
}

extension DescribedAPI {
    /// Returns an OpenAPI document that describes the listed calls.
    ///
    /// A call is described by its parameters with types and examples, its body, its response in the envelope, its
    /// problems by status and media type, and the scheme of its credential. The document never contains the credential
    /// itself.
    ///
    /// - Parameters:
    ///   - title: the title of the API.
    ///   - version: the version of the API, in any format.
    /// - Returns: the document. Resource operations that cannot be planned, such as those with conflicting clauses, are
    ///   omitted, and the description in `info` lists their errors.
    /// - Throws: ``APIDescription/Failure`` if a listed endpoint cannot be planned with its example values, if no call
    ///   can be planned, or if a sample is not JSON.
    public func openAPI(title: String, version: String) throws(APIDescription.Failure) -> OpenAPIDocument {
        let calls = calls
        let library = try calls.library()
        let planned = try calls.plannedOperations(in: library)
        let operations = planned.operations.withoutDuplicates
        return OpenAPIDocument(
            json: OpenAPIWriter(operations, omitting: planned.omitted, library).document(
                title: title,
                version: version,
                server: client.scopes.base.url.absoluteString
            )
        )
    }
}

extension APIDescription {
    /// Returns the operations of the listed calls.
    ///
    /// Calls that share a method and a path are all included if their requests or responses differ. An individually
    /// listed endpoint supplies the request of the matching resource operation.
    package func operations(in library: SchemaLibrary) throws(APIDescription.Failure) -> [DescribedOperation] {
        try plannedOperations(in: library).operations.withoutDuplicates
    }
}

extension DescribedOperation {
    /// Whether two operations describe the same call.
    fileprivate func isSameCall(as other: DescribedOperation) -> Bool {
        guard plan.method == other.plan.method, pathTemplate == other.pathTemplate, callName == other.callName,
            operation == other.operation
        else { return false }
        if isGenerated != other.isGenerated, place?.template == other.place?.template {
            // The generated body can lack members of the listed one. Values of different types imply different
            // responses.
            return features.hasSameQueryNames(as: other.features) && content.isCompatible(with: other.content)
        }
        return features.hasSameNames(as: other.features) && body?.schema == other.body?.schema
            && parameters.map(\.identity) == other.parameters.map(\.identity) && shape == other.shape
    }

    /// Returns the operation to keep if two operations describe the same call.
    ///
    /// The request comes from the individually listed call, which describes it in more detail. The name and the
    /// responses come from the generated resource operation.
    fileprivate func replacing(_ other: DescribedOperation) -> DescribedOperation {
        let (listed, generated) = isGenerated ? (other, self) : (self, other)
        guard generated.isGenerated, !listed.isGenerated else { return self }
        var operation = listed
        operation.element = generated.element
        operation.isSingleton = generated.isSingleton
        operation.identifier = generated.identifier
        operation.shape = generated.shape
        operation.isGenerated = true
        return operation
    }
}

extension DescribedOperation.Parameter {
    /// The location and the name.
    fileprivate var identity: [String] { [place.rawValue, name] }
}

extension [DescribedOperation] {
    /// The operations without duplicate calls, each with a unique identifier.
    fileprivate var withoutDuplicates: [DescribedOperation] {
        var operations: [DescribedOperation] = []
        for operation in self {
            if let index = operations.firstIndex(where: { $0.isSameCall(as: operation) }) {
                operations[index] = operation.replacing(operations[index])
            } else {
                operations.append(operation)
            }
        }
        return operations.withUniqueIdentifiers
    }

    fileprivate var withUniqueIdentifiers: [DescribedOperation] {
        var taken: Set<String> = []
        return map { operation in
            var operation = operation
            operation.identifier = taken.insertUnique(operation.identifier)
            return operation
        }
    }
}

extension Authorization.Credential {
    /// The key of the credential's security scheme in a document.
    var schemeName: String {
        switch place {
        case .authorization: scheme.lowercased()
        case .field(let name): "key-in-\(name)"
        case .query(let name): "key-in-query-\(name)"
        }
    }

    /// The OpenAPI security scheme of the credential.
    var securityScheme: JSONValue {
        switch place {
        case .authorization: ["type": "http", "scheme": .string(scheme.lowercased())]
        case .field(let name): ["type": "apiKey", "in": "header", "name": .string(name)]
        case .query(let name): ["type": "apiKey", "in": "query", "name": .string(name)]
        }
    }
}
