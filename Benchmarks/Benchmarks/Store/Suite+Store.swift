import Foundation
import WaybillStore

extension Suite {
    /// The storage of a store, compared with direct use of SQLite.
    static let store = Suite(
        name: "store",
        summary: "durable writes and reads, beside SQLite by hand through the same library",
        rounds: 15,
        report: { Table($0).text + "\n\n" + storeLegend }
    ) { _ in
        let folder = try StoreBenchmarkFolder()
        let stores = try StockStores(in: folder)
        return [
            try await .durableWrite(in: folder), try await .sharedCommits(in: folder),
            try .pendingWrites(in: folder), try await .reading(in: folder),
        ] + Case.opening(stores) + [.filtering(stores), .changing(stores), .memory(stores)]
    }

    private static let storeLegend = """
        Rows have 300 bytes. The goals: a durable write takes at most 1.3 times as long as the commit of a row by hand;
        64 writers at once have at least 15 times the rate of one; opening to 50 rows takes at most 5 ms longer than by
        hand, and all rows decoded 1.2 times as long; a closure takes 1000 times as long as an index; a change takes at
        most 200 µs longer with 20 queries than without one. Its store is in memory: no disk is part of it.
        10,000 pending writes are written in 3 s, and sent with 1 ms of processor time each, like 1,000.
        """
}

/// A temporary folder for databases, removed on deinitialization.
final class StoreBenchmarkFolder: Sendable {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the URL of a file.
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

extension Metric {
    /// The number of durable writes per second.
    fileprivate static let writesPerSecond = Metric(name: "writes per second", decimals: 0)
}

extension Case {
    /// The number of writes whose rate a round measures.
    private static let writes = 1024

    /// Durable writes, one after another.
    fileprivate static func durableWrite(in folder: StoreBenchmarkFolder) async throws -> Case {
        let plain = try PlainDatabase(folder.file("plain.sqlite"))
        let database = try await StoreRows.open(folder.file("waybill.sqlite"))
        return Case(
            "durable write",
            [
                Subject("row and commit by hand") {
                    try plain.insert()
                    return folder.file("").isFileURL
                },
                Subject("waybill") {
                    try await StoreRows.insert(database)
                    return folder.file("").isFileURL
                },
            ]
        )
    }

    /// Durable writes by one writer, and by 64 concurrent writers.
    fileprivate static func sharedCommits(in folder: StoreBenchmarkFolder) async throws -> Case {
        let database = try await StoreRows.open(folder.file("writers.sqlite"))
        func subject(_ writers: Int) -> Subject {
            Subject(writers == 1 ? "one writer" : "\(writers) writers at once") {
                try await StoreRows.insert(database)
                return folder.file("").isFileURL
            } measure: {
                let start = ContinuousClock.now
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<writers {
                        group.addTask { for _ in 0..<writes / writers { try await StoreRows.insert(database) } }
                    }
                    try await group.waitForAll()
                }
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                return [Reading(metric: .writesPerSecond, value: Double(writes) / seconds)]
            }
        }
        return Case("shared commits", [subject(1), subject(64)])
    }

    /// Opening a file and reading all of its rows.
    fileprivate static func reading(in folder: StoreBenchmarkFolder) async throws -> Case {
        let file = folder.file("rows.sqlite")
        let database = try await StoreRows.open(file)
        await database.close()
        try PlainDatabase(file).fill(StoreRows.count)
        func subject(_ name: String, _ work: @escaping @Sendable () async throws -> Int) -> Subject {
            Subject(name) {
                let start = ContinuousClock.now
                let sum = try await work()
                return (sum, ContinuousClock.now - start)
            }
        }
        return Case(
            "open and read 100,000 rows",
            [
                subject("by hand") { try PlainDatabase(folder.file("rows.sqlite")).sum() },
                subject("waybill") {
                    let database = try await StoreRows.open(folder.file("rows.sqlite"))
                    let sum = try await StoreRows.sum(database)
                    await database.close()
                    return sum
                },
            ]
        )
    }
}
