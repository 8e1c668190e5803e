import Dispatch
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore

@Suite("Concurrent reads and writes, and other processes", .inTurn, .safetyNet)
struct ReaderTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("A read does not see writes committed while it runs")
    func snapshot() async throws {
        let database = try await Place.file.open(folder)
        try await database.insert(1)
        let isWritten = DispatchSemaphore(value: 0)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        async let counts = database.read { (connection) throws(StoreError) in
            let before = try connection.items
            start.finish()
            isWritten.wait()
            return [before, try connection.items]
        }
        for await _ in started {}
        // The write does not wait for the read.
        try await database.insert(2)
        isWritten.signal()
        #expect(try await counts == [[1], [1]])
        #expect(try await database.items == [1, 2])
        await database.close()
    }

    @Test("A read does not wait for a running write")
    func besideWrite() async throws {
        let database = try await Place.file.open(folder)
        let isRead = DispatchSemaphore(value: 0)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        async let write: Void = database.write { (transaction) throws(StoreError) in
            try transaction.connection.insert(1)
            start.finish()
            isRead.wait()
        }
        for await _ in started {}
        #expect(try await database.items == [])
        isRead.signal()
        try await write
        #expect(try await database.items == [1])
        await database.close()
    }

    @Test("Four reads run at once, and the others wait")
    func atOnce() async throws {
        let database = try await Place.file.open(folder)
        let running = Locked((now: 0, most: 0))
        let all = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for place in 0..<12 {
                group.addTask {
                    try await database.read { (connection) throws(StoreError) in
                        let now = running.withLock { running in
                            running.now += 1
                            running.most = max(running.most, running.now)
                            return running.now
                        }
                        // The fourth read releases all of them.
                        if now == 4 { for _ in 0..<12 { all.signal() } }
                        all.wait()
                        _ = try connection.items
                        running.withLock { $0.now -= 1 }
                    }
                }
                _ = place
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 4)
        await database.close()
    }

    @Test("A second owner is rejected until the first one closes, even through a symbolic link")
    func busy() async throws {
        let database = try await Place.file.open(folder)
        #expect(await reason { _ = try await Place.file.open(folder) } == .busy)
        let link = folder.url.appendingPathComponent("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file)
        #expect(await reason { _ = try await Database.open(at: link, prepare: prepareItems) } == .busy)
        await database.close()
        let second = try await Place.file.open(folder)
        await second.close()
    }

    @Test("Closing a database right after its last read leaves no connection open")
    func closedAfterReads() async throws {
        for _ in 0..<200 {
            let database = try await Place.file.open(folder)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = try? await database.items } }
            }
            await database.close()
            // Closing the last connection removes the log.
            #expect(try folder.names == ["store.sqlite", "store.sqlite.lock"])
        }
    }

    @Test("A database that is deallocated without being closed can be opened again")
    func released() async throws {
        do {
            let database = try await Place.file.open(folder)
            try await database.insert(1)
        }
        var second: Database?
        while second == nil {
            do throws(StoreError) {
                second = try await Database.open(at: folder.file, prepare: prepareItems)
            } catch {
                #expect(error.reason == .busy)
                await Task.yield()
            }
        }
        #expect(try await second?.items == [1])
        await second?.close()
    }

    @Test("A read-only store sees committed writes, cannot write, and needs no lock")
    func reading() async throws {
        #expect(await reason { _ = try await openForReading() } == .unavailable)
        let writer = try await Place.file.open(folder)
        try await writer.insert(1)
        let reader = try await openForReading()
        #expect(try await reader.items == [1])
        try await writer.insert(2)
        #expect(try await reader.items == [1, 2])
        #expect(await reason { try await reader.insert(3) } == .readOnly)
        await writer.close()
        #expect(try await reader.items == [1, 2])
        await reader.close()
        let again = try await openForReading()
        #expect(try await again.items == [1, 2])
        await again.close()
    }

    @Test("A read-only store rejects a file in an older format, because it cannot migrate it")
    func readingOlder() async throws {
        let writer = try await Place.file.open(folder)
        await writer.close()
        let reason = await reason {
            _ = try await Database.open(at: folder.file, access: .reading, formatVersion: 2) { _ in }
        }
        #expect(reason == .unavailable)
    }

    private func openForReading() async throws -> Database {
        try await Database.open(at: folder.file, access: .reading) { _ in Issue.record("prepared by a reader") }
    }
}
