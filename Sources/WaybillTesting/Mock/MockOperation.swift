import Foundation
import Waybill
import WaybillDescription

/// The part of an operation that a mock server needs: a value that its threads share.
struct MockOperation: Sendable {
    /// The content of a response of success.
    enum Content: Sendable {
        case value, text, bytes, events, ignored
    }

    let method: HTTPRequest.Method
    let template: String
    let operation: On.Operation?
    let content: Content
    let isList: Bool

    /// The type of the entities of the resource.
    let element: ObjectIdentifier?

    /// Whether the resource exists once.
    let isSingleton: Bool

    /// The schema of the value, without its envelope.
    let value: JSONSchema
    let envelope: [EnvelopeKey]
    let metadata: [(path: [EnvelopeKey], schema: JSONSchema)]
    let bodyKeys: [String]
    let body: JSONSchema?
    let bodyType: String?
    let paging: Pagination.Kind?
    let problems: [(statuses: StatusSet, path: [EnvelopeKey], type: String, schema: JSONSchema)]
    let schemas: SchemaDocument

    /// The media type of a response of success.
    let mediaType: String

    /// The statuses of success, as OpenAPI writes them.
    private let successes: [String]

    init(_ operation: DescribedOperation, in library: SchemaLibrary) {
        method = operation.method
        element = operation.element
        isSingleton = operation.isSingleton
        template = operation.template
        self.operation = operation.operation
        bodyKeys = operation.bodyKeys
        body = operation.body.map(\.schema)
        bodyType = operation.body?.mediaType
        let settings = operation.settings
        let declared = settings[Envelope.self] ?? .none
        let responses = operation.responses.filter { $0.status.hasPrefix("2") }
        successes = responses.map(\.status)
        mediaType = responses.lazy.compactMap(\.mediaType).first ?? "application/json"
        switch operation.content {
        case .value(let type):
            content = mediaType == "text/plain" ? .text : .value
            isList = Shape.isList(type)
            value = library.schema(of: type, settings)
            envelope = isList ? declared.list : declared.item
        case .events(let type):
            content = .events
            isList = false
            value = library.schema(of: type, settings)
            envelope = []
        case .bytes, .unknown, .ignored:
            if case .bytes = operation.content { content = .bytes } else { content = .ignored }
            isList = false
            value = JSONSchema(.any)
            envelope = []
        }
        metadata = (settings[MetadataRules.self]?.elements ?? []).map {
            ($0.path, library.schema(of: $0.valueType, settings))
        }
        paging = isList ? settings[Paginated.self]?.scheme.kind : nil
        problems = (settings[ProblemRules.self]?.rules ?? []).map {
            ($0.statuses, $0.path, $0.contentTypes.first ?? "application/json", library.schema(of: $0.type, settings))
        }
        schemas = SchemaDocument(definitions: library.definitions)
    }
}

extension MockOperation {
    /// Returns the status of a success: the usual one, unless others are declared.
    func status(_ usual: HTTPResponse.Status) -> HTTPResponse.Status {
        if successes.isEmpty || successes.contains("\(usual.code)") || successes.contains("2XX") { return usual }
        return successes.lazy.compactMap { Int($0) }.first.map { HTTPResponse.Status(code: $0) } ?? usual
    }

    /// Returns a response with a value in the declared envelope, beside the declared metadata.
    func response(
        _ value: JSONValue,
        status: HTTPResponse.Status = 200,
        paging: [(path: [EnvelopeKey], value: JSONValue)] = []
    ) -> StubResponse {
        var document = value.wrapped(at: envelope)
        for (path, schema) in metadata {
            document = document.setting(schemas.example(of: schema), at: path, keeps: true)
        }
        for (path, value) in paging { document = document.setting(value, at: path) }
        return StubResponse(
            status: self.status(status),
            headerFields: [HTTPField(name: .contentType, value: mediaType)],
            body: Data(document.description.utf8)
        )
    }

    /// Returns the declared problem for a status, with a reason where a member may say it.
    func problem(_ status: HTTPResponse.Status, _ reason: String) -> StubResponse {
        guard let rule = problems.first(where: { $0.statuses.contains(status) }) else {
            return StubResponse(
                status: status,
                headerFields: [HTTPField(name: .contentType, value: "text/plain; charset=utf-8")],
                body: Data(reason.utf8)
            )
        }
        var value = schemas.example(of: rule.schema)
        for key in ["detail", "message", "title", "error"] where value[key]?.stringValue != nil {
            value = value.setting(.string(reason), at: [.key(key)])
            break
        }
        if value["status"]?.intValue != nil { value = value.setting(.integer(status.code), at: ["status"]) }
        return StubResponse(
            status: status,
            headerFields: [HTTPField(name: .contentType, value: rule.type)],
            body: Data(value.wrapped(at: rule.path).description.utf8)
        )
    }
}

extension JSONValue {
    /// The value with the objects and arrays of a path around it.
    func wrapped(at path: [EnvelopeKey]) -> JSONValue {
        path.reversed().reduce(self) { inner, key in
            switch key {
            case .key(let name): [name: inner]
            case .index(let index): .array(Array(repeating: .null, count: max(index, 0)) + [inner])
            }
        }
    }

    /// Returns the document with a value at a path; objects on the way are made.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - path: the path.
    ///   - keeps: whether members that are there already stay.
    /// - Returns: the document.
    func setting(_ value: JSONValue, at path: [EnvelopeKey], keeps: Bool = false) -> JSONValue {
        guard let first = path.first else {
            guard keeps, let own = objectValue, let new = value.objectValue else {
                return keeps && !isNull ? self : value
            }
            return .object(own.merging(new) { old, _ in old })
        }
        let rest = Array(path.dropFirst())
        switch first {
        case .key(let name):
            var members = objectValue ?? [:]
            members[name] = (members[name] ?? .null).setting(value, at: rest, keeps: keeps)
            return .object(members)
        case .index(let index):
            var elements = arrayValue ?? []
            guard index >= 0 else { return self }
            while elements.count <= index { elements.append(.null) }
            elements[index] = elements[index].setting(value, at: rest, keeps: keeps)
            return .array(elements)
        }
    }
}
