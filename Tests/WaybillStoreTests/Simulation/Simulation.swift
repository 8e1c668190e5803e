import Foundation
import Waybill
import WaybillTesting

@testable import WaybillStore

/// A simulation run.
struct Simulation {
    private var random: StoreGenerator
    private let server: SimulatedServer
    private let clients: [SimulatedClient]
    private let now = Locked(Date(timeIntervalSince1970: 1_700_000_000))
    private var found: [String] = []
    private(set) var steps = 0

    init(seed: UInt64) async throws {
        random = StoreGenerator(seed: seed)
        for _ in 0..<4 { _ = random.next() }
        let rules = SimulationRules(&random)
        server = SimulatedServer(rules, seed: random.next())
        var clients: [SimulatedClient] = []
        for name in ["a", "b", "c"].prefix(Int(random.next() >> 8 % 3) + 1) {
            clients.append(try await SimulatedClient(name, server, now))
        }
        self.clients = clients
    }

    /// Runs the simulation, and returns the problems found.
    mutating func problems() async throws -> [String] {
        trace("\(server.rules)")
        let count = Int(random.next() >> 8 % 40) + 20
        while steps < count {
            trace("-- step \(steps)")
            try await step()
            try await check("step \(steps)")
            steps += 1
        }
        try await heal()
        try await checkEffects()
        for client in clients {
            for user in server.rules.users {
                try await client.become(user, inNewProcess: false)
                try await client.discardAll()
                for _ in 0..<3 { try await synchronize(client, whole: true) }
                try await compare(client)
            }
            await client.store.close()
        }
        return found
    }

    private mutating func step() async throws {
        guard let client = random.element(of: clients) else { return }
        let rules = server.rules
        switch random.next() >> 8 % 30 {
        case 0...10: try await client.write(&random)
        case 11...14: try await synchronize(client)
        case 15...16: editAtServer()
        case 17: now.withLock { $0 += TimeInterval(random.next() >> 8 % 60) }
        case 18:
            var random = random
            try await client.endProcess(after: Int(random.next() >> 8 % 40) + 1) { try await client.write(&random) }
            self.random = random
        case 19...20:
            let calls = Int(random.next() >> 8 % 150) + 1
            try await client.endProcess(after: calls) { _ = try await client.store.synchronize() }
        case 21...22: try await client.decide(&random)
        case 23...24:
            guard rules.users.count > 1, let user = random.element(of: rules.users) else { return }
            try await client.become(user, inNewProcess: random.chance(0.3))
        case 25...26: if rules.hasRevocations { changeAccess() }
        case 27: if rules.hasUpdate { try await client.update() }
        default:
            guard rules.hasDiskErrors, let fault = random.element(of: FaultyLibrary.Fault.all) else { return }
            let (call, writes) = (Int(random.next() >> 8 % 120) + 1, random.chance(0.3))
            var random = random
            try await client.failDisk(at: call, by: fault) {
                if writes { try await client.write(&random) } else { try await client.store.synchronize() }
            }
            self.random = random
        }
    }

    /// Checks what must hold at every moment.
    private mutating func check(_ moment: String) async throws {
        let (created, applied) = server.change { ($0.created, $0.applied) }
        for client in clients {
            for problem in try await client.wrongRows() { found.append("\(moment), \(client.name): \(problem)") }
            for entry in try await client.falselyUnapplied(created, applied) {
                found.append("\(moment), \(client.name) says that it was not applied: \(entry) \(entry.content)")
            }
        }
    }

    private func synchronize(_ client: SimulatedClient, whole: Bool = false) async throws {
        trace("\(client.name) synchronizes")
        try await client.declareAll()
        let report = try await client.store.synchronize(whole: whole)
        trace("  \(report.waiting) \(report.failures)")
    }

    /// Changes, creates, or deletes an item on the server, as another program would.
    private mutating func editAtServer() {
        let account = clients.randomAccount(&random)
        let (choice, pick) = (random.next() >> 8 % 10, random)
        server.change { state in
            var pick = pick
            let paths = state.items.keys.filter { $0.hasPrefix("\(account)/") }.sorted()
            let path = pick.element(of: paths) ?? "\(account)/teams"
            let item = pick.element(of: (state.items[path] ?? [:]).sorted { $0.key < $1.key }.map(\.value))
            guard choice > 2, let item, let id = item["id"]?.intValue else {
                let id = state.nextID
                state.nextID += 1
                let name = JSONValue.string("server-\(id)")
                _ = state.put(["id": .integer(id), "origin": name, "name": name], in: path)
                return
            }
            trace("the server changes \(path) \(id), choice \(choice)")
            if choice == 3 { return state.delete(id, in: path) }
            let mark = "server-\(state.clock)"
            let changes: JSONValue =
                choice < 6 ? ["name": .string(mark)] : ["marks": .object([mark: true]), "unknown": .string(mark)]
            _ = state.put(item.applying(mergePatch: changes), in: path)
        }
        _ = random.next()
    }

    /// Revokes or restores access to an item.
    private mutating func changeAccess() {
        let pick = random
        server.change { state in
            var pick = pick
            let ids = state.items.values.flatMap(\.keys).sorted()
            guard let id = pick.element(of: pick.chance(0.5) ? state.forbidden.sorted() : ids) else { return }
            if state.forbidden.remove(id) == nil { state.forbidden.insert(id) }
            trace("access to \(id): \(!state.forbidden.contains(id))")
        }
        _ = random.next()
    }

    /// Loses all responses for a while, so that everything pending is sent twice.
    ///
    /// Then removes all faults, and synchronizes until nothing more can be sent.
    private mutating func heal() async throws {
        let rules = server.rules
        let givesAccess = random.chance(0.5)
        server.change { state in
            state.hasFaults = false
            state.finish(rules, all: true)
            state.losesResponses = true
        }
        for client in clients { try await synchronize(client) }
        try await check("after lost responses")
        server.change { state in
            state.losesResponses = false
            if givesAccess { state.forbidden = [] }
        }
        for round in 0..<24 {
            now.withLock { $0 += 3_600 }
            var isDone = round > 3
            for client in clients {
                for user in rules.users {
                    try await client.become(user, inNewProcess: false)
                    try await synchronize(client)
                    let entries = try await client.store.outbox.entries()
                    for entry in entries {
                        switch entry.state {
                        case .waiting(.turn), .waiting(.until): isDone = false
                        default: break
                        }
                    }
                }
            }
            if isDone { break }
        }
        try await check("at the end")
    }

    private mutating func checkEffects() async throws {
        let state = server.change { $0 }
        found += state.violations
        for (origin, count) in state.created where count > 1 { found.append("\(origin) was created \(count) times") }
        for (mark, count) in state.applied where count > 1 { found.append("\(mark) was applied \(count) times") }
        let items = Dictionary(
            state.items.values.flatMap(\.values).map { ($0["origin"]?.stringValue ?? "", $0) }
        ) { first, _ in first }
        for client in clients {
            let entries = try await client.store.outbox.entries().filter { $0.state != .waiting(.otherUser) }
            if !entries.isEmpty, !entries.contains(where: \.state.needsAttention) {
                found.append("\(client.name) waits for nothing: \(entries)")
            }
            let pending = try await client.pendingOrigins()
            for origin in client.created where state.created[origin] == nil {
                if !pending.contains(origin), !client.deleted.contains(origin) {
                    found.append("the creation of \(origin) is lost")
                }
            }
            for (origin, mark) in client.marks where !pending.contains(origin) {
                if let item = items[origin], item["marks"]?[mark] == nil { found.append("\(mark) of \(item) is lost") }
            }
        }
    }

    /// Compares a client's rows with the items visible to its user.
    private mutating func compare(_ client: SimulatedClient) async throws {
        let state = server.change { $0 }
        let paths = state.items.keys.filter { $0.hasPrefix("\(client.account)/") && state.isVisible($0) }.sorted()
        for path in paths {
            let collection = client.collection(below: path.split(separator: "/").compactMap { Int($0) })
            let number = try await collection.context.number(in: client.store.core)
            let rows = try await client.store.core.read { (connection) throws(StoreError) in
                try connection.rows(where: "collection = ? AND is_deleted = 0", [.integer(number)]).map(\.document)
            }
            let sorted = rows.sorted { $0["id"]?.intValue ?? 0 < $1["id"]?.intValue ?? 0 }
            let expected = state.visible(in: path).map { SimulatedServer.State.form($0, client.isNew) }
            if sorted != expected {
                found.append("\(client.name) has at \(path): \(sorted), and the server \(expected)")
            }
        }
    }
}

extension [SimulatedClient] {
    fileprivate func randomAccount(_ random: inout StoreGenerator) -> String {
        random.element(of: map(\.account)) ?? ""
    }
}
