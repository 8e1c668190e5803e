import Foundation
import TestSupport
import Waybill
import WaybillTesting

@testable import WaybillStore

/// A simulated client: a store in a file, and a record of its writes.
final class SimulatedClient {
    let name: String
    private let folder = TemporaryFolder()
    private let server: SimulatedServer
    private let now: Locked<Date>
    private(set) var store: Store
    private var disk = SimulatedDisk()
    private let seed: UInt64
    private var openings: UInt64 = 0
    private let token: Locked<String>
    private var version = 1
    private(set) var user: String?

    /// The origins of items whose creation was confirmed to the app.
    private(set) var created: Set<String> = []
    /// The marks of changes confirmed to the app, with the origins of their items.
    private(set) var marks: [(origin: String, mark: String)] = []
    /// The origins of items deleted here, including those below them.
    private(set) var deleted: Set<String> = []
    /// The last seen marks of each row, and whether the row was deleted.
    private var seen: [Int64: (marks: Set<String>, isDeleted: Bool)] = [:]
    private var count = 0

    init(_ name: String, _ server: SimulatedServer, _ now: Locked<Date>) async throws {
        (self.name, self.server, self.now) = (name, server, now)
        seed = name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } &* 1_000_003
        user = server.rules.users[0]
        token = Locked(user ?? Self.withoutUser)
        store = try await Self.open(folder.url, user, disk, now, seed: seed)
        _ = collection(below: [])
    }

    /// The server's user for the credential of a store without users.
    private static let withoutUser = "none"

    var account: String { user ?? Self.withoutUser }

    var isNew: Bool { version > 1 }

    private static func open(
        _ folder: URL,
        _ user: String?,
        _ disk: SimulatedDisk,
        _ now: Locked<Date>,
        seed: UInt64
    ) async throws(StoreError) -> Store {
        try await Store(
            at: folder,
            user: user,
            settings: StoreSettings(backoff: .constant(.seconds(20)), concurrentCalls: 1, sendsAutomatically: false),
            library: disk.library,
            clock: ManualClock(),
            dates: Client.DateProvider { now.withLock { $0 } },
            randomNumberGenerator: StoreGenerator(seed: seed)
        )
    }

    func collection(below ids: [Int]) -> StoredCollection<SimulatedItem, ReadWrite> {
        let token = token
        let api = SimulatedAPI(server, version: version) { token.withLock { $0 } }
        return api.collection(below: ids, in: store)
    }

    /// Declares and returns the collections of all visible rows.
    private func collections() async throws -> [StoredCollection<SimulatedItem, ReadWrite>] {
        var all = [collection(below: [])]
        for team in try await all[0].elements() {
            let projects = collection(below: [team.id])
            all.append(projects)
            for project in try await projects.elements() { all.append(collection(below: [team.id, project.id])) }
        }
        return all
    }

    /// Declares the collections in the file, including those below items that are not visible.
    func declareAll() async throws {
        _ = try await collections()
        let user = user ?? ""
        let urls = try await store.core.read { (connection) throws(StoreError) in
            try connection.query("SELECT address FROM collections WHERE user = ?", [.text(user)]) { $0.text(0) ?? "" }
        }
        for url in urls { _ = collection(below: url.split(separator: "/").compactMap { Int($0) }) }
    }

    // MARK: The process and its disk

    /// Ends the process after a number of further SQLite calls, and continues in a new one.
    func endProcess(after calls: Int, during body: () async throws -> Void) async throws {
        disk.end(after: calls)
        do { try await body() } catch {
            guard disk.hasEnded else { throw error }
        }
        trace("\(name) \(disk.hasEnded ? "ended and " : "")is opened again")
        try await reopen()
    }

    /// Makes one of the next SQLite calls fail, after which the process continues.
    func failDisk(at call: Int, by fault: FaultyLibrary.Fault, during body: () async throws -> Void) async throws {
        trace("\(name)'s disk fails at call \(call): \(fault)")
        disk.fail(after: call, by: fault)
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        let hasFailed = disk.work()
        if case .failure(let error) = result {
            trace("  \(error)")
            guard hasFailed else { throw error }
        }
    }

    private func reopen() async throws {
        await store.close()
        disk = SimulatedDisk()
        seen = [:]
        openings += 1
        store = try await Self.open(folder.url, user, disk, now, seed: seed &+ openings)
        try await declareAll()
    }

    /// Continues with version 2 of the program.
    func update() async throws {
        guard version == 1 else { return }
        trace("\(name) is updated")
        await store.close()
        version = 2
        try await reopen()
    }

    /// Continues as another user, in the same store or in a new process.
    func become(_ user: String?, inNewProcess: Bool) async throws {
        guard user != self.user else { return }
        trace("\(name) becomes \(user ?? Self.withoutUser)'s")
        self.user = user
        if inNewProcess {
            await store.close()
            token.withLock { $0 = account }
            try await reopen()
        } else {
            try await store.switchUser(to: user)
            token.withLock { $0 = account }
            try await declareAll()
        }
    }

    // MARK: Writes

    /// Makes one random write.
    func write(_ random: inout StoreGenerator) async throws {
        guard let collection = random.element(of: try await collections()) else { return }
        let items = try await collection.elements()
        count += 1
        let (mark, isNew) = ("\(account)-\(name)\(count)", isNew)
        trace("\(name) writes \(mark) in \(collection.context.address)")
        switch random.next() >> 8 % 10 {
        case 0...3: try await create(mark, in: collection, isBad: random.chance(0.1))
        case 4...7:
            guard let item = random.element(of: items) else { return }
            let isBad = random.chance(0.1)
            let renames = random.chance(0.3)
            let basis = try await serverName(of: item, in: collection)
            trace("  patch of \(item)")
            try await collection.patch(item.id) { item in
                if renames, let basis {
                    item.basis = basis
                    if isNew { item.title = mark } else { item.name = mark }
                }
                item.marks = (item.marks ?? [:]).merging([mark: true]) { $1 }
                if isBad, isNew { item.title = "bad" }
                if isBad, !isNew { item.name = "bad" }
            }
            if !isBad { marks.append((item.origin, mark)) }
        case 8:
            // Without an entity tag, a PUT reverts what others have changed in between.
            guard server.rules.hasTags, let item = random.element(of: items) else { return }
            var new = item
            new.marks = (item.marks ?? [:]).merging([mark: true]) { $1 }
            try await collection.update(new)
            marks.append((item.origin, mark))
        default:
            guard let item = random.element(of: items) else { return }
            trace("  delete of \(item)")
            deleted.insert(item.origin)
            // A deletion replaces the earlier changes, even if it is discarded later.
            marks.removeAll { $0.origin == item.origin }
            let ids = collection.ids
            if ids.count < 2 {
                for child in try await self.collection(below: ids + [item.id]).elements() {
                    deleted.insert(child.origin)
                    guard ids.isEmpty else { continue }
                    let tasks = try await self.collection(below: [item.id, child.id]).elements()
                    deleted.formUnion(tasks.map(\.origin))
                }
            }
            try await collection.delete(item.id)
        }
    }

    /// Returns an item's name in the store's copy of the server version.
    private func serverName(
        of item: SimulatedItem,
        in collection: StoredCollection<SimulatedItem, ReadWrite>
    ) async throws -> String? {
        let number = try await collection.context.number(in: store.core)
        let row = try await store.core.read { (connection) throws(StoreError) in
            try connection.row("\(item.id)", in: number)
        }
        return (row?.serverVersion?["name"] ?? row?.serverVersion?["title"])?.stringValue
    }

    private func create(
        _ mark: String,
        in collection: StoredCollection<SimulatedItem, ReadWrite>,
        isBad: Bool
    ) async throws {
        let parent = try await self.collection(below: []).elements().map(\.id).max()
        let name = isBad ? "bad" : mark
        let draft = SimulatedItem.Draft(
            origin: mark,
            name: isNew ? nil : name,
            title: isNew ? name : nil,
            parent: parent
        )
        _ = try await collection.create(draft)
        if !isBad { created.insert(mark) }
    }

    /// Decides on an entry that needs attention, without discarding a write or repeating one that the server cannot
    /// recognize.
    func decide(_ random: inout StoreGenerator) async throws {
        let entries = try await store.outbox.entries().filter { $0.state.needsAttention && $0.user == user }
        guard let entry = random.element(of: entries) else { return }
        trace("\(name) decides on \(entry)")
        switch entry.state {
        case .unknown where !server.rules.hasKeys: return
        case .conflict:
            if let theirs = entry.serverVersion, entry.operation != .delete {
                let basis = theirs["name"] ?? theirs["title"] ?? .null
                let merged = theirs.applying(mergePatch: entry.content).applying(mergePatch: ["basis": basis])
                try await store.outbox.resolve(entry.id, with: merged)
            } else {
                try await store.outbox.retry(entry.id)
            }
        default: try await store.outbox.retry(entry.id)
        }
        try await store.sender.finishDraining()
    }

    /// Discards all entries of the user, in reverse order.
    func discardAll() async throws {
        while let entry = try await store.outbox.entries().last(where: { $0.user == user }) {
            try await store.outbox.discard(entry.id)
            try await store.sender.finishDraining()
        }
    }

    // MARK: What is there

    /// Returns the items shown twice, except for those that wait for a decision.
    private func twins(_ rows: [StoredRow]) async throws -> [String] {
        // Drafts of version 1 are not compared with items of version 2.
        guard !isNew else { return [] }
        // Another user's entries do not reveal whether they need a decision.
        let entries = try await store.outbox.entries()
        let undecided = entries.filter { $0.state.needsAttention || $0.state == .waiting(.otherUser) }
            .compactMap { $0.content["origin"]?.stringValue }
        // After another client renames an item, it can no longer be matched to its creation.
        let renamed = entries.filter { $0.operation == .create }.filter { entry in
            rows.contains { row in
                guard let item = row.serverVersion, item["origin"] == entry.content["origin"] else { return false }
                return item["name"] != entry.content["name"]
            }
        }
        .compactMap { $0.content["origin"]?.stringValue }
        let origins = rows.filter { !$0.isDeleted }.compactMap { $0.document["origin"]?.stringValue }
        return Dictionary(grouping: origins) { $0 }
            .filter { $0.value.count > 1 && !undecided.contains($0.key) && !renamed.contains($0.key) }
            .map { "shown \($0.value.count) times: \($0.key)" }
    }

    /// Returns rows that show less than before, rows shown twice, and rows of another user.
    func wrongRows() async throws -> [String] {
        let (rows, shown) = try await store.core.read { (connection) throws(StoreError) in
            var (rows, shown): ([StoredRow], [JSONValue?]) = ([], [])
            for row in try connection.rows(where: "1", []) {
                // For a deleted row, what it would show if the deletion were rejected: its changes that the deletion
                // has not replaced.
                let writes = row.isDeleted ? try connection.outboxWrites(ofRow: row.number) : []
                rows.append(row)
                shown.append(
                    row.isDeleted ? writes.filter { $0.operation != .delete }.applied(to: row.base) : row.document
                )
            }
            return (rows, shown)
        }
        let marks = zip(rows, shown).map { ($0.number, Set($1?["marks"]?.objectValue?.keys.map { $0 } ?? [])) }
        let before = seen
        seen = [:]
        var hidden: [String] = []
        for (row, (number, marks)) in zip(rows, marks) {
            seen[number] = (marks, row.isDeleted)
            // Only the deletion itself may replace changes.
            guard let last = before[number], last.isDeleted || !row.isDeleted else { continue }
            if !marks.isSuperset(of: last.marks) { hidden.append("hidden: \(row.document)") }
        }
        hidden += try await twins(rows)
        guard server.rules.users.count > 1 else { return hidden }
        let others = try await collections().asyncFlatMap { try await $0.elements() }.filter { item in
            let authors = ([item.origin] + (item.marks ?? [:]).keys).map { $0.prefix { $0 != "-" } }
            return authors.contains { $0 != "server" && $0 != account }
        }
        return hidden + others.map { "of another user: \($0)" }
    }

    /// Returns entries reported as unapplied although the server has applied them.
    func falselyUnapplied(_ created: [String: Int], _ applied: [String: Int]) async throws -> [OutboxEntry] {
        try await store.outbox.entries().filter { entry in
            guard !entry.isPossiblyApplied, entry.state != .sending else { return false }
            switch entry.operation {
            case .create: return created[entry.content["origin"]?.stringValue ?? ""] != nil
            case .patch:
                let marks = entry.content["marks"]?.objectValue?.keys.map(\.self) ?? []
                return marks.contains { applied[$0] != nil }
            case .update, .delete: return false
            }
        }
    }

    /// Returns the origins of items with pending writes.
    func pendingOrigins() async throws -> Set<String> {
        let rows = try await store.core.read { (connection) throws(StoreError) in
            try connection.rows(where: "pending > 0", [])
        }
        return Set(rows.compactMap { $0.document["origin"]?.stringValue })
    }
}

extension Array {
    fileprivate func asyncFlatMap<Value>(_ transform: (Element) async throws -> [Value]) async rethrows -> [Value] {
        var all: [Value] = []
        for element in self { all += try await transform(element) }
        return all
    }
}
