import AllocationCounter
import Foundation
import Waybill
import WaybillStore

extension Metric {
    /// Wall-clock time, in milliseconds.
    static let milliseconds = Metric(name: "milliseconds", decimals: 2)

    /// The peak of additional heap usage, in thousands of bytes.
    fileprivate static let peakKilobytes = Metric(name: "peak kB", decimals: 0)

    /// The peak per row read, in bytes.
    fileprivate static let bytesPerRow = Metric(name: "bytes per row", decimals: 0)
}

extension Subject {
    /// Creates a subject whose rounds measure the time of part of the work, in milliseconds.
    init<Value: Hashable & Sendable>(
        _ name: String,
        timing work: @escaping @Sendable () async throws -> (result: Value, time: Duration)
    ) {
        self.init(name, result: { try await work().result }) {
            [Reading(metric: .milliseconds, value: try await work().time / .milliseconds(1))]
        }
    }
}

/// A query of the suite, for the store and as handwritten SQL.
private struct StockQuery: Sendable {
    let query: @Sendable (StoredCollection<StockItem, ReadWrite>) -> StoredQuery<StockItem>
    let sql: String

    static let category = StockQuery(
        query: { $0.filter(\.category, equals: "c7").limit(50) },
        sql: selection + " AND value = 'c7' ORDER BY row LIMIT 50"
    )

    static let price = StockQuery(
        query: { $0.sorted(by: \.price).limit(50) },
        sql: selection.replacingOccurrences(of: "category", with: "price") + " ORDER BY value, row LIMIT 50"
    )

    static let all = StockQuery(
        query: { $0.query },
        sql: "SELECT number, document FROM rows WHERE is_deleted = 0 ORDER BY number"
    )

    private static let selection = """
        SELECT row, document FROM index_entries CROSS JOIN rows ON rows.number = row
        WHERE "index" = (SELECT number FROM indexes WHERE name LIKE '%category')
        """
}

extension Case {
    /// Cases for the time from opening the file to the decoded rows of a query.
    static func opening(_ stores: StockStores) -> [Case] {
        [
            opening("open to 50 of 100,000 rows by an index", .category, stores),
            opening("open to the first 50 by an indexed order", .price, stores),
            opening("open and decode 100,000 rows", .all, stores),
        ]
    }

    private static func opening(_ name: String, _ query: StockQuery, _ stores: StockStores) -> Case {
        Case(
            name,
            [
                Subject("by hand") {
                    let file = try await stores.file
                    let start = ContinuousClock.now
                    let items = try PlainDatabase(existing: file).items(query.sql)
                    return (items, ContinuousClock.now - start)
                },
                Subject("waybill") {
                    _ = try await stores.file
                    let start = ContinuousClock.now
                    let store = try await stores.open()
                    let items = try await query.query(stores.items(of: store)).elements()
                    let time = ContinuousClock.now - start
                    await store.close()
                    return (items, time)
                },
            ]
        )
    }

    /// The same filter condition with and without an index.
    static func filtering(_ stores: StockStores) -> Case {
        func subject(
            _ name: String,
            _ work: @escaping @Sendable (StoredCollection<StockItem, ReadWrite>) async throws -> Int
        ) -> Subject {
            Subject(name, calling: { try await work(stores.items(of: try await stores.filledInMemory())) })
        }
        return Case(
            "10 of 100,000 rows",
            [
                subject("by an index") { try await $0.filter(\.shelf, equals: 77).elements().count },
                subject("by an index, counted") { try await $0.filter(\.shelf, equals: 77).count() },
                subject("by a closure") { try await $0.filter { $0.shelf == 77 }.elements().count },
            ],
            rounds: 5
        )
    }

    /// The memory usage of queries for some or all rows.
    static func memory(_ stores: StockStores) -> Case {
        func subject(_ name: String, _ query: StockQuery) -> Subject {
            Subject(name, result: { true }) {
                _ = try await stores.file
                let store = try await stores.open()
                let items = stores.items(of: store)
                // Excludes one-time allocations, such as those of the connection and its prepared statements.
                _ = try await query.query(items).first()
                allocation_counter_start()
                let count = try await query.query(items).elements().count
                let peak = Double(allocation_counter_stop().peak)
                await store.close()
                guard allocation_counter_knows_peak() else {
                    return [Reading(metric: .peakKilobytes, value: nil), Reading(metric: .bytesPerRow, value: nil)]
                }
                return [
                    Reading(metric: .peakKilobytes, value: peak / 1000),
                    Reading(metric: .bytesPerRow, value: peak / Double(count)),
                ]
            }
        }
        return Case(
            "memory of a read",
            [
                subject("100,000 rows", .all), subject("50 rows by an index", .category),
                subject("50 rows by an indexed order", .price),
            ],
            rounds: 5
        )
    }
}
