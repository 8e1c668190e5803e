import Foundation
import Waybill
import WaybillDescription

/// A handler for the requests of one operation.
struct MockHandler: Sendable {
    let operation: MockOperation
    let store: MockStore

    /// Returns the response to a request.
    func response(to request: ReceivedRequest) -> StubResponse {
        if let rejection = codingRejection(of: request) { return rejection }
        let key = operation.keyField.flatMap { request.headerFields[$0] }.map { "\(operation.identifier) \($0)" }
        if let key, let known = begin(request, key) { return known }
        let response: StubResponse
        do throws(MockRejection) {
            response = operation.addingFields(to: try acceptedResponse(to: request))
        } catch {
            response = error.response
        }
        let begun = operation.longRunning.map { MockRun.begin($0, response, of: operation, in: store) } ?? response
        if let key { store.keyed.update { $0[key]?.response = begun } }
        return begun
    }

    /// Registers a request under its idempotency key, or returns the response if the key is known.
    ///
    /// Implements sections 2.6 and 2.7 of draft-ietf-httpapi-idempotency-key-header.
    private func begin(_ request: ReceivedRequest, _ key: String) -> StubResponse? {
        let new = MockStore.KeyedRequest(
            path: request.path,
            body: request.body,
            document: try? request.document(operation)
        )
        let known = store.keyed.update { keyed -> MockStore.KeyedRequest? in
            if let known = keyed[key] { return known }
            keyed[key] = new
            return nil
        }
        guard let known else { return nil }
        guard known.isRepeated(by: new) else {
            return rejection(422, "Another request had this idempotency key.").response
        }
        return known.response ?? rejection(409, "The first request with this idempotency key is in progress.").response
    }

    private func acceptedResponse(to request: ReceivedRequest) throws(MockRejection) -> StubResponse {
        guard operation.coding.readsJSON else {
            throw unsupported("writes JSON, which the declared decoder does not read", advice: nil)
        }
        try checkBody(of: request)
        guard let kind = operation.operation, let place = operation.place, let entity = operation.entity else {
            return try example(request)
        }
        let target = try target(of: request, place)
        switch kind {
        case .list: return try list(request, target)
        case .create where operation.isSingleton: return try replace(request, target, entity)
        case .create: return try create(request, target, entity)
        case .createBatch, .updateBatch: return try batch(request, target, entity)
        case .read: return try read(request, target)
        case .update, .upsert: return try replace(request, target, entity)
        case .patch: return try patch(request, target, entity)
        case .delete: return try delete(request, target)
        }
    }

    /// Returns a rejection with the declared problem for a status.
    func rejection(_ status: HTTPResponse.Status, _ reason: String) -> MockRejection {
        MockRejection(response: operation.problem(status, reason))
    }

    /// Returns the rejection for a request that the mock cannot carry out.
    ///
    /// - Parameters:
    ///   - reason: the reason, as a predicate whose subject is the mock.
    ///   - advice: an imperative sentence that names a clause or seed to add; nil if nothing helps.
    /// - Returns: a 501 with the reason and the possible fixes.
    func unsupported(_ reason: String, advice: String?) -> MockRejection {
        MockRejection(response: .misuse(text(of: reason, advice)))
    }

    /// Returns the rejection for a body that the mock cannot process, although the schema may allow it.
    func unprocessable(_ reason: String, advice: String?) -> MockRejection { rejection(422, text(of: reason, advice)) }

    private func text(of reason: String, _ advice: String?) -> String {
        let overrides = "overriding: [\"\(operation.method) \(operation.callName ?? operation.path)\": …]"
        let own = "verride the response: \(overrides)"
        return "The mock \(reason): \(operation.identifier) (\(operation.method) \(operation.path))."
            + (advice.map { " \($0), or o\(own)" } ?? " O\(own)")
    }

    /// Returns the collection and id that a request addresses.
    private func target(of request: ReceivedRequest, _ place: EntityPlace) throws(MockRejection) -> MockTarget {
        let values = operation.pathValues(request) ?? []
        var id: String?
        if let place = place.id, !operation.isSingleton {
            switch place {
            case .path(let index): id = values.indices.contains(index) ? values[index] : nil
            case .query(let name): id = request.query(name)
            case .member(let path):
                let member = (try? request.document(operation))?.value(at: path)
                id = member.flatMap { $0.isNull ? nil : $0.plainText }
            }
            guard id != nil else { throw rejection(400, "The request has no id at \(place.text).") }
        } else if operation.operation?.requiresID ?? false, !operation.isSingleton {
            throw unsupported(
                "does not know where the request has the id",
                advice: "Declare it in the operation: Query(\"id\", .id) or Body.Member(\"id\", .id)"
            )
        }
        let segments = place.collection(values)
        let comparable = id.map(UUID.normalized)
        if let path = segments.path { return MockTarget(collection: key(path), id: comparable) }
        // The path of the operation lacks a value from the path of the resource.
        let keys = store.keys.filter { $0.entities == operation.entitiesName && segments.matches($0.path) }
        let known = comparable.map { id in keys.filter { store.holds(id, in: $0) } } ?? keys
        if let key = known.first, known.count == 1 { return MockTarget(collection: key, id: comparable) }
        guard known.isEmpty, comparable != nil || operation.operation == .list else {
            throw unsupported(
                "does not know which of the collections \(place.template) is meant",
                advice: "Seed one of them, or use \\(.resource) in the path of the operation"
            )
        }
        // If the template contains `{}`, it is not the path of any seeded collection.
        return MockTarget(collection: key(place.template), id: comparable)
    }

    private func key(_ path: String) -> MockStore.Key { MockStore.Key(path: path, entities: operation.entitiesName) }

    private func example(_ request: ReceivedRequest) throws(MockRejection) -> StubResponse {
        switch operation.shape.form {
        case .none: return .status(operation.status(204))
        case .bytes, .text:
            let type = operation.shape.mediaType ?? "application/octet-stream"
            let text = operation.shape.form == .bytes ? "bytes" : "text"
            let body = Data((MediaType(type).isJSON ? JSONValue.string(text).description : text).utf8)
            return .make(body, type: type, status: operation.status(200))
        case .events: return operation.events
        case .value, .sequence:
            let value = try valueExample()
            guard let values = value.arrayValue else { return operation.response(value) }
            return try list(values, request)
        }
    }

    /// Returns an example of the value that decodes and matches no declared problem.
    private func valueExample() throws(MockRejection) -> JSONValue {
        if case .unknown(let reason) = operation.value.origin, operation.valueType == nil {
            throw unsupported("knows no value, because \(reason)", advice: "Return a type that decodes")
        }
        if let problem = operation.example.problem {
            throw unsupported("cannot create a response that is not a declared failure (\(problem))", advice: nil)
        }
        if let type = operation.valueType {
            let coding = EntityCoding(type, example: .null, decoder: operation.coding.decoder)
            if let problem = coding.problem(of: operation.example.value) {
                throw unsupported(
                    "knows no value of \(type) that decodes (\(problem))",
                    advice: "List APIDescription.Samples(…) with such a body in the API's calls"
                )
            }
        }
        return operation.example.value
    }
}

/// The error for a request that the mock does not carry out, with the response to send.
struct MockRejection: Error {
    let response: StubResponse
}

/// The entities that a request addresses.
struct MockTarget {
    let collection: MockStore.Key

    /// The normalized id; nil for the whole collection or a singleton.
    let id: String?
}

extension EntityPlace {
    /// Returns the segments of a collection's path, filled in from a request; nil for a segment with an unknown value.
    func collection(_ values: [String]) -> [String?] {
        collection.map { parts in
            var text = ""
            for part in parts {
                switch part {
                case .literal(let literal): text += literal.removingPercentEncoding ?? literal
                case .value(let index):
                    guard let index, values.indices.contains(index) else { return nil }
                    text += values[index]
                }
            }
            return text
        }
    }
}

extension EntityPlace.ID {
    fileprivate var text: String {
        switch self {
        case .path: "its path"
        case .query(let name): "the query item \(name)"
        case .member(let path): "the member \(path.pathDescription)"
        }
    }
}

extension [String?] {
    /// The path of a collection with percent-encoded segments; nil if a segment is unknown.
    var path: String? {
        let known = compactMap { $0 }
        return known.count == count ? known.map(PercentEncoding.encode).joined(separator: "/") : nil
    }

    fileprivate func matches(_ path: String) -> Bool {
        let segments = path.split(separator: "/")
        return segments.count == count
            && zip(self, segments).allSatisfy { $0 == nil || PercentEncoding.encode($0 ?? "") == $1 }
    }
}
