import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@Suite("Two stores changing the same items", .inTurn, .safetyNet)
struct TwoStoresTests {
    @Test("After random edits and partitions, two stores are equal, and each clash is reported once")
    func sequential() async throws {
        let count = Thoroughness.repetitions(12, otherwise: 3)
        var clashes = 0
        for seed in 1...UInt64(count) {
            var run = try await TwoStores(seed: seed)
            clashes += try await run.sequential()
        }
        #expect(clashes > count)
    }

    @Test("Two stores synchronizing at the same time are equal after random edits and partitions")
    func atOnce() async throws {
        for seed in 1...UInt64(Thoroughness.repetitions(12, otherwise: 3)) {
            var run = try await TwoStores(seed: seed)
            try await run.atOnce()
        }
    }
}

/// One run of two stores against a server with entity tags, and a model of what each store has seen.
private struct TwoStores {
    private final class Side: Sendable {
        let store: Store
        let products: StoredCollection<Product, ReadWrite>
        let network: InterruptibleTransport
        /// The number of reported conflicts, available once the store is closed.
        let conflicts: Task<Int, Never>

        init(_ server: ShopServer, seed: UInt64) async throws {
            network = InterruptibleTransport(server.transport)
            store = try await Store.manual(seed: seed)
            products = store.collection(Shop(network) { IdempotencyKey() }.products) {
                Store.Conflicts(.merge(clash: .mine), readsBeforeWriting: true)
            }
            let events = store.events
            conflicts = Task {
                var count = 0
                for await event in events { if case .conflict = event { count += 1 } }
                return count
            }
        }
    }

    /// A store's latest fetched items, and the items it shows.
    private struct Known {
        var base: [Int: Product] = [:]
        var mine: [Int: Product] = [:]
        var clashes = 0
    }

    private let server = ShopServer(products: (1...3).map { .product($0, "Item \($0)") })
    private let sides: [Side]
    private var known = [Known(), Known()]
    private var random: StoreGenerator
    private let comment: Comment

    init(seed: UInt64) async throws {
        server.change { $0.hasTags = true }
        sides = [try await Side(server, seed: 1), try await Side(server, seed: 2)]
        random = StoreGenerator(seed: seed)
        comment = "seed \(seed)"
        for _ in 0..<4 { _ = random.next() }
        for place in 0...1 { try await synchronize(place) }
    }

    private mutating func number(below count: Int) -> Int { Int((random.next() >> 16) % UInt64(count)) }

    /// The server's items.
    private var items: [Int: Product] {
        let decoder = JSONDecoder()
        let products = server.items().compactMap { item in
            try? decoder.decode(Product.self, from: Data(item.description.utf8))
        }
        return Dictionary(uniqueKeysWithValues: products.map { ($0.id, $0) })
    }

    // MARK: Runs

    /// Edits and synchronizes one store after the other.
    ///
    /// Returns the number of clashes.
    mutating func sequential() async throws -> Int {
        for _ in 0..<30 {
            let place = number(below: 2)
            if number(below: 3) > 0 {
                try await edit(place)
            } else {
                try await synchronize(place, number(below: 3) == 0)
            }
        }
        for place in [0, 1, 0, 1] { try await synchronize(place) }
        try await compare()
        for (side, known) in zip(sides, known) {
            await side.store.close()
            #expect(await side.conflicts.value == known.clashes, comment)
        }
        return known.map(\.clashes).reduce(0, +)
    }

    /// Edits both stores, and synchronizes them at the same time.
    mutating func atOnce() async throws {
        for _ in 0..<10 {
            for _ in 0..<3 { try await edit(number(below: 2)) }
            let isInterrupted = number(below: 3) == 0 ? number(below: 2) : 2
            if isInterrupted < 2 { sides[isInterrupted].network.interrupt() }
            async let first = sides[0].store.synchronize()
            async let second = sides[1].store.synchronize()
            _ = try await (first, second)
            if isInterrupted < 2 { sides[isInterrupted].network.restore() }
        }
        for place in [0, 1, 0, 1] { try await sides[place].store.synchronize() }
        try await compare()
        for side in sides { await side.store.close() }
    }

    private func compare() async throws {
        let expected = items.values.sorted { $0.id < $1.id }
        for side in sides {
            #expect(try await side.store.outbox.entries().isEmpty, comment)
            #expect(try await side.products.elements().sorted { $0.id < $1.id } == expected, comment)
        }
    }

    // MARK: Steps

    /// Changes some members of an item, perhaps to the same values as the other store.
    ///
    /// No member returns to its old value: after an attempt to send the edit, that would be another change.
    private mutating func edit(_ place: Int) async throws {
        let (id, members, value) = (1 + number(below: 3), 1 + number(below: 7), number(below: 3))
        let base = known[place].base[id]
        let (name, category) = ("Name \(value)", value == 0 ? nil : "Category \(value)")
        let product = try await sides[place].products.patch(id) { item in
            if members & 1 != 0, base?.name != name { item.name = name }
            if members & 2 != 0, base?.price != value { item.price = value }
            if members & 4 != 0, base?.category != category { item.category = category }
        }
        known[place].mine[id] = product
    }

    /// Synchronizes a store, and updates its model.
    private mutating func synchronize(_ place: Int, _ isInterrupted: Bool = false) async throws {
        let side = sides[place]
        if isInterrupted { side.network.interrupt() }
        let before = items
        let report = try await side.store.synchronize()
        if isInterrupted {
            side.network.restore()
            return
        }
        #expect(report.isComplete, comment)
        for (id, mine) in known[place].mine {
            guard let base = known[place].base[id], let theirs = before[id] else { continue }
            let isClash = [
                Self.clash(base.name, mine.name, theirs.name), Self.clash(base.price, mine.price, theirs.price),
                Self.clash(base.category, mine.category, theirs.category),
            ].contains(true)
            if isClash { known[place].clashes += 1 }
            let merged = Product(
                id: id,
                name: mine.name != base.name ? mine.name : theirs.name,
                price: mine.price != base.price ? mine.price : theirs.price,
                category: mine.category != base.category ? mine.category : theirs.category
            )
            #expect(items[id] == merged, comment)
        }
        known[place].base = items
        known[place].mine = [:]
    }

    /// Whether both sides changed a member to different values.
    private static func clash<Value: Equatable>(_ base: Value, _ mine: Value, _ theirs: Value) -> Bool {
        mine != base && theirs != base && mine != theirs
    }
}
