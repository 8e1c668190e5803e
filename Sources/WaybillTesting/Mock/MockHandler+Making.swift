import Foundation
import Waybill
import WaybillDescription

extension MockHandler {
    var example: JSONValue { operation.elementExample }

    /// Returns a new entity made from a draft, and its id, without adding it to the collection.
    func newEntity(
        of draft: JSONValue,
        in collection: inout MockStore.Collection,
        _ coding: EntityCoding
    ) throws(MockRejection) -> (id: String, value: JSONValue) {
        let whole = completed(draft)
        guard let path = coding.idPath else {
            guard let id = coding.id(of: whole) else {
                throw unsupported("does not know which members are the id", advice: "Use a draft that has them")
            }
            if collection.index(of: id) != nil { throw conflict(id) }
            return (id, whole)
        }
        if let given = draft.value(at: path), !given.isNull {
            let id = UUID.normalized(given.plainText)
            if collection.index(of: id) == nil { return (id, try decodable(whole, coding)) }
            // The id is taken. The server can replace a number or a UUID, but not a name, which is the client's choice.
            if given.intValue == nil, UUID(uuidString: id) == nil, Int(id) == nil { throw conflict(id) }
        }
        let assigned = collection.nextID(like: example.value(at: path) ?? .null) { id in
            coding.problem(of: whole.setting(id, at: path)) == nil
        }
        guard let assigned else {
            throw unsupported(
                "knows no id that such an entity can have",
                advice: "Use a draft that has the id \(path.pathDescription)"
            )
        }
        return (UUID.normalized(assigned.plainText), try decodable(whole.setting(assigned, at: path), coding))
    }

    private func conflict(_ id: String) -> MockRejection { rejection(409, "The entity \(id) already exists.") }

    /// Returns a value unchanged; throws if it matches the schema but does not decode.
    private func decodable(_ value: JSONValue, _ coding: EntityCoding) throws(MockRejection) -> JSONValue {
        // A value that violates the schema is a client error, which a later check reports.
        if problem(of: value) == nil, let problem = coding.problem(of: value) {
            throw unprocessable("cannot make an entity of this body (\(problem))", advice: nil)
        }
        return value
    }

    /// Returns the path and query for reading a new entity.
    func location(of id: String, in collection: String, _ request: ReceivedRequest) -> String {
        let own = operation.template.split(separator: "/").count
        // Uses the path as sent: a decoded path may contain characters that are invalid in a header field.
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
        // In a stub, the path may begin with the path of the base URL.
        let base = sent.prefix(max(0, sent.count - own)).map { "/\($0)" }.joined()
        let query =
            if case .query(let name)? = place.id {
                "?\(PercentEncoding.encode(name))=\(PercentEncoding.encode(id))"
            } else {
                ""
            }
        return "\(base)/\(path)\(query)"
    }

    /// Returns the reason that an entity violates the schema, or nil if it is valid.
    func problem(of entity: JSONValue) -> String? {
        operation.schemas.problem(of: entity, operation.element, isStrict: true)
    }

    /// Returns the entity after an update; members that the request body cannot contain are unchanged.
    ///
    /// - Parameters:
    ///   - old: the entity before the update; nil if it is new.
    ///   - new: the value in the body, with the keys of the entity.
    /// - Returns: the updated entity.
    func replaced(_ old: JSONValue?, by new: JSONValue) -> JSONValue {
        guard let old, let possible = operation.sentMembers else { return new }
        return replaced(old, by: new, possible, operation.element)
    }

    private func replaced(
        _ old: JSONValue,
        by new: JSONValue,
        _ possible: JSONValue,
        _ schema: JSONSchema
    ) -> JSONValue {
        guard case .object(let properties)? = operation.schemas.resolving(schema)?.form,
            let oldMembers = old.objectValue, var members = new.objectValue, possible.objectValue != nil
        else { return new }
        for property in properties {
            guard let oldMember = oldMembers[property.key] else { continue }
            if let member = members[property.key], let inner = possible[property.key] {
                members[property.key] = replaced(oldMember, by: member, inner, property.schema)
            } else if members[property.key] == nil, possible[property.key] == nil {
                members[property.key] = oldMember
            }
        }
        return .object(members)
    }

    /// Returns a value with its missing required members filled in from the old entity or from examples.
    func completed(_ value: JSONValue, from old: JSONValue? = nil) -> JSONValue {
        completed(value, operation.element, old, example)
    }

    private func completed(
        _ value: JSONValue,
        _ schema: JSONSchema,
        _ old: JSONValue?,
        _ example: JSONValue
    ) -> JSONValue {
        guard case .object(let properties)? = operation.schemas.resolving(schema)?.form, value.objectValue != nil
        else {
            return value
        }
        return properties.reduce(value) { value, property in
            let member = value[property.key]
            let allowsNull = operation.schemas.problem(of: .null, property.schema) == nil
            let isMissing = member.map { $0.isNull && !allowsNull } ?? true
            let example = example[property.key] ?? operation.schemas.example(of: property.schema)
            if !isMissing, let member {
                let whole = completed(member, property.schema, old?[property.key], example)
                return value.setting(whole, at: [.key(property.key)])
            }
            guard property.isRequired else { return value }
            let known = old?[property.key].flatMap { $0.isNull ? JSONValue?.none : $0 }
            // In a form, an empty array has no items.
            let empty = operation.readsForm ? operation.empty(property.schema) : JSONValue?.none
            return value.setting(empty ?? known ?? example, at: [.key(property.key)])
        }
    }
}
