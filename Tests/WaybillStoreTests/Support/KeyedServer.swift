import Foundation
import Waybill
import WaybillTesting

/// A product server with idempotency keys, as in draft-ietf-httpapi-idempotency-key-header-07.
///
/// A key reused with another body gets a 422 (section 2.7), a key whose request is being processed gets a 409, and a
/// key with a result gets that result again, even a 412 or a 500.
final class KeyedServer: Sendable {
    /// The server's treatment of a request.
    enum Event: Sendable, Hashable, CustomStringConvertible {
        /// The request is rejected before the server checks its key, as by a firewall.
        case stopped(Int)
        /// The request is processed, and its response is lost.
        case lost
        /// The request does not arrive.
        case dropped
        /// The client gives up, and the server finishes processing at ``KeyedServer/finish()``.
        case slow
        /// The request fails without an effect, and the failure is stored under its key.
        case failed(Int)

        var description: String {
            switch self {
            case .stopped(let code): "stopped with \(code)"
            case .lost: "lost"
            case .dropped: "dropped"
            case .slow: "slow"
            case .failed(let code): "failed with \(code)"
            }
        }
    }

    private struct Result {
        let body: Data
        var response: StubResponse?
        let request: ReceivedRequest
    }

    struct State: Sendable {
        var items: [Int: JSONValue] = [:]
        var versions: [Int: Int] = [:]
        var hasTags = false
        var isOffline = false
        /// Whether a new item keeps its ID, in uppercase.
        var keepsIDs = false
        /// The items with client-assigned IDs.
        var named: [String: JSONValue] = [:]
        var nextID = 100
        /// The server's treatment of the next requests other than GET.
        var events: [Event] = []
        /// The requests that changed something.
        ///
        /// `POST 1` contains the number of items.
        var effects: [String] = []
        /// The keys and bodies of requests that arrived.
        var received: [(key: String, body: String)] = []
        /// Changes the state when the next request is about to be applied.
        var onArrival: (@Sendable (inout State) -> Void)?
    }

    private let lock = NSLock()
    private nonisolated(unsafe) var state = State()
    private nonisolated(unsafe) var results: [String: Result] = [:]

    init(_ items: [JSONValue] = []) {
        change { state in
            for item in items { state.put(item, id: item["id"]?.intValue ?? 0) }
        }
    }

    @discardableResult
    func change<Value>(_ body: (inout State) -> Value) -> Value { lock.withLock { body(&state) } }

    var names: [String] { change { $0.items.sorted { $0.key < $1.key }.compactMap { $0.value["name"]?.stringValue } } }

    /// Applies the requests that are still being processed.
    func finish() {
        lock.withLock {
            for (key, result) in results where result.response == nil {
                results[key]?.response = state.apply(result.request)
            }
        }
    }

    var transport: StubTransport { StubTransport { request in self.lock.withLock { self.respond(to: request) } } }

    private func respond(to request: ReceivedRequest) -> StubResponse {
        if state.isOffline { return .failure(TransportError(.cannotConnect)) }
        if request.method == .get { return state.read(request) }
        let event = state.events.isEmpty ? nil : state.events.removeFirst()
        let key = request.headerFields["Idempotency-Key"] ?? UUID().uuidString
        switch event {
        case .stopped(let code)?: return .status(.init(code: code))
        case .dropped?: return .failure(TransportError(.connectionLost))
        default: break
        }
        state.received.append((key, request.text))
        let lost = StubResponse.failure(TransportError(.connectionLost))
        if let known = results[key] {
            guard known.body == Data(request.text.utf8) else { return .status(422) }
            guard let response = known.response else { return .status(409) }
            return event == .lost ? lost : response
        }
        results[key] = Result(body: Data(request.text.utf8), request: request)
        state.onArrival?(&state)
        state.onArrival = nil
        if event == .slow { return lost }
        if case .failed(let code) = event {
            results[key]?.response = .status(.init(code: code))
            return .status(.init(code: code))
        }
        let response = state.apply(request)
        results[key]?.response = response
        return event == .lost ? lost : response
    }
}

extension KeyedServer.State {
    mutating func put(_ item: JSONValue, id: Int) {
        items[id] = item
        versions[id, default: 0] += 1
    }

    private func id(of request: ReceivedRequest) -> Int? {
        request.path.split(separator: "/").dropFirst().first.flatMap { Int($0) }
    }

    private func response(_ id: Int, _ code: Int = 200) -> StubResponse {
        guard let item = items[id] else { return .status(404) }
        let fields = hasTags ? [HTTPField(name: .eTag, value: "\"\(versions[id] ?? 0)\"")] : []
        return .json(item.description, status: .init(code: code), headers: HTTPFields(fields))
    }

    fileprivate func read(_ request: ReceivedRequest) -> StubResponse {
        if keepsIDs {
            let all = named.sorted { $0.key < $1.key }.map(\.value)
            let name = request.path.split(separator: "/").dropFirst().first.map(String.init)
            guard let name else { return .json(JSONValue.array(all).description) }
            return named[name].map { .json($0.description) } ?? .status(404)
        }
        guard let id = id(of: request) else {
            return .json(JSONValue.array(items.sorted { $0.key < $1.key }.map(\.value)).description)
        }
        return response(id)
    }

    fileprivate mutating func apply(_ request: ReceivedRequest) -> StubResponse {
        let body = (try? request.decode(JSONValue.self)) ?? .null
        if keepsIDs { return keep(body, request) }
        guard let id = id(of: request), request.method != .post else {
            return create(body, isBatch: body.arrayValue != nil)
        }
        guard let item = items[id] else { return .status(404) }
        if let tag = request.headerFields[.ifMatch], tag != "\"\(versions[id] ?? 0)\"" { return .status(412) }
        effects.append("\(request.method) \(id)")
        switch request.method {
        case .delete:
            items[id] = nil
            return .status(204)
        case .put: put(body, id: id)
        default: put(item.applying(mergePatch: body), id: id)
        }
        return response(id)
    }

    private mutating func keep(_ body: JSONValue, _ request: ReceivedRequest) -> StubResponse {
        let name = request.path.split(separator: "/").dropFirst().first.map(String.init)
        let id = name ?? body["id"]?.stringValue?.uppercased() ?? ""
        effects.append("\(request.method) \(name ?? "")")
        named[id] = (named[id] ?? [:]).applying(mergePatch: body).applying(mergePatch: ["id": .string(id)])
        return .json((named[id] ?? .null).description)
    }

    private mutating func create(_ body: JSONValue, isBatch: Bool) -> StubResponse {
        let drafts = body.arrayValue ?? [body]
        effects.append("POST \(drafts.count)")
        let created = drafts.map { draft in
            nextID += 1
            let item = draft.applying(mergePatch: ["id": .integer(nextID)])
            put(item, id: nextID)
            return item
        }
        return .json((isBatch ? .array(created) : created.first ?? .null).description, status: 201)
    }
}
