import Foundation
import Waybill
import WaybillDescription
import WaybillOperations
import WaybillTransfers

/// The properties of an operation that a mock server needs.
struct MockOperation: Sendable {
    let method: HTTPRequest.Method

    /// The path template, with `{}` in place of values.
    let template: String

    /// The template as it appears in the keys of ``StubResponses``; `/` for the root.
    var path: String { template.isEmpty ? "/" : template }

    /// The header field of the idempotency key; nil if none is declared or if the method is idempotent.
    let keyField: HTTPField.Name?

    /// The declaration of a long-running operation; nil if the response is the result.
    let longRunning: LongRunning?

    /// The mark of the event that ends a stream; nil if none is declared.
    let endOfEvents: Events<Never>.End.Mark?

    /// The mark of the last element of a sequence; nil if none is declared.
    let endOfElements: Decode.StreamFormat.End?

    /// The origin of links in responses: an internal one for `Route.Links` to replace; otherwise empty.
    let linkOrigin: String

    /// The declared name of the call; nil if it has none.
    let callName: String?

    /// The name of the call in messages.
    let identifier: String
    let operation: On.Operation?

    /// The shape of the responses, as in the API's OpenAPI document.
    let shape: ResponseShape

    /// The location of the entities and their ids in requests; nil for a standalone endpoint.
    let place: EntityPlace?

    /// The values in requests that distinguish calls on the same path, except generated ones.
    let features: RequestFeatures

    /// The words in every request; see ``MockSelection``.
    let words: [Part: String]

    /// The names used in requests, and those used only in requests for later pages.
    let names, laterNames: Set<RequestFeatures.Name>

    /// The coding of the resource's entities; nil for a standalone endpoint.
    let entity: EntityCoding?

    /// The name of the entities if they have a separate collection at a path that several resources share; otherwise
    /// nil.
    var entitiesName: String?

    /// Whether the collection also contains entities of other types.
    var sharesCollection = false

    /// The schema of one entity.
    let element: JSONSchema
    let coding: DeclaredCoding

    /// The type of the response value; nil if it is unknown, or for bytes and events.
    let valueType: Any.Type?

    /// Whether the operation creates an entity with an unknown id: an upsert, or an update of a resource that also has
    /// an upsert or has no create.
    var createsByUpdate = false

    /// The template and entity location of the read operation for the same entities.
    var reading: (template: String, place: EntityPlace)?

    private let pattern: PathPattern?

    /// Whether the resource is a singleton.
    let isSingleton: Bool

    /// The example of the response.
    let example: MockExample

    /// An example of a complete request body, with the keys of the entity; nil if it is unknown.
    let sentMembers: JSONValue?

    /// All resources of the API, for members that refer to their entities.
    var resources: [Resource] = []

    /// The schema of the value, without its envelope.
    let value: JSONSchema
    let envelope: [EnvelopeKey]

    /// The entity member used as the key if the list is an object of entities; otherwise nil.
    let idKey: String?
    let bodyKeys: [String]

    /// The members that clauses add to the body.
    let addedMembers: [[EnvelopeKey]]
    let body: JSONSchema?
    let bodyType: String?
    let requiresBody: Bool
    let paging: Paginated.Scheme?

    /// The declared problems and the schemas of their types.
    let problems: [(rule: ProblemRule, schema: JSONSchema)]
    let schemas: JSONSchema.Document

    /// The path of the entity within an item of a batch.
    let itemPath: [EnvelopeKey]

    init(_ operation: DescribedOperation, in library: SchemaLibrary) {
        method = operation.plan.method
        isSingleton = operation.isSingleton
        template = operation.pathTemplate
        callName = operation.callName
        endOfEvents = operation.plan.settings.eventStreamEnd?.mark
        endOfElements = operation.plan.settings[Decode.StreamFormat.self]?.end
        linkOrigin = operation.plan.settings[Route.Links.self]?.target == .baseOrigin ? "http://internal.invalid" : ""
        longRunning = operation.plan.settings.operation
        keyField = operation.plan.method.isIdempotent ? nil : operation.plan.settings[IdempotencyKey.self]?.name
        identifier = operation.identifier
        place = operation.place
        features = operation.isGenerated ? operation.features.withoutGeneratedMembers(operation) : operation.features
        words = Self.words(of: operation)
        (names, laterNames) = Self.names(of: operation)
        pattern = try? PathPattern(operation.pathTemplate)
        coding = DeclaredCoding(operation.plan.settings)
        self.operation = operation.operation
        bodyKeys = operation.plan.bodyKeys
        addedMembers = (operation.plan.settings[BodyMembers.self]?.members ?? []).map(\.path)
        body = operation.body.map(\.schema)
        bodyType = operation.body?.mediaType
        requiresBody = operation.body?.isRequired ?? false
        let settings = operation.plan.settings
        let declared = settings[Envelope.self] ?? .none
        shape = operation.shape
        let isList = operation.content.isList
        idKey = isList ? declared.idKey : nil
        itemPath = self.operation?.isBatch ?? false ? settings[WriteResult.ItemProblem.self]?.rule?.itemPath ?? [] : []
        switch operation.content {
        case .value(let type):
            value = library.schema(of: type, settings)
            valueType = type
            envelope = isList ? declared.list : declared.item
        case .events(let type):
            value = library.schema(of: type, settings)
            (valueType, envelope) = (nil, [])
        case .unknown: (value, valueType, envelope) = (shape.schema ?? JSONSchema(.any), nil, [])
        case .bytes, .ignored: (value, valueType, envelope) = (JSONSchema(.any), nil, [])
        }
        schemas = JSONSchema.Document(definitions: library.definitions)
        if operation.operation != nil, let type = operation.element as? any Decodable.Type {
            element = library.schema(of: type, settings)
            let schemas = JSONSchema.Document(definitions: library.definitions)
            entity = EntityCoding(type, example: schemas.example(of: element), decoder: coding.decoder)
        } else {
            element = value
            entity = nil
        }
        paging = isList ? settings[Paginated.self]?.scheme : nil
        problems = (settings[ProblemRules.self]?.rules ?? []).map {
            ($0, library.schema(of: $0.extra.type, settings))
        }
        let metadata = (settings[MetadataRules.self]?.bodyValues ?? []).map {
            MockExampleSearch.Part($0.path, library.schema(of: $0.type, settings), $0.type)
        }
        example =
            MockExampleSearch(
                value: MockExampleSearch.Part(envelope, value, valueType),
                metadata: metadata,
                problems: problems.filter { $0.rule.mayApply(to: operation.shape) },
                schemas: schemas,
                decoder: coding.decoder,
                isSequence: operation.shape.isSequence
            ).example
        sentMembers = coding.members(sentBy: operation, to: element, in: schemas)
    }

    /// Returns the values in a request's path, or nil if the path does not match this operation.
    ///
    /// In a stub, the path may begin with the path of the base URL.
    func pathValues(_ request: ReceivedRequest) -> [String]? {
        guard let pattern else { return nil }
        if template.isEmpty { return [] }
        let segments = PathPattern.segments(of: request.path)
        guard segments.count >= pattern.segments.count else { return nil }
        for start in 0...(segments.count - pattern.segments.count) {
            if let values = pattern.values(in: Array(segments[start...])) { return values }
        }
        return nil
    }
}
