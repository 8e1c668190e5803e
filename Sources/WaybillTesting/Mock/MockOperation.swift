import Foundation
import Waybill
import WaybillDescription

/// The part of an operation that a mock server needs: a value that its threads share.
struct MockOperation: Sendable {
    let method: HTTPRequest.Method

    /// The path with `{}` for its values.
    let template: String

    /// The template as a key of responses has it: that of the root is a slash.
    var path: String { template.isEmpty ? "/" : template }

    /// The field of the declared idempotency key; nil if none is declared.
    let keyField: HTTPField.Name?

    /// The operation that goes on after the response; nil if the response is the result.
    let longRunning: LongRunning?

    /// The data of the event that ends a stream; nil if none is declared.
    let endOfEvents: String?

    /// The declared name of the call; nil if it has none.
    let callName: String?

    /// The name of the call in texts.
    let identifier: String
    let operation: On.Operation?

    /// The shape of the responses, as the OpenAPI document of the API has it.
    let shape: ResponseShape

    /// The place of the entities and their ids in requests; nil for an endpoint of its own.
    let place: EntityPlace?

    /// The values of the request that distinguish calls on one path, without generated ones.
    let features: RequestFeatures

    /// The words that each request has; see ``MockSelection``.
    let words: [Part: String]

    /// The names that a request has, and those that only requests for later pages have.
    let names, laterNames: Set<RequestFeatures.Name>

    /// The coding of the entities of the resource; nil for an endpoint of its own.
    let entity: EntityCoding?

    /// The name of the entities, if resources of others have the same path and paths of their own for their
    /// operations; nil for the entities at the path itself.
    var entitiesName: String?

    /// Whether entities of other types are in the collection.
    var sharesCollection = false

    /// The schema of one entity.
    let element: JSONSchema
    let coding: DeclaredCoding

    /// The type of the value of an endpoint of its own, for what is decoded.
    let valueType: Any.Type?

    /// Whether an update of an unknown id creates the entity, because the resource has no other way to create one.
    var createsByUpdate = false

    /// The operation that reads what this one creates: its path and the place of the id.
    var reading: (template: String, place: EntityPlace)?

    private let pattern: PathPattern?

    /// Whether the resource exists once.
    let isSingleton: Bool

    /// The example of a response; empty for a call that reads none.
    let example: MockExample

    /// A body with all of its members, with the keys of the entity; nil if it is not known.
    let sentMembers: JSONValue?

    /// All resources of the API, for members that refer to their entities.
    var resources: [Resource] = []

    /// The schema of the value, without its envelope.
    let value: JSONSchema
    let envelope: [EnvelopeKey]

    /// The member of an entity that is its key, if the list is an object of entities.
    let idKey: String?
    let bodyKeys: [String]

    /// The members that clauses add to the body.
    let addedMembers: [[EnvelopeKey]]
    let body: JSONSchema?
    let bodyType: String?
    let requiresBody: Bool
    let paging: Paginated.Scheme.Kind?

    /// The declared problems, with the schemas of their types.
    let problems: [(rule: ProblemRule, schema: JSONSchema)]
    let schemas: JSONSchema.Document

    /// The path of an entity in an item of a batch.
    let itemPath: [EnvelopeKey]

    init(_ operation: DescribedOperation, in library: SchemaLibrary) {
        method = operation.plan.method
        isSingleton = operation.isSingleton
        template = operation.pathTemplate
        callName = operation.callName
        endOfEvents = operation.plan.settings[Events<Never>.End.self]?.data
        longRunning = operation.plan.settings[LongRunning.self]
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
        itemPath = self.operation?.isBatch ?? false ? settings[WriteResult.ItemProblem.self]?.itemPath ?? [] : []
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
        paging = isList ? settings[Paginated.self]?.scheme.kind : nil
        problems = (settings[ProblemRules.self]?.rules ?? []).map {
            ($0, library.schema(of: $0.extra.type, settings))
        }
        let metadata = (settings[MetadataRules.self]?.elements ?? []).map {
            MockExampleSearch.Part($0.extra.path, library.schema(of: $0.extra.type, settings), $0.extra.type)
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

    /// Returns the values of a request's path; nil if it is not the path of this operation.
    ///
    /// At a stub, the path of the base URL stands before it.
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
