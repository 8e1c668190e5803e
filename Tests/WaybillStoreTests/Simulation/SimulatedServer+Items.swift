import Foundation
import Waybill
import WaybillTesting

// The simulated server's items. Version 2 of the API renames the member `name` to `title`.
extension SimulatedServer.State {
    /// Returns the path of a request under its user, without the API version.
    private func path(_ request: ReceivedRequest, _ user: String) -> String {
        "\(user)/" + request.path.split(separator: "/").dropFirst().joined(separator: "/")
    }

    /// Whether a request targets an item that its user may not access, or anything below one.
    func isForbidden(_ request: ReceivedRequest, of user: String) -> Bool {
        request.path.split(separator: "/").contains { Int($0).map(forbidden.contains) ?? false }
    }

    /// Whether the list's user may see it.
    func isVisible(_ path: String) -> Bool {
        !path.split(separator: "/").contains { Int($0).map(forbidden.contains) ?? false }
    }

    mutating func respond(to request: ReceivedRequest, of user: String, _ rules: SimulationRules) -> StubResponse {
        let isNew = request.path.hasPrefix("/v2/")
        let segments = path(request, user).split(separator: "/").map(String.init)
        if isForbidden(request, of: user) { return .status(403) }
        for depth in stride(from: 3, to: segments.count, by: 2) {
            let collection = segments[..<(depth - 1)].joined(separator: "/")
            guard items[collection]?[Int(segments[depth - 1]) ?? 0] != nil else { return .status(404) }
        }
        // Version 2 still accepts the old name, because a repeated request may come from version 1.
        var body = try? request.decode(JSONValue.self)
        if let title = body?["title"] { body = body?.applying(mergePatch: ["title": .null, "name": title]) }
        if !segments.count.isMultiple(of: 2) {
            let collection = segments.dropLast().joined(separator: "/")
            return item(Int(segments.last ?? "") ?? 0, in: collection, request, body, isNew, rules)
        }
        let collection = segments.joined(separator: "/")
        guard request.method == .post else { return list(collection, request, isNew, rules) }
        guard let body, body["name"] != "bad" else { return .status(422) }
        let id = nextID
        nextID += 1
        created[body["origin"]?.stringValue ?? "", default: 0] += 1
        noteMarks(of: body, in: nil)
        return response(put(body.applying(mergePatch: ["id": .integer(id)]), in: collection), isNew, rules)
    }

    private mutating func item(
        _ id: Int,
        in collection: String,
        _ request: ReceivedRequest,
        _ body: JSONValue?,
        _ isNew: Bool,
        _ rules: SimulationRules
    ) -> StubResponse {
        guard let item = items[collection]?[id] else { return .status(404) }
        if rules.hasTags, let tag = request.headerFields[.ifMatch], tag != Self.tag(item) { return .status(412) }
        switch request.method {
        case .get: return response(item, isNew, rules)
        case .delete:
            delete(id, in: collection)
            return .status(204)
        default:
            guard let body, body["name"] != "bad" else { return .status(422) }
            let isPatch = request.method == .patch
            if rules.checksOverwriting, let name = body["name"], let basis = body["basis"], name != item["name"],
                basis != item["name"]
            {
                violations.append("\(name), given to \(basis), overwrites \(item["name"] ?? .null)")
            }
            noteMarks(of: body, in: isPatch ? nil : item)
            return response(put(isPatch ? item.applying(mergePatch: body) : body, in: collection), isNew, rules)
        }
    }

    /// Counts the changes in a body, except those already in a replaced item.
    private mutating func noteMarks(of body: JSONValue, in item: JSONValue?) {
        for mark in body["marks"]?.objectValue?.keys.map(\.self) ?? [] where item?["marks"]?[mark] == nil {
            applied[mark, default: 0] += 1
        }
    }

    private func list(
        _ collection: String,
        _ request: ReceivedRequest,
        _ isNew: Bool,
        _ rules: SimulationRules
    ) -> StubResponse {
        var found = visible(in: collection)
        if let since = request.query("since").flatMap({ Int($0) }) {
            found = (found + (deleted[collection] ?? [:]).values)
                .filter { $0["updated_at"]?.intValue ?? 0 >= since }
                .sorted { $0["updated_at"]?.intValue ?? 0 < $1["updated_at"]?.intValue ?? 0 }
        }
        let size = rules.pageSize
        let page = request.query("page").flatMap { Int($0) } ?? 1
        let items = found.dropFirst((page - 1) * size).prefix(size).map { Self.form($0, isNew) }
        return .json(JSONValue.array(items).description)
    }

    /// Returns a list's items visible to its user, sorted by ID.
    func visible(in collection: String) -> [JSONValue] {
        (items[collection] ?? [:]).filter { !forbidden.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns an item in the format of an API version.
    static func form(_ item: JSONValue, _ isNew: Bool) -> JSONValue {
        guard isNew, let name = item["name"] else { return item }
        return item.applying(mergePatch: ["name": .null, "title": name])
    }

    mutating func put(_ item: JSONValue, in collection: String) -> JSONValue {
        clock += 1
        let stored = item.applying(mergePatch: ["updated_at": .integer(clock)])
        let id = stored["id"]?.intValue ?? 0
        owners[id] = collection.split(separator: "/").first.map(String.init)
        items[collection, default: [:]][id] = stored
        return stored
    }

    /// Deletes an item and everything below it.
    mutating func delete(_ id: Int, in collection: String) {
        clock += 1
        if collection.hasSuffix("/teams") {
            let tombstone: JSONValue = ["id": .integer(id), "updated_at": .integer(clock), "deleted": true]
            deleted[collection, default: [:]][id] = tombstone
        }
        items[collection]?[id] = nil
        for path in items.keys where path.hasPrefix("\(collection)/\(id)/") { items[path] = nil }
    }

    private static func tag(_ item: JSONValue) -> String { "\"\(item["updated_at"]?.intValue ?? 0)\"" }

    private func response(_ item: JSONValue, _ isNew: Bool, _ rules: SimulationRules) -> StubResponse {
        let response = StubResponse.json(Self.form(item, isNew).description)
        return rules.hasTags ? response.header("ETag", Self.tag(item)) : response
    }
}
