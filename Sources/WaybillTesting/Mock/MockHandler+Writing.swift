import Foundation
import Waybill
import WaybillDescription

extension MockHandler {
    func create(
        _ request: ReceivedRequest,
        _ target: MockTarget,
        _ coding: EntityCoding
    ) throws(MockRejection) -> StubResponse {
        guard let draft = value(of: request) else { throw rejection(400, "The body has no value.") }
        return try store.update(target.collection) { (collection) throws(MockRejection) in
            let (id, new) = try entity(of: draft, in: &collection, coding)
            if let problem = problem(of: new) { throw rejection(422, "In the new entity \(problem).") }
            let value = collection.add(id, new)
            return operation.response(value, status: 201)
                .header("Location", location(of: id, in: target.collection.path, request))
                .header("ETag", value.entityTag)
        }
    }

    func batch(
        _ request: ReceivedRequest,
        _ target: MockTarget,
        _ coding: EntityCoding
    ) throws(MockRejection) -> StubResponse {
        guard let drafts = value(of: request)?.arrayValue else { throw rejection(400, "The body is not an array.") }
        let isCreation = operation.operation == .createBatch
        return try store.update(target.collection) { (collection) throws(MockRejection) in
            // All of them or none: a rejection changes nothing.
            var changed = collection
            var values: [JSONValue] = []
            for draft in drafts {
                if isCreation {
                    let entity = try entity(of: draft, in: &changed, coding)
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
            return operation.response(.array(values), status: isCreation ? 201 : 200)
        }
    }

    func replace(
        _ request: ReceivedRequest,
        _ target: MockTarget,
        _ coding: EntityCoding
    ) throws(MockRejection) -> StubResponse {
        try change(request, target) { old, new in
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
        if operation.bodyType == "application/json-patch+json" { throw unsupported("does not apply JSON Patch", advice: nil) }
        if let changes = value(of: request) {
            guard let members = changes.objectValue else {
                throw rejection(422, "The patch is not an object of changes.")
            }
            try checkMembers(ofPatch: members)
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

    /// Throws unless the mock knows what the members of a patch change.
    private func checkMembers(ofPatch members: [String: JSONValue]) throws(MockRejection) {
        guard let known = knownMembers else { return }
        // A member that no response shows, such as a new password, changes nothing that a client can see.
        let others = members.keys.filter { !known.contains($0) && !SecretNameSet.usual.contains($0) }.sorted()
        guard !others.isEmpty else { return }
        throw unprocessable(
            "does not know what a patch changes by \(others.joined(separator: ", ")), which the entities do not have",
            advice: nil
        )
    }

    private func change(
        _ request: ReceivedRequest,
        _ target: MockTarget,
        _ make: @Sendable (JSONValue?, JSONValue) -> JSONValue
    ) throws(MockRejection) -> StubResponse {
        guard let sent = value(of: request) else { throw rejection(400, "The body has no value.") }
        return try store.update(target.collection) { (collection) throws(MockRejection) in
            let index = collection.index(of: target.id ?? "")
            let old = index.map { collection.items[$0].value }
            try checkCondition(of: request, old, exists: old != nil || target.id == nil)
            let isCreation = old == nil && target.id != nil
            if isCreation, !operation.createsByUpdate { throw missing(target) }
            // A singleton has a value before it is written.
            let start = target.id == nil ? operation.schemas.example(of: operation.value) : JSONValue?.none
            let new = completed(make(old ?? start, sent))
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
            return operation.response(kept, status: isCreation ? 201 : 200).header("ETag", kept.entityTag)
        }
    }

    private var example: JSONValue { operation.schemas.example(of: operation.element) }

    /// Returns the entity that a draft becomes, which is not added yet.
    private func entity(
        of draft: JSONValue,
        in collection: inout MockStore.Collection,
        _ coding: EntityCoding
    ) throws(MockRejection) -> (id: String, value: JSONValue) {
        let whole = completed(draft)
        guard let path = coding.idPath else {
            guard let id = coding.id(of: whole) else { throw unsupported(
                    "does not know which members are the id",
                    advice: "Use a draft that has them"
                ) }
            if collection.index(of: id) != nil { throw conflict(id) }
            return (id, whole)
        }
        if let given = draft.value(at: path), !given.isNull {
            let id = UUID.normalized(given.plainText)
            if collection.index(of: id) == nil { return (id, try decodable(whole, coding)) }
            // A number or a UUID is the server's to give; a name is the client's.
            if given.intValue == nil, UUID(uuidString: id) == nil, Int(id) == nil { throw conflict(id) }
        }
        let assigned = collection.nextID(like: example.value(at: path) ?? .null) { id in
            coding.problem(of: whole.setting(id, at: path)) == nil
        }
        guard let assigned else { throw unsupported(
                "knows no id that such an entity can have",
                advice: "Use a draft that has the id \(path.pathDescription)"
            ) }
        return (UUID.normalized(assigned.plainText), try decodable(whole.setting(assigned, at: path), coding))
    }

    private func conflict(_ id: String) -> MockRejection { rejection(409, "There is an entity \(id) already.") }

    /// Returns an entity that the declared decoder reads, or whose problem is the client's.
    private func decodable(_ value: JSONValue, _ coding: EntityCoding) throws(MockRejection) -> JSONValue {
        // A value that the schema does not allow is an error of the client; the mock cannot complete the others.
        if problem(of: value) == nil, let problem = coding.problem(of: value) {
            throw unprocessable("cannot make an entity of this body (\(problem))", advice: nil)
        }
        return value
    }

    /// Returns the path at which a new entity is read.
    private func location(of id: String, in collection: String, _ request: ReceivedRequest) -> String {
        let own = operation.template.split(separator: "/").count
        // As it was sent: a decoded path may have characters that no header field can have.
        let sent = request.path.split(separator: "/").map(String.init)
        guard let (template, place) = operation.reading else {
            return (sent + [PercentEncoding.encode(id)]).map { "/\($0)" }.joined()
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
            let allowsNull = operation.schemas.problem(of: .null, property.schema) == nil
            let isMissing = member.map { $0.isNull && !allowsNull } ?? true
            if !isMissing, let member {
                return value.setting(completed(member, property.schema), at: [.key(property.key)])
            }
            guard property.isRequired else { return value }
            return value.setting(operation.schemas.example(of: property.schema), at: [.key(property.key)])
        }
    }

    /// Throws if a condition of the request does not hold for an entity.
    private func checkCondition(
        of request: ReceivedRequest,
        _ value: JSONValue?,
        exists: Bool = true
    ) throws(MockRejection) {
        // A condition on an entity that is not known, and not created either, does not matter.
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
    /// Returns the document with an id from a path, of the type of an example.
    fileprivate func settingID(_ id: String, at path: [EnvelopeKey], like example: JSONValue) -> JSONValue {
        let number = example.value(at: path)?.intValue == nil ? nil : Int(id)
        return setting(number.map(JSONValue.integer) ?? .string(id), at: path)
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
