import Foundation
import Waybill
import WaybillDescription

extension MockHandler {
    /// Returns the value in a request body, in the shape that the declared decoder reads.
    ///
    /// Removes the keys around the value and the members added by clauses, and converts the other members to their
    /// shape in the entity.
    ///
    /// - Throws: a rejection if there is no value, or if a member cannot be converted.
    func value(of request: ReceivedRequest) throws(MockRejection) -> JSONValue {
        guard let document = try? request.document(operation),
            let value = operation.bodyKeys.reduce(document, { $0?[$1] })
        else { throw rejection(400, "The body has no value.") }
        guard let elements = value.arrayValue else { return try entityValue(value) }
        var values: [JSONValue] = []
        for element in elements { values.append(try entityValue(element)) }
        return .array(values)
    }

    private func entityValue(_ sent: JSONValue) throws(MockRejection) -> JSONValue {
        var value = sent
        if operation.bodyKeys.isEmpty, let known = knownMembers, var members = value.objectValue {
            for case .key(let name)? in operation.addedMembers.map(\.first) where !known.contains(name) {
                members[name] = nil
            }
            value = .object(members)
        }
        let sentMembers = operation.readsForm ? JSONValue?.none : operation.sentMembers
        let conversion = MockConversion(schemas: operation.schemas, sent: sentMembers, entity: entity)
        do throws(MockConversion.Failure) {
            return try conversion.converted(operation.adapted(value), to: operation.element)
        } catch {
            throw unsupported(
                "cannot convert the member \(error.path.pathDescription), which is sent as"
                    + " \(error.sent) but read as \(error.expected)",
                advice: nil
            )
        }
    }

    /// Returns the entity with a given id and schema from any resource; nil if there is no such entity.
    private func entity(_ id: JSONValue, _ schema: JSONSchema) -> JSONValue? {
        let id = UUID.normalized(id.plainText)
        for resource in operation.resources where resource.element == schema {
            for key in store.keys where resource.holds(key) {
                if let value = store.value(id, in: key) { return value }
            }
        }
        return nil
    }

    /// The names of an entity's members; nil if they are unknown.
    var knownMembers: Set<String>? {
        guard case .object(let properties)? = operation.schemas.resolving(operation.element)?.form else { return nil }
        return Set(properties.map(\.key))
    }

    /// Returns the response to a body with a content coding; nil if the body has none.
    ///
    /// The client then repeats the request without the coding (RFC 7694) and with the same idempotency key.
    func codingRejection(of request: ReceivedRequest) -> StubResponse? {
        guard let coding = request.headerFields[.contentEncoding] else { return nil }
        return rejection(415, "The body is coded with \(coding), which the mock does not accept.").response
            .header("Accept-Encoding", "identity")
    }

    /// Throws unless the body has the declared media type and matches the schema.
    func checkBody(of request: ReceivedRequest) throws(MockRejection) {
        guard let schema = operation.body, let type = operation.bodyType else { return }
        if request.body.isEmpty, !operation.requiresBody { return }
        let sent = request.headerFields[.contentType].map { MediaType($0) }
        guard let sent, sent.essence == type || (sent.isJSON && MediaType(type).isJSON) else {
            throw rejection(415, "The body is \(sent?.essence ?? "of no media type"), and \(type) is declared.")
        }
        guard sent.isJSON || sent == .form else { return }
        guard let document = try? request.document(operation) else { throw rejection(400, "The body is not JSON.") }
        // Form values are always text; the resulting entity is checked instead.
        guard sent.isJSON else { return }
        // A merge patch omits what does not change and uses null for removals, so it need not match the schema.
        if operation.operation == .patch || operation.operation == .updateBatch { return }
        if let problem = operation.schemas.problem(of: document, schema) {
            throw rejection(422, "In the body \(problem).")
        }
    }

    /// Throws if a patch has members that entities do not have, because their effect is unknown.
    func checkMembers(ofPatch changes: JSONValue) throws(MockRejection) {
        let others = unknownMembers(of: changes, operation.element, at: [])
        guard !others.isEmpty else { return }
        throw unprocessable(
            "does not know what a patch changes by \(others.joined(separator: ", ")), which the entities do not have",
            advice: nil
        )
    }

    /// Returns the paths of the members of a patch that entities do not have.
    private func unknownMembers(of changes: JSONValue, _ schema: JSONSchema, at path: [EnvelopeKey]) -> [String] {
        guard case .object(let properties)? = operation.schemas.resolving(schema)?.form,
            let members = changes.objectValue
        else { return [] }
        return members.sorted { $0.key < $1.key }.flatMap { key, value -> [String] in
            let path = path + [.key(key)]
            if let property = properties.first(where: { $0.key == key }) {
                return unknownMembers(of: value, property.schema, at: path)
            }
            // A secret such as a new password changes nothing that a client can see.
            return SecretNameSet.usual.contains(key) ? [] : [path.pathDescription]
        }
    }
}

extension ReceivedRequest {
    /// Returns the body, decoded from JSON or a form.
    func document(_ operation: MockOperation) throws -> JSONValue {
        if headerFields[.contentType].map({ MediaType($0) }) == .form {
            return operation.coding.document(ofForm: text)
        }
        return try WaybillJSONDecoder().decode(JSONValue.self, from: body)
    }
}
