import Foundation
import Waybill
import WaybillTesting

/// A server with teams, projects, and tasks for several users.
///
/// It follows the standards rather than the mock: keys follow draft-ietf-httpapi-idempotency-key-header-07, as in
/// ``KeyedServer``. The network, the server, and its intermediaries fail at random points chosen by the seed.
final class SimulatedServer: Sendable {
    /// A request with a key, or an unfinished request without one.
    struct Processing: Sendable {
        let user: String
        let request: ReceivedRequest
        /// The response, or `nil` while the request is being processed.
        var response: StubResponse?
        /// The number of arrived requests at which this one is processed.
        var due = 0
    }

    struct State: Sendable {
        /// The items by ID, by the path of their collection, which starts with the user.
        var items: [String: [Int: JSONValue]] = [:]
        /// The items that their user may not access.
        var forbidden: Set<Int> = []
        /// The user of every item ever created.
        var owners: [Int: String] = [:]
        /// Tombstones of deleted teams by ID and by the path of their collection, for lists of changes.
        var deleted: [String: [Int: JSONValue]] = [:]
        var clock = 1_000
        var nextID = 1
        var arrivals = 0
        var keys: [String: Processing] = [:]
        var unkeyed: [Processing] = []
        /// The number of times that each item was created, by origin.
        var created: [String: Int] = [:]
        /// The number of times that each change was applied, by mark.
        var applied: [String: Int] = [:]
        var random: StoreGenerator
        var hasFaults = true
        /// The number of writes that a firewall still rejects.
        var blockade = 0
        /// Whether all writes are processed but all their responses are lost.
        var losesResponses = false
        /// Requests that a client must never send.
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
        case offline, lostRequest, lostResponse, unavailable, failed, busy, signedOut, slow, keptFailure
        // These come from intermediaries.
        case forbidden, tooLarge, blocked
        /// The response is lost, and then a firewall rejects several writes.
        case lostBeforeBlockade
    }

    private func respond(to request: ReceivedRequest) -> StubResponse {
        state.withLock { state in
            var fault =
                state.hasFaults && state.random.chance(rules.faults)
                ? state.random.element(of: Fault.allCases) : nil
            if request.method != .get, state.hasFaults, state.blockade > 0 {
                state.blockade -= 1
                fault = .forbidden
            }
            trace(
                "  \(request.method) \(request.path)\(request.query.map { "?" + $0 } ?? "") \(request.text)",
                " \(request.headerFields["Idempotency-Key"] ?? "")" + (fault.map { " meets \($0)" } ?? "")
            )
            let lost = StubResponse.failure(TransportError(.connectionLost))
            switch fault {
            case .offline: return .failure(TransportError(.cannotConnect))
            case .lostRequest: return lost
            case .unavailable:
                return StubResponse(status: 503, headerFields: [HTTPField(name: .retryAfter, value: "30")])
            case .failed: return .status(500)
            case .busy: return .status(429)
            case .signedOut: return .status(401)
            case .forbidden: return .status(403)
            case .tooLarge: return .status(413)
            case .blocked: return .status(400)
            case .lostBeforeBlockade: state.blockade = 4
            case .lostResponse, .slow, .keptFailure, nil: break
            }
            let processing = fault == .slow ? state.random.element(of: [2, 5, 12]) : nil
            let response = state.receive(request, rules, after: processing, fails: fault == .keptFailure)
            let isLost =
                [.lostResponse, .lostBeforeBlockade, .slow].contains(fault)
                || state.losesResponses && request.method != .get
            trace("    \(isLost ? "lost" : "\(response.status.code)")")
            return isLost ? lost : response
        }
    }
}

extension SimulatedServer.State {
    /// Handles a request that has passed the intermediaries.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - rules: The rules.
    ///   - count: The number of further requests after which it is processed, or `nil` to process it at once.
    ///   - fails: Whether the server fails before doing anything.
    /// - Returns: The response.
    fileprivate mutating func receive(
        _ request: ReceivedRequest,
        _ rules: SimulationRules,
        after count: Int?,
        fails: Bool
    ) -> StubResponse {
        arrivals += 1
        finish(rules)
        let user = request.headerFields["Authorization"]?.split(separator: " ").last.map(String.init) ?? ""
        check(request, of: user)
        guard request.method != .get else { return fails ? .status(500) : respond(to: request, of: user, rules) }
        let key = rules.hasKeys ? request.headerFields["Idempotency-Key"].map { "\(user) \($0)" } : nil
        if let key, let known = keys[key] {
            guard known.request.text == request.text, known.request.method == request.method else {
                violations.append("another request under a key: \(request.method) \(request.path) \(request.text)")
                return .status(422)
            }
            return known.response ?? .status(409)
        }
        // Access is checked before a result is stored.
        if isForbidden(request, of: user) { return .status(403) }
        var processing = SimulatedServer.Processing(user: user, request: request)
        if let count {
            processing.due = arrivals + count
            if let key { keys[key] = processing } else { unkeyed.append(processing) }
            return .status(202)
        }
        let response = fails ? .status(500) : respond(to: request, of: user, rules)
        processing.response = response
        if let key { keys[key] = processing }
        return response
    }

    /// Processes requests that are due, or all of them.
    mutating func finish(_ rules: SimulationRules, all: Bool = false) {
        let now = all ? .max : arrivals
        for (key, processing) in keys.sorted(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) })
        where processing.response == nil && processing.due <= now {
            let response = respond(to: processing.request, of: processing.user, rules)
            keys[key]?.response = response
        }
        let due = unkeyed.filter { $0.due <= now }
        unkeyed.removeAll { $0.due <= now }
        for processing in due { _ = respond(to: processing.request, of: processing.user, rules) }
    }

    /// Records what a client must never send: a temporary ID, or another user's data.
    private mutating func check(_ request: ReceivedRequest, of user: String) {
        let body = try? request.decode(JSONValue.self)
        var faults: [String] = []
        if request.path.contains("-9007") || (body?.description ?? "").contains("-9007") { faults.append("own id") }
        for segment in request.path.split(separator: "/") {
            if let id = Int(segment), let owner = owners[id], owner != user { faults.append("item of \(owner)") }
        }
        let marks = body?["marks"]?.objectValue?.keys.map(\.self) ?? []
        for origin in marks + [body?["origin"]?.stringValue ?? "server"] {
            let author = origin.prefix { $0 != "-" }
            if author != "server", author != user { faults.append("written by \(author)") }
        }
        violations += faults.map { "\($0) in \(user)'s \(request.method) \(request.path) \(body?.description ?? "")" }
    }
}
