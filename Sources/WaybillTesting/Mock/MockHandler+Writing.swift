import Foundation
import Waybill
import WaybillDescription

extension MockHandler {
    func create(_ request: ReceivedRequest, _ target: MockTarget, _ coding: EntityCoding) -> StubResponse {
        guard let draft = value(of: request) else { return operation.problem(400, "The body has no value.") }
        return store.update(target.path) { collection in
            let id: String
            let value: JSONValue
            switch entity(of: draft, in: &collection, coding) {
            case .success(let entity): (id, value) = entity
            case .failure(let rejection): return rejection.response
            }
            if let problem = problem(of: value) { return operation.problem(422, "In the new entity \(problem).") }
            collection.items.append((id, value))
            return operation.response(value, status: 201)
                .header("Location", location(of: id, in: target.path, request))
                .header("ETag", value.entityTag)
        }
    }

    func batch(_ request: ReceivedRequest, _ target: MockTarget, _ coding: EntityCoding) -> StubResponse {
        guard let drafts = value(of: request)?.arrayValue else {
            return operation.problem(400, "The body is not an array.")
        }
        let isCreation = operation.operation == .createBatch
        return store.update(target.path) { collection in
            // All of them or none: a rejection changes nothing.
            var changed = collection
            var values: [JSONValue] = []
            for draft in drafts {
                if isCreation {
                    switch entity(of: draft, in: &changed, coding) {
                    case .success(let entity):
                        changed.items.append(entity)
                        values.append(entity.value)
                    case .failure(let rejection): return rejection.response
                    }
                } else {
                    guard let id = coding.id(of: draft), let index = changed.index(of: id) else {
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

    func replace(_ request: ReceivedRequest, _ target: MockTarget, _ coding: EntityCoding) -> StubResponse {
        change(request, target) { old, new in
            guard let path = coding.idPath else { return new }
            guard let old else { return target.id.map { new.settingID($0, at: path, like: example) } ?? new }
            let id = path.reduce(old) { $0[$1] ?? .null }
            return id.isNull ? new : new.setting(id, at: path.map { .key($0) })
        }
    }

    func patch(_ request: ReceivedRequest, _ target: MockTarget, _ coding: EntityCoding) -> StubResponse {
        if operation.bodyType == "application/json-patch+json" { return unsupported("does not apply JSON Patch") }
        if let changes = value(of: request), changes.objectValue == nil {
            return operation.problem(422, "The patch is not an object of changes.")
        }
        if let reason = reasonAgainstPatch(request) { return unprocessable(reason) }
        return change(request, target) { old, changes in
            let new = (old ?? [:]).applying(mergePatch: changes)
            guard target.id != nil, let old, let path = coding.idPath else { return new }
            return new.setting(path.reduce(old) { $0[$1] ?? .null }, at: path.map { .key($0) })
        }
    }

    func delete(_ request: ReceivedRequest, _ target: MockTarget) -> StubResponse {
        store.update(target.path) { collection in
            guard let index = collection.index(of: target.id ?? "") else { return missing(target) }
            if let rejection = precondition(request, collection.items[index].value) { return rejection }
            collection.items.remove(at: index)
            return .status(operation.status(204))
        }
    }

    /// Returns the reason for which the mock does not know what a patch changes; nil if it does.
    private func reasonAgainstPatch(_ request: ReceivedRequest) -> String? {
        guard let members = value(of: request)?.objectValue, let known = knownMembers else { return nil }
        // What no response shows, such as a new password, changes nothing that a client can see.
        let others = members.keys.filter { !known.contains($0) && !SecretNameSet.usual.contains($0) }.sorted()
        guard !others.isEmpty else { return nil }
        return "does not know what a patch changes by \(others.joined(separator: ", ")), which the entities do not have"
    }

    private func change(
        _ request: ReceivedRequest,
        _ target: MockTarget,
        _ make: @Sendable (JSONValue?, JSONValue) -> JSONValue
    ) -> StubResponse {
        guard let sent = value(of: request) else { return operation.problem(400, "The body has no value.") }
        return store.update(target.path) { collection in
            let index = collection.index(of: target.id ?? "")
            let old = index.map { collection.items[$0].value }
            if let rejection = precondition(request, old, exists: old != nil || target.id == nil) { return rejection }
            let isCreation = old == nil && target.id != nil
            if isCreation, !operation.createsByUpdate { return missing(target) }
            let new = completed(make(old ?? start(target.id), sent))
            if let problem = problem(of: new) {
                return operation.problem(422, "After the change \(problem).")
            }
            if let problem = operation.entity?.problem(of: new) {
                return unprocessable("cannot make an entity of this body (\(problem))")
            }
            if let index {
                collection.items[index].value = new
            } else {
                collection.items.append((target.id ?? "", new))
            }
            return operation.response(new, status: isCreation ? 201 : 200).header("ETag", new.entityTag)
        }
    }

    /// The value that a singleton has before it is written.
    private func start(_ id: String?) -> JSONValue? {
        id == nil ? .some(operation.schemas.example(of: operation.value)) : .none
    }

    private var example: JSONValue { operation.schemas.example(of: operation.element) }

    private struct Rejection: Error { let response: StubResponse }

    /// Returns the entity that a draft becomes, which is not added yet.
    private func entity(
        of draft: JSONValue,
        in collection: inout MockStore.Collection,
        _ coding: EntityCoding
    ) -> Result<(id: String, value: JSONValue), Rejection> {
        let whole = completed(draft)
        func rejected(_ reason: String) -> Result<(id: String, value: JSONValue), Rejection> {
            .failure(Rejection(response: unsupported(reason)))
        }
        guard let path = coding.idPath else {
            guard let id = coding.id(of: whole) else { return rejected("does not know which members are the id") }
            let conflict = operation.problem(409, "There is an entity \(id) already.")
            return collection.index(of: id) == nil ? .success((id, whole)) : .failure(Rejection(response: conflict))
        }
        let keys = path.map { EnvelopeKey.key($0) }
        let given = path.reduce(draft) { $0[$1] ?? .null }
        let text = EntityCoding.comparable(given.stringValue ?? given.description)
        if !given.isNull {
            if collection.index(of: text) == nil { return accepted(text, whole, coding) }
            // A number or a UUID is the server's to give; a name is the client's.
            if given.intValue == nil, UUID(uuidString: text) == nil, Int(text) == nil {
                return .failure(
                    Rejection(response: operation.problem(409, "There is an entity \(text) already."))
                )
            }
        }
        let like = path.reduce(example) { $0[$1] ?? .null }
        let assigned = collection.nextID(like: like) { coding.problem(of: whole.setting($0, at: keys)) == nil }
        guard let assigned else { return rejected("knows no id that such an entity can have") }
        let id = EntityCoding.comparable(assigned.stringValue ?? assigned.description)
        return accepted(id, whole.setting(assigned, at: keys), coding)
    }

    private func accepted(
        _ id: String,
        _ value: JSONValue,
        _ coding: EntityCoding
    ) -> Result<(id: String, value: JSONValue), Rejection> {
        // What the schema does not allow is the client's mistake; the rest is what the mock cannot make up.
        guard problem(of: value) == nil, let problem = coding.problem(of: value) else { return .success((id, value)) }
        return .failure(Rejection(response: unprocessable("cannot make an entity of this body (\(problem))")))
    }

    /// Returns the path at which a new entity is read.
    private func location(of id: String, in collection: String, _ request: ReceivedRequest) -> String {
        let own = PathPattern.segments(of: operation.template).count
        // As it was sent: a decoded path may have characters that no header field can have.
        let sent = request.path.split(separator: "/")
        guard let (template, place) = operation.reading else {
            return "/\(sent.joined(separator: "/"))/\(PercentEncoding.encode(id))"
        }
        let known = collection.split(separator: "/")
        var values: [Int: String] = [:]
        for (segment, text) in zip(place.collection, known) {
            for case .value(let index?) in segment where segment.count == 1 { values[index] = String(text) }
        }
        if case .path(let index)? = place.id { values[index] = PercentEncoding.encode(id) }
        var number = 0
        var parts = template.components(separatedBy: "{}")
        let last = parts.removeLast()
        let path =
            parts.reduce(into: "") { path, part in
                path += part + (values[number] ?? "")
                number += 1
            } + last
        // At a stub, the path of the base URL stands before that of the operation.
        let base = sent.prefix(max(0, sent.count - own)).map { "/\($0)" }.joined()
        let query =
            if case .query(let name)? = place.id {
                "?\(PercentEncoding.encode(name))=\(PercentEncoding.encode(id))"
            } else {
                ""
            }
        return "\(base)/\(path)\(query)"
    }

    /// Returns the reason for which an entity is not one of the document; nil if it is.
    private func problem(of entity: JSONValue) -> String? {
        operation.schemas.problem(of: entity, operation.element, isStrict: true)
    }

    /// Returns a value with examples for the members that its type needs and the request does not have.
    private func completed(_ value: JSONValue) -> JSONValue { completed(value, operation.element) }

    private func completed(_ value: JSONValue, _ schema: JSONSchema) -> JSONValue {
        guard case .object(let properties)? = operation.schemas.resolving(schema)?.form, value.objectValue != nil
        else {
            return value
        }
        return properties.reduce(value) { value, property in
            let member = value[property.key]
            let isMissing = member.map { $0.isNull && !allowsNull(property.schema) } ?? true
            if !isMissing, let member {
                return value.setting(completed(member, property.schema), at: [.key(property.key)])
            }
            guard property.isRequired else { return value }
            return value.setting(operation.schemas.example(of: property.schema), at: [.key(property.key)])
        }
    }

    private func allowsNull(_ schema: JSONSchema) -> Bool { operation.schemas.problem(of: .null, schema) == nil }

    /// Returns the response to a condition that does not hold; nil if it holds, or the request has none.
    func precondition(_ request: ReceivedRequest, _ value: JSONValue?, exists: Bool = true) -> StubResponse? {
        // A precondition of an entity that is not known, and not created either, does not matter.
        if !exists, !operation.createsByUpdate { return nil }
        let tag = value?.entityTag
        if let condition = request.headerFields[.ifMatch], !condition.names(tag) {
            return operation.problem(412, "The entity has changed.")
        }
        if let condition = request.headerFields[.ifNoneMatch], condition.names(tag), !request.method.isSafe {
            return operation.problem(412, "The entity exists.")
        }
        return nil
    }
}

extension JSONValue {
    /// Returns the document with an id from a path, of the type of an example.
    fileprivate func settingID(_ id: String, at path: [String], like example: JSONValue) -> JSONValue {
        let isNumber = path.reduce(example) { $0[$1] ?? .null }.intValue != nil
        return setting(
            isNumber ? Int(id).map(JSONValue.integer) ?? .string(id) : .string(id),
            at: path.map { .key($0) }
        )
    }

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
