import Foundation
import Waybill
import WaybillTesting

@testable import WaybillStore

/// A team, a project or a task of the simulation.
struct SimulatedItem: Entity, Equatable {
    let id: Int
    /// The mark of its creation, which nothing changes.
    var origin: String
    var name: String
    /// The item above it.
    var parent: Int?
    /// One member for each change that was made of it.
    var marks: [String: Bool]?

    struct Draft: RequestContent {
        var origin: String
        var name: String
        var parent: Int?
    }
}

struct SimulatedAPI: API {
    let client: Client

    init(_ server: SimulatedServer) {
        let rules = server.rules
        client = Client(
            URL(string: "https://plan.example") ?? URL(fileURLWithPath: "/"),
            transport: server.transport
        ) {
            if rules.hasKeys { IdempotencyKey() }
            Paginated(.pageNumber("page", size: .query("size", rules.pageSize)))
        }
    }

    var teams: Resource<SimulatedItem, ReadWrite> { resource("teams") }

    func projects(of team: Int) -> Resource<SimulatedItem, ReadWrite> { resource("teams/\(team)/projects") }

    func tasks(of project: Int, _ team: Int) -> Resource<SimulatedItem, ReadWrite> {
        resource("teams/\(team)/projects/\(project)/tasks")
    }
}

/// SQLite of a process that ends at one of its calls: all further calls fail, but for those that give up.
final class EndingProcess: Sendable {
    private let calls = Locked((made: 0, end: Int.max))

    /// Lets the process end after a number of further calls.
    func end(after count: Int) { calls.withLock { $0.end = $0.made + count } }

    var hasEnded: Bool { calls.withLock { $0.made >= $0.end } }

    var library: SQLiteLibrary {
        SQLiteLibrary { [calls] call, make in
            let hasEnded = calls.withLock { calls in
                calls.made += 1
                return calls.made >= calls.end
            }
            return hasEnded && call.text != "ROLLBACK" ? ResultCode.inputOutput.rawValue : make()
        }
    }
}

/// A client of the simulation: a store in a file, and what is known of its writes.
final class SimulatedClient {
    let name: String
    private let folder = TemporaryFolder()
    private let server: SimulatedServer
    private let now: Locked<Date>
    private(set) var store: Store
    private var process = EndingProcess()
    private let seed: UInt64
    private var openings: UInt64 = 0

    /// The origins of items whose creation was confirmed.
    private(set) var created: Set<String> = []
    /// The marks of confirmed changes, with the origins of their items.
    private(set) var marks: [(origin: String, mark: String)] = []
    /// The origins of items that were deleted here, and of those below them.
    private(set) var deleted: Set<String> = []
    /// The marks of each row as they were seen last.
    private var seen: [Int64: Set<String>] = [:]
    private var count = 0

    init(_ name: String, _ server: SimulatedServer, _ now: Locked<Date>) async throws {
        (self.name, self.server, self.now) = (name, server, now)
        seed = name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } &* 1_000_003
        store = try await Self.open(folder.url, process, now, seed: seed)
        _ = teams
    }

    private static func open(
        _ folder: URL,
        _ process: EndingProcess,
        _ now: Locked<Date>,
        seed: UInt64
    ) async throws(StoreError) -> Store {
        try await Store(
            at: folder,
            settings: StoreSettings(backoff: .constant(.seconds(20)), concurrentCalls: 1, sendsByItself: false),
            library: process.library,
            clock: ManualClock(),
            dates: DateProvider { now.withLock { $0 } },
            randomNumberGenerator: StoreGenerator(seed: seed)
        )
    }

    var teams: StoredCollection<SimulatedItem, ReadWrite> {
        store.collection(SimulatedAPI(server).teams) {
            Conflicts(.merge(clash: .mine), readsBeforeWriting: server.rules.hasTags)
            if server.rules.hasDelta { Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted") }
            Index(\.name)
        }
    }

    func projects(of team: Int) -> StoredCollection<SimulatedItem, ReadWrite> {
        store.collection(SimulatedAPI(server).projects(of: team)) {
            Conflicts(.merge(clash: .mine), readsBeforeWriting: server.rules.hasTags)
        }
    }

    func tasks(of project: Int, _ team: Int) -> StoredCollection<SimulatedItem, ReadWrite> {
        store.collection(SimulatedAPI(server).tasks(of: project, team)) {
            Conflicts(.merge(clash: .mine), readsBeforeWriting: server.rules.hasTags)
        }
    }

    /// All collections of the rows that are there, which are declared by that.
    func collections() async throws -> [StoredCollection<SimulatedItem, ReadWrite>] {
        var all = [teams]
        for team in try await teams.elements() {
            let projects = projects(of: team.id)
            all.append(projects)
            for project in try await projects.elements() { all.append(tasks(of: project.id, team.id)) }
        }
        return all
    }

    /// Declares the collections that the file has, also those below items that are not seen.
    func declareAll() async throws {
        _ = try await collections()
        let urls = try await store.core.read { (connection) throws(StoreError) in
            try connection.query("SELECT address FROM collections", []) { $0.text(0) ?? "" }
        }
        for url in urls {
            let ids = url.split(separator: "/").compactMap { Int($0) }
            if ids.count == 1 { _ = projects(of: ids[0]) }
            if ids.count == 2 { _ = tasks(of: ids[1], ids[0]) }
        }
    }

    // MARK: Steps

    /// Lets the process end after a number of further calls of SQLite, and goes on in another one if it has.
    func endProcess(after calls: Int, during body: () async throws -> Void) async throws {
        process.end(after: calls)
        do { try await body() } catch {
            guard process.hasEnded else { throw error }
        }
        trace("\(name) \(process.hasEnded ? "ended and " : "")is opened again")
        await store.close()
        try await reopen()
    }

    private func reopen() async throws {
        process = EndingProcess()
        seen = [:]
        openings += 1
        store = try await Self.open(folder.url, process, now, seed: seed &+ openings)
        try await declareAll()
    }

    /// Makes one write that the random numbers choose.
    func write(_ random: inout StoreGenerator) async throws {
        let collections = try await collections()
        guard let collection = random.element(of: collections) else { return }
        let items = try await collection.elements()
        count += 1
        let mark = "\(name)\(count)"
        trace("\(name) writes \(mark) in \(collection.context.address)")
        switch random.next() >> 8 % 10 {
        case 0...3: try await create(mark, in: collection, isBad: random.chance(0.1), &random)
        case 4...7:
            guard let item = random.element(of: items) else { return }
            let isBad = random.chance(0.1)
            trace("  patch of \(item)")
            try await collection.patch(item.id) { item in
                item.marks = (item.marks ?? [:]).merging([mark: true]) { $1 }
                if isBad { item.name = "bad" }
            }
            if !isBad { marks.append((item.origin, mark)) }
        case 8:
            // Without a version, a PUT takes back what others have changed in between.
            guard server.rules.hasTags, let item = random.element(of: items) else { return }
            var new = item
            new.marks = (item.marks ?? [:]).merging([mark: true]) { $1 }
            try await collection.update(new)
            marks.append((item.origin, mark))
        default:
            guard let item = random.element(of: items) else { return }
            deleted.insert(item.origin)
            trace("  delete of \(item)")
            if collection.context.address == teams.context.address {
                for project in try await projects(of: item.id).elements() {
                    deleted.insert(project.origin)
                    deleted.formUnion(try await tasks(of: project.id, item.id).elements().map(\.origin))
                }
            } else if let team = Int(collection.context.address.split(separator: "/").dropLast().last ?? "") {
                deleted.formUnion(try await tasks(of: item.id, team).elements().map(\.origin))
            }
            try await collection.delete(item.id)
        }
    }

    /// Returns the origins of rows that show less than they did before.
    func hiddenWrites() async throws -> [String] {
        let rows = try await store.core.read { (connection) throws(StoreError) in try connection.rows(where: "1", []) }
        let marks = rows.map { ($0.number, Set($0.document["marks"]?.objectValue?.keys.map { $0 } ?? [])) }
        defer { seen = Dictionary(marks) { first, _ in first } }
        return zip(rows, marks).compactMap { row, marks in
            marks.1.isSuperset(of: seen[marks.0] ?? []) ? nil : row.document.description
        }
    }

    private func create(
        _ mark: String,
        in collection: StoredCollection<SimulatedItem, ReadWrite>,
        isBad: Bool,
        _ random: inout StoreGenerator
    ) async throws {
        let parent = try await teams.elements().map(\.id).max()
        let draft = SimulatedItem.Draft(origin: mark, name: isBad ? "bad" : mark, parent: parent)
        _ = try await collection.create(draft)
        if !isBad { created.insert(mark) }
    }

    /// The origins of items that have writes which their server does not have.
    func pendingOrigins() async throws -> Set<String> {
        let rows = try await store.core.read { (connection) throws(StoreError) in
            try connection.rows(where: "pending > 0", [])
        }
        return Set(rows.compactMap { $0.document["origin"]?.stringValue })
    }

    /// Discards all entries, the last ones first.
    func discardAll() async throws {
        while let entry = try await store.outbox.entries().last { try await store.outbox.discard(entry.id) }
    }
}
