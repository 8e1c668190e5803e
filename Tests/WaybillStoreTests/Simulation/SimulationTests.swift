import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Simulated days of clients, their server, its network, the time and the disk")
struct SimulationTests {
    /// The seeds that are tried: a few, those of `WAYBILL_SIMULATION_SECONDS`, or the one of `WAYBILL_SIMULATION_SEED`.
    private static let environment = ProcessInfo.processInfo.environment

    @Test("Nothing is lost or done twice, and all sides are equal at the end")
    func everythingAtOnce() async throws {
        if let seed = Self.environment["WAYBILL_SIMULATION_SEED"].flatMap({ UInt64($0) }) {
            return try await Self.run(seed)
        }
        guard let seconds = Self.environment["WAYBILL_SIMULATION_SECONDS"].flatMap({ Double($0) }) else {
            for seed in 1...Thoroughness.repetitions(12, otherwise: 4) { try await Self.run(UInt64(seed)) }
            return
        }
        let end = Date() + seconds
        var seed = UInt64.random(in: 1_000...UInt64.max / 2)
        var count = 0
        while Date() < end {
            try await Self.run(seed)
            (seed, count) = (seed + 1, count + 1)
        }
        print("\(count) seeds, from \(seed - UInt64(count))")
    }

    private static func run(_ seed: UInt64) async throws {
        do {
            var simulation = try await Simulation(seed: seed)
            for problem in try await simulation.problems() {
                Issue.record("WAYBILL_SIMULATION_SEED=\(seed): \(problem)")
            }
        } catch {
            Issue.record("WAYBILL_SIMULATION_SEED=\(seed): \(error)")
        }
    }
}

/// One run of a simulation.
private struct Simulation {
    private var random: StoreGenerator
    private let server: SimulatedServer
    private let clients: [SimulatedClient]
    private let now = Locked(Date(timeIntervalSince1970: 1_700_000_000))
    private var found: [String] = []

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

    /// Runs the simulation, and returns what was not as it has to be.
    mutating func problems() async throws -> [String] {
        trace("\(server.rules)")
        for step in 0..<(Int(random.next() >> 8 % 40) + 20) {
            trace("-- step \(step)")
            try await self.step()
            for client in clients {
                for row in try await client.hiddenWrites() {
                    found.append("step \(step): hidden in \(client.name): \(row)")
                }
            }
        }
        try await heal()
        try await checkEffects()
        for client in clients { try await client.discardAll() }
        for _ in 0..<3 {
            for client in clients { try await synchronize(client) }
        }
        for client in clients { try await compare(client) }
        for client in clients { await client.store.close() }
        return found
    }

    private mutating func step() async throws {
        guard let client = random.element(of: clients) else { return }
        switch random.next() >> 8 % 20 {
        case 0...10: try await client.write(&random)
        case 11...14: try await synchronize(client)
        case 15...16: editAtServer()
        case 17: now.withLock { $0 += TimeInterval(random.next() >> 8 % 60) }
        case 18:
            var random = random
            try await client.endProcess(after: Int(random.next() >> 8 % 40) + 1) { try await client.write(&random) }
            self.random = random
        default:
            let calls = Int(random.next() >> 8 % 150) + 1
            try await client.endProcess(after: calls) { _ = try await client.store.synchronize() }
        }
    }

    private func synchronize(_ client: SimulatedClient) async throws {
        trace("\(client.name) synchronizes")
        try await client.declareAll()
        let report = try await client.store.synchronize()
        trace("  \(report.waiting) \(report.failures)")
    }

    /// Changes, creates or deletes an item at the server, as another program would.
    private mutating func editAtServer() {
        let (choice, pick) = (random.next() >> 8 % 10, random)
        server.change { state in
            var pick = pick
            let path = pick.element(of: state.items.keys.sorted()) ?? "/teams"
            let item = pick.element(of: (state.items[path] ?? [:]).values.sorted { "\($0)" < "\($1)" })
            guard choice > 2, let item, let id = item["id"]?.intValue else {
                let id = state.nextID
                state.nextID += 1
                let name = JSONValue.string("s\(id)")
                _ = state.put(["id": .integer(id), "origin": name, "name": name], in: path)
                return
            }
            trace("the server changes \(path) \(id), choice \(choice)")
            if choice == 3 { return state.delete(id, in: path) }
            let mark = "s\(state.clock)"
            let changes: JSONValue =
                choice < 6 ? ["name": .string(mark)] : ["marks": .object([mark: true]), "unknown": .string(mark)]
            _ = state.put(item.applying(mergePatch: changes), in: path)
        }
        _ = random.next()
    }

    /// Lets everything work again, until nothing more can be sent.
    private mutating func heal() async throws {
        server.change { $0.hasFaults = false }
        for _ in 0..<6 {
            now.withLock { $0 += 3_600 }
            for client in clients { try await synchronize(client) }
        }
    }

    private mutating func checkEffects() async throws {
        let state = server.change { $0 }
        found += state.violations
        for (origin, count) in state.created where count > 1 { found.append("\(origin) was created \(count) times") }
        let items = Dictionary(
            state.items.values.flatMap(\.values).map { ($0["origin"]?.stringValue ?? "", $0) }
        ) { first, _ in first }
        for client in clients {
            let entries = try await client.store.outbox.entries()
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

    /// Compares the rows of a client with the server's items.
    private mutating func compare(_ client: SimulatedClient) async throws {
        let items = server.change { $0.items }
        for (path, expected) in items.sorted(by: { $0.key < $1.key }) {
            let segments = path.split(separator: "/")
            let ids = segments.compactMap { Int($0) }
            let collection =
                switch ids.count {
                case 0: client.teams
                case 1: client.projects(of: ids[0])
                default: client.tasks(of: ids[1], ids[0])
                }
            let number = try await collection.context.number(in: client.store.core)
            let rows = try await client.store.core.read { (connection) throws(StoreError) in
                try connection.rows(where: "collection = ? AND is_deleted = 0", [.integer(number)]).map(\.document)
            }
            let sorted = rows.sorted { $0["id"]?.intValue ?? 0 < $1["id"]?.intValue ?? 0 }
            if sorted != expected.sorted(by: { $0.key < $1.key }).map(\.value) {
                found.append("\(client.name) has at \(path): \(sorted), and the server \(expected.values)")
            }
        }
    }
}
