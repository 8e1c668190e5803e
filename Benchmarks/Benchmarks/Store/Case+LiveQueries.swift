import Foundation
import Waybill
import WaybillStore

extension Metric {
    /// The time from the start of a write to the last query's update, or to the write's return if no query is affected.
    fileprivate static let microsecondsPerChange = Metric(name: "microseconds per change", decimals: 1)

    /// The time from the write's return to the last query's update.
    fileprivate static let microsecondsAfterWrite = Metric(name: "after the write", decimals: 1)
}

/// Live queries, each observed by a separate task.
private final class LiveQueries: Sendable {
    private let tasks: [Task<Void, Never>]
    private let arrivals: AsyncStream<Void>

    /// Opens queries, and waits for the first value of each.
    init(_ queries: [StoredQuery<StockItem>]) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        arrivals = stream
        tasks = queries.map { query in
            Task { for await _ in query.changes { continuation.yield() } }
        }
        await wait()
    }

    /// Waits until each query has produced another value.
    func wait() async {
        var rest = tasks.count
        guard rest > 0 else { return }
        for await _ in arrivals {
            rest -= 1
            if rest == 0 { return }
        }
    }

    /// Ends the queries, and waits until their rows are freed, which would slow down the next subject.
    func close() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}

extension Case {
    /// The number of changes whose mean time a round measures.
    private static let changes = 100

    /// A change of one row in an in-memory store, so no disk access is measured.
    static func changing(_ stores: StockStores) -> Case {
        typealias Collection = StoredCollection<StockItem, ReadWrite>
        func subject(
            _ name: String,
            _ concerns: Bool = true,
            _ queries: @escaping @Sendable (Store) -> [StoredQuery<StockItem>]
        ) -> Subject {
            return Subject(name, result: { true }) {
                let store = try await stores.filledInMemory()
                let items = stores.items(of: store)
                let live = await LiveQueries(queries(store))
                var (all, after) = (Duration.zero, Duration.zero)
                for number in 1...changes {
                    let start = ContinuousClock.now
                    try await items.patch(21) { $0.price = -number }
                    let written = ContinuousClock.now
                    if concerns { await live.wait() }
                    let end = ContinuousClock.now
                    all += end - start
                    after += end - written
                }
                await live.close()
                return [
                    Reading(metric: .microsecondsPerChange, value: all / .microseconds(changes)),
                    Reading(metric: .microsecondsAfterWrite, value: after / .microseconds(changes)),
                ]
            }
        }
        return Case(
            "change of one row of 100,000",
            [
                subject("no query", false) { _ in [] },
                subject("20 queries of another collection", false) { store in
                    (0..<20).map { number in stores.others(of: store).filter { $0.price < number } }
                },
                subject("20 queries of 50 rows, in an indexed order") { store in
                    (0..<20).map { number in
                        stores.items(of: store).filter { $0.price < 1000 + number }.sorted(by: \.price).limit(50)
                    }
                },
                subject("20 queries of 5,000 rows, by an index") { store in
                    (0..<20).map { _ in
                        stores.items(of: store).filter(\.category, equals: "c1").sorted(by: \.name)
                    }
                },
                subject("20 queries of all rows, in an order") { store in
                    (0..<20).map { _ in stores.items(of: store).sorted(by: \.price) }
                },
            ],
            rounds: 5
        )
    }
}
