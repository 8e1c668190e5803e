import Foundation
import Waybill
import WaybillStore
import WaybillTesting

/// A server with separate items for each user, in lists selected by path, query, or header field.
///
/// A request's bearer token is its user's name.
final class AccountServer: Sendable {
    struct State: Sendable {
        /// The items by user, path, query, and tenant, such as `ada /notes?team=7`.
        var items: [String: [JSONValue]] = [:]
        /// The requests, such as `ada POST /notes?team=7`.
        var requests: [String] = []
        /// The bodies of the writes.
        var bodies: [JSONValue] = []
        var nextID = 100
        var isOffline = false
        /// Users whose tokens are rejected.
        var rejected: Set<String> = []
        /// The faults of the next writes, each used once.
        var faults: [Fault] = []
    }

    enum Fault: Sendable {
        case status(Int)
        /// The response waits for a gate. The other gate opens when the request arrives.
        case held(Gate, arrived: Gate)
        case lostResponse
    }

    private let lock = NSLock()
    private nonisolated(unsafe) var state = State()

    /// Creates a server with the notes of its users.
    init(_ notes: [String: [JSONValue]] = [:]) { change { $0.items = notes } }

    @discardableResult
    func change<Value>(_ body: (inout State) -> Value) -> Value { lock.withLock { body(&state) } }

    /// Returns the write requests since the last call.
    func takeWrites() -> [String] {
        change { state in
            defer { state.requests = [] }
            return state.requests.filter { !$0.contains(" GET ") }
        }
    }

    var transport: StubTransport {
        StubTransport { request in
            if self.change({ $0.isOffline }) { return .failure(TransportError(.cannotConnect)) }
            let isWrite = request.method != .get
            let fault = self.change { $0.faults.isEmpty || !isWrite ? nil : $0.faults.removeFirst() }
            switch fault {
            case nil: return self.respond(to: request)
            case .status(let code):
                self.note(request)
                return .status(.init(code: code))
            case .held(let gate, let arrived):
                defer { arrived.open() }
                return self.respond(to: request).held(by: gate)
            case .lostResponse:
                _ = self.respond(to: request)
                return .failure(TransportError(.connectionLost))
            }
        }
    }

    private func user(of request: ReceivedRequest) -> String {
        String(request.headerFields[.authorization]?.split(separator: " ").last ?? "none")
    }

    private func note(_ request: ReceivedRequest) {
        let query = request.query.map { "?\($0)" } ?? ""
        let tenant = request.headerFields["X-Tenant"].map { " for \($0)" } ?? ""
        let text = "\(user(of: request)) \(request.method) \(request.path)\(query)\(tenant)"
        change { state in
            state.requests.append(text)
            if let body = try? request.decode(JSONValue.self) { state.bodies.append(body) }
        }
    }

    /// Records a request and returns its response.
    func respond(to request: ReceivedRequest) -> StubResponse {
        note(request)
        let user = user(of: request)
        let segments = request.path.split(separator: "/")
        let id = segments.last.flatMap { Int($0) }
        let path = "/" + (id == nil ? segments : segments.dropLast()).joined(separator: "/")
        let tenant = request.headerFields["X-Tenant"].map { " for \($0)" } ?? ""
        let list = "\(user) \(path)\(request.query.map { "?\($0)" } ?? "")\(tenant)"
        return change { state in
            if state.rejected.contains(user) { return .status(401) }
            var items = state.items[list] ?? []
            let index = items.firstIndex { $0["id"]?.intValue == id }
            let body = (try? request.decode(JSONValue.self)) ?? [:]
            switch (request.method, id, index) {
            case (.get, nil, _): return .json(JSONValue.array(items).description)
            case (.post, nil, _):
                state.nextID += 1
                items.append(body.applying(mergePatch: ["id": .integer(state.nextID)]))
                state.items[list] = items
                return .json(items[items.count - 1].description)
            case (_, _?, nil): return .status(404)
            case (.get, _, let index?): return .json(items[index].description)
            case (.delete, _, let index?):
                items.remove(at: index)
                state.items[list] = items
                return .status(204)
            case (_, _, let index?):
                items[index] = request.method == .put ? body : items[index].applying(mergePatch: body)
                state.items[list] = items
                return .json(items[index].description)
            default: return .status(405)
            }
        }
    }
}

struct Note: Entity, Equatable {
    let id: Int
    var text: String

    struct Draft: RequestContent { var text: String }
}

extension JSONValue {
    static func note(_ id: Int, _ text: String) -> JSONValue { ["id": .integer(id), "text": .string(text)] }
}

/// Notes in lists selected by a path, a query, or a header field.
struct NotesAPI: API {
    let client: Client

    init(client: Client) { self.client = client }

    init(
        _ server: AccountServer,
        at url: String = "https://notes.example",
        token: @escaping @Sendable () -> String = { "ada" },
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) {
        client = Client(URL(string: url) ?? URL(fileURLWithPath: "/"), transport: server.transport) {
            Authorization(.bearer { token() })
            clauses()
        }
    }

    var notes: Resource<Note, ReadWrite> { resource("notes") }

    func notes(team: Int) -> Resource<Note, ReadWrite> { resource("notes") { Query("team", team) } }

    func notes(tenant: String) -> Resource<Note, ReadWrite> { resource("notes") { Header("X-Tenant", tenant) } }

    func comments(on note: Note.ID) -> Resource<Note, ReadWrite> { resource("notes/\(note)/comments") }
}
