import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore

@Suite("Observed queries", .inTurn, .safetyNet)
struct LiveQueryTests {
    private typealias Samples = StoredCollection<Sample, ReadWrite>

    private static let queries: [@Sendable (Samples) -> StoredQuery<Sample>] = [
        { $0.sorted(by: \.rank).limit(3) },
        { $0.sorted(by: \.rank, .reverse).limit(4) },
        { $0.sorted(by: \.name).limit(3) },
        { $0.filter(\.shelf, equals: 1).limit(2) },
        { $0.filter { $0.rank > -2 }.sorted(by: \.date).limit(5) },
        { $0.sorted(by: \.level).limit(3) },
        { $0.query.limit(3) }, { $0.sorted(by: \.weight) }, { $0.query.limit(0) },
    ]

    @Test(
        "Applying a query's differences yields its current rows",
        arguments: 1...Thoroughness.repetitions(2, otherwise: 1),
        queries.indices
    )
    func differences(seed: Int, number: Int) async throws {
        let store = try await SampleStore(isIndexed: true, ShopServer())
        let samples = store.samples
        var generator = StoreGenerator(seed: UInt64(seed))
        for _ in 1...Thoroughness.repetitions(120, otherwise: 60) { try await samples.create(.random(&generator)) }
        let query = Self.queries[number](samples)
        var iterator = query.changes.makeAsyncIterator()
        guard case .rows(var rows)? = await iterator.next() else {
            Issue.record("the first value has no rows")
            return
        }
        #expect(rows.map(\.element) == (try await query.elements()))
        for step in 1...Thoroughness.repetitions(200, otherwise: 40) {
            let seen = rows.randomElement(using: &generator)?.element
            // Rows are deleted more often than added, so the query needs rows beyond its first ones.
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<6:
                let all = seen == nil ? try await samples.elements() : []
                if let sample = seen ?? all.randomElement(using: &generator) { try await samples.delete(sample.id) }
            case 6..<8:
                if let sample = try await samples.elements().randomElement(using: &generator) {
                    let draft = Sample.Draft.random(&generator)
                    try await samples.patch(sample.id) { sample in
                        sample.rank = draft.rank
                        sample.name = draft.name
                        sample.date = draft.date
                        sample.shelf = draft.shelf
                    }
                }
            default: try await samples.create(.random(&generator))
            }
            let expected = try await query.elements()
            while rows.map(\.element) != expected {
                guard case .differences(let differences)? = await iterator.next() else { break }
                for difference in differences { rows.apply(difference) }
            }
            #expect(rows.map(\.element) == expected, "after step \(step)")
        }
    }

    @Test("Applying the differences of a query with a thousand rows yields its current rows")
    func manyRows() async throws {
        let server = ShopServer(products: (1...1000).map { .product($0, "Item", price: $0 * 7 % 500) })
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        let query = products.sorted(by: \.price)
        var iterator = query.changes.makeAsyncIterator()
        guard case .rows(var rows)? = await iterator.next() else {
            Issue.record("the first value has no rows")
            return
        }
        // Most rows move to one position, which splits their block, and all rows of the first blocks are deleted.
        for id in 1...400 { try await products.patch(id) { $0.price = id % 3 == 0 ? -id : 250 } }
        for row in rows.prefix(300) { try await products.delete(row.element.id) }
        let expected = try await query.elements()
        while rows.map(\.element) != expected {
            guard case .differences(let differences)? = await iterator.next() else { break }
            for difference in differences { rows.apply(difference) }
        }
        #expect(rows.map(\.element) == expected)
    }
}
