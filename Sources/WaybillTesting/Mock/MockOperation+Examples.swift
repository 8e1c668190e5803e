import Foundation
import Waybill
import WaybillDescription

extension MockOperation {
    /// A resource of the API.
    struct Resource: Sendable {
        let element: JSONSchema
        let template: String
        let entitiesName: String?

        /// Whether a collection belongs to the resource.
        func holds(_ key: MockStore.Key) -> Bool {
            let own = template.split(separator: "/")
            let path = key.path.split(separator: "/")
            return key.entities == entitiesName && own.count == path.count
                && zip(own, path).allSatisfy { own, sent in
                    own.contains("{") || PercentEncoding.encode(own.removingPercentEncoding ?? String(own)) == sent
                }
        }
    }

    /// The resource of the operation; nil for a standalone endpoint.
    var resource: Resource? {
        guard entity != nil, let place else { return nil }
        return Resource(element: element, template: place.template, entitiesName: entitiesName)
    }

    /// An example of the value.
    var valueExample: JSONValue { example.value }

    /// An example of an entity.
    var elementExample: JSONValue {
        if let values = example.value.arrayValue { return values.first ?? schemas.example(of: element) }
        return example.value.isNull ? schemas.example(of: element) : example.value
    }

    /// Returns a sent value with its keys and scalars converted to those that the declared decoder reads.
    func adapted(_ value: JSONValue) -> JSONValue {
        coding.adapted(value, to: element, in: schemas, isChange: operation == .patch || operation == .updateBatch)
    }

    /// Whether request bodies are forms.
    var readsForm: Bool { bodyType.map { MediaType($0) } == .form }

    /// Returns an empty value for the schema of an array or dictionary, or nil for any other schema.
    func empty(_ schema: JSONSchema) -> JSONValue? {
        switch schemas.resolving(schema)?.form {
        case .array: []
        case .dictionary: [:]
        default: nil
        }
    }
}

extension DeclaredCoding {
    /// Returns an example of a complete request body, with the keys of the entity, or nil if it is unknown.
    func members(
        sentBy operation: DescribedOperation,
        to element: JSONSchema,
        in schemas: JSONSchema.Document
    ) -> JSONValue? {
        guard let body = operation.body, operation.operation != nil else { return nil }
        let document: JSONValue?
        if MediaType(body.mediaType) == .form {
            let items = (body.example?.objectValue ?? [:]).map { name, value in
                "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value.plainText))"
            }
            document = self.document(ofForm: items.joined(separator: "&"))
        } else {
            document = schemas.example(of: body.schema)
        }
        var value = operation.plan.bodyKeys.reduce(document) { $0?[$1] }
        if let elements = value?.arrayValue { value = elements.first }
        guard let value, value.objectValue?.isEmpty == false else { return nil }
        return adapted(value, to: element, in: schemas)
    }
}
