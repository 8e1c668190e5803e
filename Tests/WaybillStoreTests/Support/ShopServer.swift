import Foundation
import Waybill
import WaybillTesting

/// An in-memory server of products and reviews behind a stub transport, with entity tags, idempotency keys, and
/// faults.
final class ShopServer: Sendable {
    struct State: Sendable {
        /// The items by the path of their collection, and then by id.
        var items: [String: [Int: JSONValue]] = [:]
        var nextID = 100
        var keys: [String: JSONValue] = [:]
        /// The effects of writes in order, such as `POST /products`.
        var effects: [String] = []
        var isOffline = false
        /// The faults of the next requests, each used once.
        var faults: [Fault] = []
        var hasTags = false
        var clock = 1_000
        var pageSize: Int?
        /// Whether a batch response reports problems of individual items.
        var hasItemProblems = false
        /// Whether a new item with the name `bad` is rejected.
        var rejectsBadNames = false
        /// Modifies responses to batches.
        var changeBatch: (@Sendable (inout [JSONValue]) -> Void)?
    }

    enum Fault: Sendable {
        case status(Int, retryAfter: Int? = nil)
        /// The write takes effect, and its response is lost.
        case lostResponse
        /// The response waits for a gate. The other gate opens when the request arrives.
        case held(Gate, arrived: Gate? = nil)
    }

    private let lock = NSLock()
    private nonisolated(unsafe) var state = State()

    init(products: [JSONValue] = []) {
        change { state in
            state.items["/products"] = Dictionary(uniqueKeysWithValues: products.map { ($0["id"]?.intValue ?? 0, $0) })
        }
    }

    @discardableResult
    func change<Value>(_ body: (inout State) -> Value) -> Value { lock.withLock { body(&state) } }

    var effects: [String] { change { $0.effects } }

    func items(_ path: String = "/products") -> [JSONValue] {
        change { ($0.items[path] ?? [:]).sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Changes an item as another client would.
    func edit(_ id: Int, _ changes: JSONValue?, in path: String = "/products") {
        change { state in
            state.clock += 1
            guard let changes else {
                state.items[path]?[id] = nil
                return
            }
            let item = state.items[path]?[id] ?? ["id": .integer(id)]
            state.items[path]?[id] = item.applying(mergePatch: changes)
                .applying(mergePatch: ["updated_at": .integer(state.clock)])
        }
    }

    var transport: StubTransport {
        StubTransport { request in
            let (fault, isOffline) = self.change { state in
                (state.faults.isEmpty ? nil : state.faults.removeFirst(), state.isOffline)
            }
            if isOffline { return .failure(TransportError(.cannotConnect)) }
            switch fault {
            case nil: return self.respond(to: request)
            case .status(let code, let seconds):
                let fields = seconds.map { [HTTPField(name: .retryAfter, value: "\($0)")] } ?? []
                return StubResponse(status: .init(code: code), headerFields: HTTPFields(fields))
            case .lostResponse:
                _ = self.respond(to: request)
                return .failure(TransportError(.connectionLost))
            case .held(let gate, let arrived):
                defer { arrived?.open() }
                return self.respond(to: request).held(by: gate)
            }
        }
    }

    private func respond(to request: ReceivedRequest) -> StubResponse {
        change { state in
            if request.method == .post || request.method == .patch,
                let items = (try? request.decode(JSONValue.self))?.arrayValue
            {
                return state.batch(items, request)
            }
            let path = request.path
            let segments = path.split(separator: "/").map(String.init)
            let isItem = segments.count.isMultiple(of: 2)
            let collection = "/" + (isItem ? segments.dropLast() : segments[...]).joined(separator: "/")
            guard segments.count < 3 || state.items["/products"]?[Int(segments[1]) ?? 0] != nil else {
                return .status(404)
            }
            switch (request.method, isItem) {
            case (.get, false): return state.list(collection, request)
            case (.post, false):
                let key = request.headerFields["Idempotency-Key"]
                if let key, let item = state.keys[key] { return state.response(item, 201) }
                guard let draft = try? request.decode(JSONValue.self) else { return .status(400) }
                if state.rejectsBadNames, draft["name"] == "bad" { return .status(422) }
                state.nextID += 1
                let item = state.put(draft.applying(mergePatch: ["id": .integer(state.nextID)]), in: collection)
                if let key { state.keys[key] = item }
                state.effects.append("POST \(path)")
                return state.response(item, 201)
            default: return state.item(Int(segments.last ?? "") ?? 0, in: collection, request)
            }
        }
    }
}

extension ShopServer.State {
    fileprivate func list(_ collection: String, _ request: ReceivedRequest) -> StubResponse {
        var found = (items[collection] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        if let since = request.query("since").flatMap({ Int($0) }) {
            found = found.filter { $0["updated_at"]?.intValue ?? 0 >= since }
        } else {
            found = found.filter { $0["deleted"] == nil }
        }
        guard let pageSize else { return .json(JSONValue.array(found).description) }
        let page = request.query("page").flatMap { Int($0) } ?? 1
        let items = Array(found.dropFirst((page - 1) * pageSize).prefix(pageSize))
        return .json(JSONValue.array(items).description)
    }

    /// Creates or replaces several items.
    ///
    /// An item named `bad` fails alone if the response can report item problems. Otherwise, the whole batch fails.
    fileprivate mutating func batch(_ drafts: [JSONValue], _ request: ReceivedRequest) -> StubResponse {
        let collection = "/products"
        let key = request.headerFields["Idempotency-Key"]
        if let key, let known = keys[key] { return .json(known.description) }
        effects.append("\(request.method) \(request.path) \(drafts.count)")
        guard hasItemProblems || !drafts.contains(where: { $0["name"] == "bad" }) else { return .status(422) }
        var results: [JSONValue] = drafts.map { draft in
            if draft["name"] == "bad" { return ["error": "a bad name"] }
            if request.method == .patch { return put(draft, in: collection) }
            nextID += 1
            return put(draft.applying(mergePatch: ["id": .integer(nextID)]), in: collection)
        }
        if let key { keys[key] = .array(results) }
        changeBatch?(&results)
        return .json(JSONValue.array(results).description)
    }

    fileprivate mutating func item(_ id: Int, in collection: String, _ request: ReceivedRequest) -> StubResponse {
        let key = request.headerFields["Idempotency-Key"]
        if let key, let known = keys[key] { return response(known, 200) }
        guard let item = items[collection]?[id] else { return .status(404) }
        if let tag = request.headerFields[.ifMatch], tag != self.tag(item) { return .status(412) }
        switch request.method {
        case .get: return response(item, 200)
        case .delete:
            items[collection]?[id] = nil
            effects.append("DELETE \(request.path)")
            return .status(204)
        default:
            guard let body = try? request.decode(JSONValue.self) else { return .status(400) }
            let new = request.method == .patch ? item.applying(mergePatch: body) : body
            effects.append("\(request.method) \(request.path)")
            let stored = put(new, in: collection)
            if let key { keys[key] = stored }
            return response(stored, 200)
        }
    }

    fileprivate mutating func put(_ item: JSONValue, in collection: String) -> JSONValue {
        clock += 1
        let stored = item.applying(mergePatch: ["updated_at": .integer(clock)])
        items[collection, default: [:]][stored["id"]?.intValue ?? 0] = stored
        return stored
    }

    private func tag(_ item: JSONValue) -> String { "\"\(item["updated_at"]?.intValue ?? 0)\"" }

    fileprivate func response(_ item: JSONValue, _ status: Int) -> StubResponse {
        var response = StubResponse(status: .init(code: status), body: Data(item.description.utf8))
        response.headerFields = [HTTPField(name: .contentType, value: "application/json")]
        if hasTags { response.headerFields.append(HTTPField(name: .eTag, value: tag(item))) }
        return response
    }
}
