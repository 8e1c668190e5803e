import Foundation
import Waybill
import WaybillTesting

/// The rules of a server in a simulation, drawn from a seed.
struct SimulationRules: Sendable {
    /// Whether items have entity tags, and `If-Match` is obeyed.
    let hasTags: Bool
    /// Whether the repetition of a POST or PATCH is known by a key.
    let hasKeys: Bool
    /// Whether the list of teams can be asked for changes.
    let hasDelta: Bool
    let pageSize: Int
    /// The probability that a request meets a fault.
    let faults: Double

    init(_ random: inout StoreGenerator) {
        hasTags = random.chance(0.5)
        hasKeys = random.chance(0.6)
        hasDelta = random.chance(0.5)
        pageSize = random.chance(0.5) ? Int(random.next() >> 8 % 4) + 2 : 100
        faults = [0, 0.1, 0.3][Int(random.next() >> 8 % 3)]
    }
}

extension StoreGenerator {
    mutating func chance(_ probability: Double) -> Bool {
        Double((next() >> 11) % 1_000_000) / 1_000_000 < probability
    }

    mutating func element<Value>(of values: [Value]) -> Value? {
        values.isEmpty ? nil : values[Int((next() >> 16) % UInt64(values.count))]
    }
}

/// Prints what a simulation does, if `WAYBILL_SIMULATION_TRACE` is set.
func trace(_ text: @autoclosure () -> String, _ more: @autoclosure () -> String = "") {
    if ProcessInfo.processInfo.environment["WAYBILL_SIMULATION_TRACE"] != nil { print(text() + more()) }
}

/// A server of teams, their projects and their tasks, with an error of the network, of the server or of the sign-in
/// wherever the seed wants one.
final class SimulatedServer: Sendable {
    struct State: Sendable {
        /// The items by the paths of their collections, and their ids.
        var items: [String: [Int: JSONValue]] = [:]
        /// The teams that were deleted, as the list of changes has them.
        var deleted: [Int: JSONValue] = [:]
        var clock = 1_000
        var nextID = 1
        var keys: [String: JSONValue] = [:]
        /// The number of times that an item was created, by its origin.
        var created: [String: Int] = [:]
        var random: StoreGenerator
        var hasFaults = true
        /// The requests that no client may send.
        var violations: [String] = []
    }

    let rules: SimulationRules
    private let state: Locked<State>

    init(_ rules: SimulationRules, seed: UInt64) {
        self.rules = rules
        state = Locked(State(random: StoreGenerator(seed: seed)))
    }

    func change<Value>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

    var transport: StubTransport { StubTransport { request in self.respond(to: request) } }

    private enum Fault: CaseIterable {
        case offline, lostRequest, lostResponse, unavailable, failed, busy, signedOut
    }

    private func respond(to request: ReceivedRequest) -> StubResponse {
        state.withLock { state in
            let fault =
                state.hasFaults && state.random.chance(rules.faults)
                ? state.random.element(of: Fault.allCases) : nil
            trace(
                "  \(request.method) \(request.path)\(request.query.map { "?" + $0 } ?? "") \(request.text)",
                fault.map { " meets \($0)" } ?? ""
            )
            switch fault {
            case .offline: return .failure(TransportError(.cannotConnect))
            case .lostRequest: return .failure(TransportError(.connectionLost))
            case .lostResponse:
                _ = state.respond(to: request, rules)
                return .failure(TransportError(.connectionLost))
            case .unavailable:
                return StubResponse(status: 503, headerFields: [HTTPField(name: .retryAfter, value: "30")])
            case .failed: return .status(500)
            case .busy: return .status(429)
            case .signedOut: return .status(401)
            case nil: return state.respond(to: request, rules)
            }
        }
    }
}

extension SimulatedServer.State {
    fileprivate mutating func respond(to request: ReceivedRequest, _ rules: SimulationRules) -> StubResponse {
        let body = try? request.decode(JSONValue.self)
        // An id that a client has made never leaves it.
        if request.path.contains("-9007") || (body?.description ?? "").contains("-9007") {
            violations.append("\(request.method) \(request.path) \(body?.description ?? "")")
        }
        let segments = request.path.split(separator: "/").map(String.init)
        for depth in stride(from: 2, to: segments.count, by: 2) {
            let collection = "/" + segments[..<(depth - 1)].joined(separator: "/")
            guard items[collection]?[Int(segments[depth - 1]) ?? 0] != nil else { return .status(404) }
        }
        let key = rules.hasKeys ? request.headerFields["Idempotency-Key"] : nil
        if let key, let known = keys[key] { return response(known, rules) }
        if segments.count.isMultiple(of: 2) {
            let collection = "/" + segments.dropLast().joined(separator: "/")
            return item(Int(segments.last ?? "") ?? 0, in: collection, request, body, key, rules)
        }
        guard request.method == .post else { return list(request, rules) }
        guard let body, body["name"] != "bad" else { return .status(422) }
        let id = nextID
        nextID += 1
        created[body["origin"]?.stringValue ?? "", default: 0] += 1
        let item = put(body.applying(mergePatch: ["id": .integer(id)]), in: request.path)
        if let key { keys[key] = item }
        return response(item, rules)
    }

    private mutating func item(
        _ id: Int,
        in collection: String,
        _ request: ReceivedRequest,
        _ body: JSONValue?,
        _ key: String?,
        _ rules: SimulationRules
    ) -> StubResponse {
        guard let item = items[collection]?[id] else { return .status(404) }
        if rules.hasTags, let tag = request.headerFields[.ifMatch], tag != Self.tag(item) { return .status(412) }
        switch request.method {
        case .get: return response(item, rules)
        case .delete:
            delete(id, in: collection)
            return .status(204)
        default:
            guard let body, body["name"] != "bad" else { return .status(422) }
            let new = put(request.method == .patch ? item.applying(mergePatch: body) : body, in: collection)
            if let key { keys[key] = new }
            return response(new, rules)
        }
    }

    private func list(_ request: ReceivedRequest, _ rules: SimulationRules) -> StubResponse {
        var found = (items[request.path] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        if let since = request.query("since").flatMap({ Int($0) }) {
            found = (found + deleted.values).filter { $0["updated_at"]?.intValue ?? 0 >= since }
                .sorted { $0["updated_at"]?.intValue ?? 0 < $1["updated_at"]?.intValue ?? 0 }
        }
        let size = rules.pageSize
        let page = request.query("page").flatMap { Int($0) } ?? 1
        return .json(JSONValue.array(Array(found.dropFirst((page - 1) * size).prefix(size))).description)
    }

    mutating func put(_ item: JSONValue, in collection: String) -> JSONValue {
        clock += 1
        let stored = item.applying(mergePatch: ["updated_at": .integer(clock)])
        items[collection, default: [:]][stored["id"]?.intValue ?? 0] = stored
        return stored
    }

    /// Deletes an item and what is below it.
    mutating func delete(_ id: Int, in collection: String) {
        clock += 1
        if collection == "/teams" {
            deleted[id] = ["id": .integer(id), "updated_at": .integer(clock), "deleted": true]
        }
        items[collection]?[id] = nil
        for path in items.keys where path.hasPrefix("\(collection)/\(id)/") { items[path] = nil }
    }

    private static func tag(_ item: JSONValue) -> String { "\"\(item["updated_at"]?.intValue ?? 0)\"" }

    private func response(_ item: JSONValue, _ rules: SimulationRules) -> StubResponse {
        let response = StubResponse.json(item.description)
        return rules.hasTags ? response.header("ETag", Self.tag(item)) : response
    }
}
