import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore

@Suite("Indexed queries", .inTurn, .serialized)
struct IndexedQueryTests {
    private typealias Samples = StoredCollection<Sample, ReadWrite>
    private typealias Query = @Sendable (Samples) -> StoredQuery<Sample>

    /// Returns the same rows, some with pending writes, in a store with indexes and in one without.
    private func stores(_ seed: Int) async throws -> (indexed: Samples, plain: Samples) {
        let server = ShopServer()
        let stores = [
            try await SampleStore(isIndexed: true, server), try await SampleStore(isIndexed: false, server),
        ]
        for store in stores {
            var generator = StoreGenerator(seed: UInt64(seed))
            for _ in 1...80 { try await store.samples.create(.random(&generator)) }
            let all = try await store.samples.elements()
            for sample in all.shuffled(using: &generator).prefix(20) { try await store.samples.delete(sample.id) }
            for sample in try await store.samples.elements().shuffled(using: &generator).prefix(20) {
                let draft = Sample.Draft.random(&generator)
                try await store.samples.patch(sample.id) { sample in
                    sample.rank = draft.rank
                    sample.name = draft.name
                }
            }
        }
        return (stores[0].samples, stores[1].samples)
    }

    private static let queries: [Query] = [
        { $0.sorted(by: \.rank) }, { $0.sorted(by: \.rank, .reverse) },
        { $0.sorted(by: \.weight) }, { $0.sorted(by: \.weight, .reverse) },
        { $0.sorted(by: \.date) }, { $0.sorted(by: \.date, .reverse) },
        { $0.sorted(by: \.name) }, { $0.sorted(by: \.name, .reverse) },
        { $0.sorted(by: \.level) }, { $0.sorted(by: \.level, .reverse) },
        { $0.filter(\.rank, in: -2..<2).sorted(by: \.rank, .reverse) },
        { $0.filter(\.rank, in: -2...2).sorted(by: \.name) },
        { $0.filter { $0.level == .high }.sorted(by: \.date) },
        { $0.filter(\.level, in: .low ... .middle) }, { $0.filter(\.level, equals: .high) },
        { $0.filter(\.name, in: "a"..."ö") }, { $0.filter(\.name, in: "e"..<"é") },
        { $0.filter(\.name, equals: "é") }, { $0.filter(\.name, equals: "e\u{301}") },
        { $0.filter(\.name, equals: "\u{1E69}") }, { $0.filter(\.shelf, equals: nil) },
        { $0.filter(\.shelf, equals: 2) }, { $0.filter(\.weight, equals: 0) },
        { $0.filter(\.date, in: Date(timeIntervalSinceReferenceDate: -1)..<Date(timeIntervalSinceReferenceDate: 2)) },
    ]

    @Test(
        "A query returns the same rows in the same order with and without an index",
        arguments: 1...Thoroughness.repetitions(3, otherwise: 1)
    )
    func sameRows(seed: Int) async throws {
        let (indexed, plain) = try await stores(seed)
        for (number, query) in Self.queries.enumerated() {
            let all = try await query(plain).elements()
            #expect(try await query(indexed).elements() == all, "query \(number)")
            #expect(try await query(indexed).count() == all.count, "query \(number)")
            for limit in [0, 1, 7, 30, 1000] {
                let expected = Array(all.prefix(limit))
                #expect(try await query(indexed).limit(limit).elements() == expected, "query \(number)")
                #expect(try await query(plain).limit(limit).elements() == expected, "query \(number)")
                #expect(try await query(indexed).limit(limit).count() == expected.count, "query \(number)")
            }
        }
    }

    @Test("Dates that are equal in the index are sorted by Swift's order")
    func roundedDates() async throws {
        let server = ShopServer()
        let store = try await SampleStore(isIndexed: true, server)
        var generator = StoreGenerator(seed: 1)
        for number in [3, 1, 2, 0] {
            var draft = Sample.Draft.random(&generator)
            draft.date = Date(timeIntervalSinceReferenceDate: 700_000_000)
            let late = Date(timeIntervalSinceReferenceDate: 700_000_000.0 + Double(number) * 1.2e-7)
            try await store.samples.create(draft) { [draft] id in Sample(id: id, draft, date: late) }
        }
        let dates = try await store.samples.elements().map(\.date).sorted()
        #expect(try await store.samples.sorted(by: \.date).limit(3).elements().map(\.date) == Array(dates.prefix(3)))
    }

    @Test("A limited query in index order decodes only the rows it returns")
    func decodedRows() async throws {
        let (samples, _) = try await stores(1)
        func decoded(_ read: () async throws -> Void) async throws -> Int {
            let before = Sample.decoded.count
            try await read()
            return Sample.decoded.count - before
        }
        #expect(try await decoded { _ = try await samples.sorted(by: \.rank).limit(5).elements() } == 5)
        #expect(try await decoded { _ = try await samples.sorted(by: \.rank, .reverse).first() } == 1)
        #expect(try await decoded { _ = try await samples.filter(\.shelf, equals: 1).limit(3).elements() } == 3)
        #expect(try await decoded { _ = try await samples.filter(\.rank, in: -1...3).limit(3).elements() } == 3)
        #expect(try await decoded { _ = try await samples.filter(\.shelf, equals: 1).count() } == 0)
        #expect(try await decoded { _ = try await samples.filter(\.rank, in: -1..<3).count() } == 0)
        #expect(try await decoded { _ = try await samples.count() } == 60)
        #expect(try await decoded { _ = try await samples.sorted(by: \.level).limit(5).elements() } == 60)
    }
}

extension Sample {
    fileprivate init(id: Int, _ draft: Draft, date: Date) {
        self.id = id
        rank = draft.rank
        weight = draft.weight
        self.date = date
        name = draft.name
        level = draft.level
        shelf = draft.shelf
    }
}
