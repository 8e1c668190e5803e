import Foundation
import Waybill
import WaybillDescription

extension MockHandler {
    func create(
        _ request: ReceivedRequest,
        _ target: MockTarget,
        _ coding: EntityCoding
    ) throws(MockRejection) -> StubResponse {
        let draft = try value(of: request)
        return try store.update(target.collection) { (collection) throws(MockRejection) in
            let (id, new) = try newEntity(of: draft, in: &collection, coding)
            if let problem = problem(of: new) { throw rejection(422, "In the new entity \(problem).") }
            let value = collection.add(id, new)
            return operation.response(toWriteOf: value, sent: draft, status: 201)
                .header("Location", operation.linkOrigin + location(of: id, in: target.collection.path, request))
                .header("ETag", value.entityTag)
        }
    }

    func batch(
        _ request: ReceivedRequest,
        _ target: MockTarget,
        _ coding: EntityCoding
    ) throws(MockRejection) -> StubResponse {
        guard let drafts = try value(of: request).arrayValue else { throw rejection(400, "The body is not an array.") }
        let isCreation = operation.operation == .createBatch
        return try store.update(target.collection) { (collection) throws(MockRejection) in
            // A batch is atomic: a rejection changes nothing.
            var changed = collection
            var values: [JSONValue] = []
            for draft in drafts {
                if isCreation {
                    let entity = try newEntity(of: draft, in: &changed, coding)
                    values.append(changed.add(entity.id, entity.value))
                } else {
                    guard let id = coding.id(of: draft), let index = changed.index(of: id) else {
                        throw rejection(404, "One of the entities is not known.")
                    }
                    let value = changed.items[index].value.applying(mergePatch: draft)
                    values.append(changed.replace(at: index, by: value))
                }
            }
            if let problem = values.lazy.compactMap(problem(of:)).first {
                throw rejection(422, "In one of the entities \(problem).")
            }
            collection = changed
            let items = values.map { $0.wrapped(at: operation.itemPath) }
            return operation.response(.array(items), status: isCreation ? 201 : 200)
        }
    }

    func replace(
        _ request: ReceivedRequest,
        _ target: MockTarget,
        _ coding: EntityCoding
    ) throws(MockRejection) -> StubResponse {
        try change(request, target) { old, sent in
            let new = replaced(old, by: sent)
            guard let path = coding.idPath else { return new }
            guard let old else { return target.id.map { new.settingID($0, at: path, like: example) } ?? new }
            guard let id = old.value(at: path), !id.isNull else { return new }
            return new.setting(id, at: path)
        }
    }

    func patch(
        _ request: ReceivedRequest,
        _ target: MockTarget,
        _ coding: EntityCoding
    ) throws(MockRejection) -> StubResponse {
        let sentType = request.headerFields[.contentType].map { MediaType($0).essence }
        if [operation.bodyType, sentType].contains("application/json-patch+json") {
            throw unsupported("does not apply JSON Patch", advice: nil)
        }
        if !request.body.isEmpty {
            let changes = try value(of: request)
            guard changes.objectValue != nil else { throw rejection(422, "The patch is not an object of changes.") }
            try checkMembers(ofPatch: changes)
        }
        return try change(request, target) { old, changes in
            let new = (old ?? [:]).applying(mergePatch: changes)
            guard target.id != nil, let old, let path = coding.idPath else { return new }
            return new.setting(old.value(at: path) ?? .null, at: path)
        }
    }

    func delete(_ request: ReceivedRequest, _ target: MockTarget) throws(MockRejection) -> StubResponse {
        try store.update(target.collection) { (collection) throws(MockRejection) in
            guard let index = collection.index(of: target.id ?? "") else { throw missing(target) }
            try checkCondition(of: request, collection.items[index].value)
            collection.remove(at: index, idPath: operation.entity?.idPath)
            return .status(operation.status(204))
        }
    }

    private func change(
        _ request: ReceivedRequest,
        _ target: MockTarget,
        _ make: @Sendable (JSONValue?, JSONValue) -> JSONValue
    ) throws(MockRejection) -> StubResponse {
        let sent = try value(of: request)
        return try store.update(target.collection) { (collection) throws(MockRejection) in
            let index = collection.index(of: target.id ?? "")
            let old = index.map { collection.items[$0].value }
            try checkCondition(of: request, old, exists: old != nil || target.id == nil)
            let isCreation = old == nil && target.id != nil
            if isCreation, !operation.createsByUpdate { throw missing(target) }
            // A singleton has a value even before it is written.
            let start = old ?? (target.id == nil ? operation.valueExample : JSONValue?.none)
            let new = completed(make(start, sent), from: start)
            if let problem = problem(of: new) { throw rejection(422, "After the change \(problem).") }
            if let problem = operation.entity?.problem(of: new) {
                throw unprocessable("cannot make an entity of this body (\(problem))", advice: nil)
            }
            let kept =
                if let index {
                    collection.replace(at: index, by: new)
                } else {
                    collection.add(target.id ?? "", new)
                }
            return operation.response(toWriteOf: kept, sent: sent, status: isCreation ? 201 : 200)
                .header("ETag", kept.entityTag)
        }
    }

    /// Throws if a condition of the request does not hold for an entity.
    private func checkCondition(
        of request: ReceivedRequest,
        _ value: JSONValue?,
        exists: Bool = true
    ) throws(MockRejection) {
        // If the entity is unknown and the request does not create it, the response is a 404 regardless of the
        // condition.
        if !exists, !operation.createsByUpdate { return }
        let tag = value?.entityTag
        if let condition = request.headerFields[.ifMatch], !condition.names(tag) {
            throw rejection(412, "The entity has changed.")
        }
        if let condition = request.headerFields[.ifNoneMatch], condition.names(tag), !request.method.isSafe {
            throw rejection(412, "The entity exists.")
        }
    }
}

extension JSONValue {
    /// Returns the document with its id set to that of a request, as a number if the example's id is one.
    fileprivate func settingID(_ id: String, at path: [EnvelopeKey], like example: JSONValue) -> JSONValue {
        let number = example.value(at: path)?.intValue == nil ? nil : Int(id)
        return setting(number.map(JSONValue.integer) ?? .string(id), at: path)
    }
}
