import Foundation
import Waybill
import WaybillDescription

extension MockHandler {
    func read(_ request: ReceivedRequest, _ target: MockTarget) throws(MockRejection) -> StubResponse {
        let stored = store.update(target.collection) { collection in
            collection.index(of: target.id ?? "").map { collection.items[$0].value }
        }
        // A singleton exists even without a seed.
        let first: JSONValue? = target.id == nil ? .some(operation.valueExample) : .none
        guard let value = try stored.map(viewed) ?? first else { throw missing(target) }
        return conditional(request, value, operation.response(value))
    }

    func list(_ request: ReceivedRequest, _ target: MockTarget) throws(MockRejection) -> StubResponse {
        let values = try store.update(target.collection) { (collection) throws(MockRejection) in
            let items = collection.items.map(\.value)
            guard let log = collection.log else { return items }
            let name = log.declaration.since
            if let changes = log.list(items, since: request.query(name)) { return changes }
            throw rejection(400, "The query item \(name) is neither a date by ISO 8601 nor a number of seconds.")
        }
        return try list(values, request, viewed)
    }

    /// Returns an entity in the operation's type, with missing required members added if its collection has several
    /// types.
    private func viewed(_ value: JSONValue) throws(MockRejection) -> JSONValue {
        guard operation.sharesCollection, let entity = operation.entity, entity.problem(of: value) != nil else {
            return value
        }
        let whole = completed(value)
        guard let problem = entity.problem(of: whole) else { return whole }
        throw unsupported(
            "contains an entity of another type that cannot be converted to this one (\(problem))",
            advice: "Give seeds with the members of both types"
        )
    }

    /// Returns the requested page of a list, or the whole list if no paging scheme is declared.
    ///
    /// - Parameters:
    ///   - values: all values.
    ///   - request: the request.
    ///   - view: a closure that converts a value to the form in which to send it.
    /// - Returns: the response.
    /// - Throws: a rejection if an entity lacks its id or cannot be sent in that form.
    func list(
        _ values: [JSONValue],
        _ request: ReceivedRequest,
        _ view: (JSONValue) throws(MockRejection) -> JSONValue = { value throws(MockRejection) in value }
    ) throws(MockRejection) -> StubResponse {
        guard let paging = operation.paging else {
            return conditional(request, .array(values), operation.response(try written(try values.map(view))))
        }
        let document = request.body.isEmpty ? nil : try? request.document(operation)
        let page = MockPage(
            values,
            request,
            document,
            paging.kind,
            startsOver: paging.startsOver,
            linkOrigin: operation.linkOrigin
        )
        var response = operation.response(try written(try page.values.map(view)), paging: page.members)
        for (name, value) in page.headerFields { response = response.header(name, value) }
        return conditional(request, .array(page.values), response)
    }

    /// Returns the values as a list of the declared form: an array, or an object keyed by id.
    ///
    /// - Throws: a rejection if an entity lacks its id.
    private func written(_ values: [JSONValue]) throws(MockRejection) -> JSONValue {
        guard let idKey = operation.idKey else { return .array(values) }
        var members: [String: JSONValue] = [:]
        for value in values {
            guard let id = value[idKey], !id.isNull else {
                throw unsupported(
                    "does not know the keys of the list, because an entity lacks the member \(idKey)",
                    advice: "Give seeds with that member, or another one to Envelope(keyedBy:)"
                )
            }
            members[id.plainText] = value
        }
        return .object(members)
    }

    /// Returns the rejection for an unknown entity.
    func missing(_ target: MockTarget) -> MockRejection {
        rejection(404, "There is no entity \(target.id ?? target.collection.path).")
    }

    private func conditional(
        _ request: ReceivedRequest,
        _ value: JSONValue,
        _ response: StubResponse
    ) -> StubResponse {
        if let condition = request.headerFields[.ifNoneMatch], condition.names(value.entityTag) {
            return StubResponse.status(304).header("ETag", value.entityTag)
        }
        return response.header("ETag", value.entityTag)
    }
}

extension JSONValue {
    /// The entity tag of the value: a checksum of its JSON text.
    var entityTag: String {
        let sum = description.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\"\(String(sum, radix: 16))\""
    }
}

extension String {
    /// Whether a condition lists an entity tag; `*` matches any.
    func names(_ tag: String?) -> Bool {
        guard let tag else { return false }
        return self == "*" || split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == tag }
    }
}
