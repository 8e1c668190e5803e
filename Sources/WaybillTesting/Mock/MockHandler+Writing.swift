import Foundation
import Waybill
import WaybillDescription

extension MockHandler {
    func create(_ request: ReceivedRequest, _ path: String) -> StubResponse {
        guard let draft = value(of: request) else { return operation.problem(400, "The body has no value.") }
        // As it was sent: a decoded path may have characters that no header field can have.
        let parent = request.path.split(separator: "/").joined(separator: "/")
        return store.update(path) { collection in
            let (id, value) = entity(of: draft, in: &collection)
            if let problem = problem(of: value) { return operation.problem(422, "In the new entity \(problem).") }
            collection.items.append((id, value))
            return operation.response(value, status: 201)
                .header("Location", "/\(parent)/\(PercentEncoding.encode(id))")
                .header("ETag", value.entityTag)
        }
    }

    func batch(_ request: ReceivedRequest, _ path: String) -> StubResponse {
        guard let drafts = value(of: request)?.arrayValue else {
            return operation.problem(400, "The body is not an array.")
        }
        let isCreation = operation.operation == .createBatch
        return store.update(path) { collection in
            // All of them or none: a rejection changes nothing.
            var changed = collection
            var values: [JSONValue] = []
            for draft in drafts {
                if isCreation {
                    let entity = entity(of: draft, in: &changed)
                    changed.items.append(entity)
                    values.append(entity.value)
                } else {
                    let id = draft[Self.idKey(of: draft)].map { $0.stringValue ?? $0.description } ?? ""
                    guard let index = changed.index(of: id) else {
                        return operation.problem(404, "One of the entities is not known.")
                    }
                    changed.items[index].value = changed.items[index].value.applying(mergePatch: draft)
                    values.append(changed.items[index].value)
                }
            }
            if let problem = values.lazy.compactMap(problem(of:)).first {
                return operation.problem(422, "In one of the entities \(problem).")
            }
            collection = changed
            return operation.response(.array(values), status: isCreation ? 201 : 200)
        }
    }

    func replace(_ request: ReceivedRequest, _ id: String?, _ segments: [String]) -> StubResponse {
        change(request, id, segments) { old, new in
            guard let old, let id = old[Self.idKey(of: old)] else { return new }
            return new.setting(id, at: [.key(Self.idKey(of: old))])
        }
    }

    func patch(_ request: ReceivedRequest, _ id: String?, _ segments: [String]) -> StubResponse {
        change(request, id, segments) { old, changes in
            let new = (old ?? [:]).applying(mergePatch: changes)
            guard id != nil, let old, let own = old[Self.idKey(of: old)] else { return new }
            return new.setting(own, at: [.key(Self.idKey(of: old))])
        }
    }

    func delete(_ request: ReceivedRequest, _ id: String?, _ segments: [String]) -> StubResponse {
        let path = (id == nil ? segments : segments.dropLast()).joined(separator: "/")
        return store.update(path) { collection in
            guard let index = collection.index(of: id ?? "") else {
                return operation.problem(404, "There is no entity \(id ?? path).")
            }
            if let rejection = precondition(request, collection.items[index].value) { return rejection }
            collection.items.remove(at: index)
            return .status(204)
        }
    }

    private func change(
        _ request: ReceivedRequest,
        _ id: String?,
        _ segments: [String],
        _ make: @Sendable (JSONValue?, JSONValue) -> JSONValue
    ) -> StubResponse {
        guard let sent = value(of: request) else { return operation.problem(400, "The body has no value.") }
        let path = (id == nil ? segments : segments.dropLast()).joined(separator: "/")
        return store.update(path) { collection in
            let index = collection.index(of: id ?? "")
            let old = index.map { collection.items[$0].value }
            if old == nil, id != nil { return operation.problem(404, "There is no entity \(id ?? path).") }
            if let rejection = precondition(request, old) { return rejection }
            let new = completed(make(old ?? start(id), sent))
            if let problem = problem(of: new) {
                return operation.problem(422, "After the change \(problem).")
            }
            if let index { collection.items[index].value = new } else { collection.items.append((id ?? "", new)) }
            return operation.response(new).header("ETag", new.entityTag)
        }
    }

    /// The value that a singleton has before it is written.
    private func start(_ id: String?) -> JSONValue? {
        id == nil ? .some(operation.schemas.example(of: operation.value)) : .none
    }

    /// Returns the entity that a draft becomes, which is not added yet.
    private func entity(
        of draft: JSONValue,
        in collection: inout MockStore.Collection
    ) -> (id: String, value: JSONValue) {
        let example = operation.schemas.example(of: element)
        let key = Self.idKey(of: example)
        let given = draft[key].flatMap { $0.isNull ? JSONValue?.none : $0 }
        let isTaken = given.map { collection.index(of: $0.stringValue ?? $0.description) != nil } ?? false
        let id: JSONValue? = isTaken ? .none : given
        let assigned = id ?? collection.nextID(like: example[key] ?? 1)
        let value = completed(draft).setting(assigned, at: [.key(key)])
        return (assigned.stringValue ?? assigned.description, value)
    }

    /// Returns the reason for which an entity is not one of the document; nil if it is.
    private func problem(of entity: JSONValue) -> String? {
        operation.schemas.problem(of: entity, element, isStrict: true)
    }

    /// The schema of one entity.
    private var element: JSONSchema {
        if case .array(let element, _) = operation.value.form { element } else { operation.value }
    }

    /// Returns a value with examples for the members that its type needs and the request does not have.
    private func completed(_ value: JSONValue) -> JSONValue {
        guard case .object(let properties)? = operation.schemas.resolving(element)?.form, value.objectValue != nil
        else {
            return value
        }
        return properties.filter(\.isRequired).reduce(value) { value, property in
            let isMissing = value[property.key].map { $0.isNull && !allowsNull(property.schema) } ?? true
            guard isMissing else { return value }
            return value.setting(operation.schemas.example(of: property.schema), at: [.key(property.key)])
        }
    }

    private func allowsNull(_ schema: JSONSchema) -> Bool { operation.schemas.problem(of: .null, schema) == nil }

    /// Returns the response to a condition that does not hold; nil if it holds, or the request has none.
    func precondition(_ request: ReceivedRequest, _ value: JSONValue?) -> StubResponse? {
        let tag = value?.entityTag
        if let condition = request.headerFields[.ifMatch], !condition.names(tag) {
            return operation.problem(412, "The entity has changed.")
        }
        if let condition = request.headerFields[.ifNoneMatch], condition.names(tag), request.method != .get {
            return operation.problem(412, "The entity exists.")
        }
        return nil
    }
}

extension JSONValue {
    /// The entity tag of the value: a checksum of its text.
    var entityTag: String {
        let sum = description.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\"\(String(sum, radix: 16))\""
    }
}

extension String {
    /// Whether a condition names an entity tag; `*` names any.
    func names(_ tag: String?) -> Bool {
        guard let tag else { return false }
        return self == "*" || split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == tag }
    }
}
