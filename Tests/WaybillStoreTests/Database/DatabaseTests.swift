import Dispatch
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore

@Suite("Databases in a file and in memory", .inTurn, .safetyNet)
struct DatabaseTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("A read sees every completed write", arguments: Place.allCases)
    func written(_ place: Place) async throws {
        let database = try await place.open(folder)
        let number = try await database.write { (transaction) throws(StoreError) in
            try transaction.connection.insert(7)
            return transaction.connection.lastInsertedRow
        }
        #expect(number == 7)
        #expect(try await database.items == [7])
        await database.close()
    }

    @Test("If one of several concurrent writes throws, only that write is undone", arguments: Place.allCases)
    func undone(_ place: Place) async throws {
        let database = try await place.open(folder)
        let failed = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for id in 0..<64 {
                group.addTask {
                    do throws(StoreError) {
                        try await database.write { (transaction) throws(StoreError) in
                            try transaction.connection.insert(Int64(id))
                            if id % 3 == 0 { throw StoreError.database(.other, "no multiples of 3", path: nil) }
                        }
                    } catch {
                        failed.withLock { $0 += 1 }
                    }
                }
            }
        }
        #expect(failed.withLock { $0 } == 22)
        let kept: [Int64] = (0..<64).filter { $0 % 3 != 0 }
        #expect(try await database.items == kept)
        await database.close()
    }

    @Test("Queued writes share a commit", arguments: Place.allCases)
    func shared(_ place: Place) async throws {
        let counter = FaultyLibrary()
        let database = try await place.open(folder, library: counter.library)
        let gate = DispatchSemaphore(value: 0)
        let before = counter.texts.count { $0 == "COMMIT" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await database.write { (transaction) throws(StoreError) in
                    gate.wait()
                    try transaction.connection.insert(0)
                }
            }
            for id in 1..<64 { group.addTask { try await database.insert(Int64(id)) } }
            // Time for the other writes to queue up. Any that arrive later only cost more commits.
            try await Task.sleep(for: .milliseconds(200))
            gate.signal()
            try await group.waitForAll()
        }
        #expect(try await database.items == Array(0..<64))
        #expect(counter.texts.count { $0 == "COMMIT" } - before < 32)
        await database.close()
    }

    @Test(
        "Actions after a commit run in write order, and are skipped for writes that throw",
        arguments: Place.allCases
    )
    func actions(_ place: Place) async throws {
        let database = try await place.open(folder)
        let called = Locked<[Int64]>([])
        for id in 0..<10 as Range<Int64> {
            _ = await reason {
                try await database.write { (transaction) throws(StoreError) in
                    transaction.afterCommit { called.withLock { $0.append(id) } }
                    transaction.afterCommit { called.withLock { $0.append(id + 100) } }
                    try transaction.connection.insert(id)
                    if id == 5 { throw StoreError.database(.other, "not this one", path: nil) }
                }
            }
            // The actions have run by the time the write returns.
            #expect(called.withLock { $0.last } == (id == 5 ? 104 : id + 100))
        }
        let expected: [Int64] = [0, 1, 2, 3, 4, 6, 7, 8, 9].flatMap { (id: Int64) in [id, id + 100] }
        #expect(called.withLock { $0 } == expected)
        await database.close()
    }

    @Test("If the commit fails, no action runs, and the next write succeeds", arguments: Place.allCases)
    func failedCommit(_ place: Place) async throws {
        let isFailing = Locked(false)
        let library = SQLiteLibrary { call, make in
            let fails = call.text == "COMMIT" && call.function == .step && isFailing.withLock { $0 }
            return fails ? ResultCode.full.rawValue : make()
        }
        let database = try await place.open(folder, library: library)
        let called = Locked(0)
        isFailing.withLock { $0 = true }
        let first = await reason {
            try await database.write { (transaction) throws(StoreError) in
                transaction.afterCommit { called.withLock { $0 += 1 } }
                try transaction.connection.insert(1)
            }
        }
        isFailing.withLock { $0 = false }
        #expect(first == .full)
        #expect(called.withLock { $0 } == 0)
        #expect(try await database.items == [])
        try await database.insert(2)
        #expect(try await database.items == [2])
        await database.close()
    }

    @Test("A read cannot write", arguments: Place.allCases)
    func readOnly(_ place: Place) async throws {
        let database = try await place.open(folder)
        let reason = await reason {
            try await database.read { (connection) throws(StoreError) in try connection.insert(1) }
        }
        #expect(reason == .readOnly)
        try await database.insert(2)
        #expect(try await database.items == [2])
        await database.close()
    }

    @Test("A cancelled read ends, and the connection remains usable", arguments: Place.allCases)
    func cancelledRead(_ place: Place) async throws {
        let database = try await place.open(folder)
        let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await reason {
                try await database.read { (connection) throws(StoreError) in
                    start.finish()
                    try connection.execute(endless)
                }
            }
        }
        for await _ in started {}
        task.cancel()
        #expect(await task.value == .interrupted)
        try await database.insert(1)
        for _ in 0..<8 { #expect(try await database.items == [1]) }
        await database.close()
    }

    @Test("A write whose task is cancelled is completed", arguments: Place.allCases)
    func cancelledWrite(_ place: Place) async throws {
        let database = try await place.open(folder)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await database.write { (transaction) throws(StoreError) in
                for id in 0..<100 { try transaction.connection.insert(Int64(id)) }
            }
        }
        try await task.value
        #expect(try await database.items.count == 100)
        await database.close()
    }

    @Test("Work on a closed database fails, and completed writes survive", arguments: Place.allCases)
    func closed(_ place: Place) async throws {
        let database = try await place.open(folder)
        async let waiting: Void = database.insert(1)
        try await waiting
        await database.close()
        #expect(await reason { try await database.insert(2) } == .unavailable)
        #expect(await reason { _ = try await database.items } == .unavailable)
        await database.close()
        guard place == .file else { return }
        // The log has been merged into the file.
        #expect(try folder.names == ["store.sqlite", "store.sqlite.lock"])
        let again = try await place.open(folder)
        #expect(try await again.items == [1])
        await again.close()
    }

    @Test("A preparation that throws leaves nothing behind, and the next one succeeds")
    func failedPreparation() async throws {
        let reason = await reason {
            _ = try await Database.open(at: folder.file) { (connection) throws(StoreError) in
                try prepareItems(connection)
                try connection.insert(1)
                throw StoreError.database(.other, "not yet", path: nil)
            }
        }
        #expect(reason == .other)
        let database = try await Place.file.open(folder)
        #expect(try await database.items == [])
        await database.close()
    }

    @Test("A preparation sees the file's version, which is then set to the current one")
    func migration() async throws {
        let versions = Locked<[Int64]>([])
        for version in [1, 1, 2, 2] as [Int64] {
            let database = try await Database.open(at: folder.file, formatVersion: version) {
                (each) throws(StoreError) in
                let found = try each.first("PRAGMA user_version") { row in row.integer(0) }
                versions.withLock { $0.append(found ?? -1) }
                try prepareItems(each)
            }
            await database.close()
        }
        #expect(versions.withLock { $0 } == [0, 1, 1, 2])
    }
}
