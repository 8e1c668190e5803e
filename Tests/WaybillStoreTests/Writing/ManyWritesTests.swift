import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Bulk writes", .inTurn)
struct ManyWritesTests {
    private let server = ShopServer(products: (1...450).map { .product($0, "Product \($0)", price: $0) })

    private func open() async throws -> (Store, StoredCollection<Product, ReadWrite>) {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        return (store, products)
    }

    @Test("A query's rows are changed in batches, with progress")
    func patched() async throws {
        let (store, products) = try await open()
        var seen: [String] = []
        let query = products.filter { $0.price > 20 }
        let count = try await products.patchAll(of: query) {
            $0.price = 0
        } progress: {
            seen.append("\($0) of \($1)")
        }
        #expect(count == 430)
        #expect(seen == ["200 of 430", "400 of 430", "430 of 430"])
        #expect(try await query.count() == 0)
        #expect(try await store.outbox.entries().count == 430)
    }

    @Test("A bulk write respects the query's limit, and covers all rows without one")
    func limited() async throws {
        let (store, products) = try await open()
        #expect(try await products.patchAll(of: products.sorted(by: \.price, .reverse).limit(3)) { $0.name = "X" } == 3)
        #expect(try await store.outbox.entries().map(\.itemID).sorted() == ["448", "449", "450"])
        #expect(try await products.patchAll { $0.price += 1 } == 450)
    }

    @Test("A row that no longer matches when its batch runs is left unchanged")
    func changedMeanwhile() async throws {
        let (_, products) = try await open()
        let query = products.filter { $0.price <= 450 }
        let count = try await products.patchAll(of: query) {
            $0.price += 1_000
        } progress: { done, _ in
            // Before the second batch, another write changes one of its rows.
            if done == 200 { _ = try? await products.patch(450) { $0.price = 5_000 } }
        }
        #expect(count == 449)
        #expect(try await products.read(450)?.price == 5_000)
    }

    @Test("A cancelled task keeps the completed batches")
    func cancelled() async throws {
        let (_, products) = try await open()
        let task = Task {
            try await products.deleteAll(of: products.query) { done, _ in
                if done == 200 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: StoreError.self) { try await task.value }
        #expect(try await products.count() == 250)
    }

    @Test("A task cancelled after the last batch has changed all rows and returns their number")
    func cancelledAtTheEnd() async throws {
        let (_, products) = try await open()
        let task = Task {
            try await products.deleteAll(of: products.query) { done, total in
                if done == total { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        #expect(try await task.value == 450)
    }

    @Test("Many new items are created at once, each with a distinct ID")
    func created() async throws {
        let (store, products) = try await open()
        var last = 0
        let new = try await products.create((1...401).map { .init(name: "New \($0)") }) { done, _ in last = done }
        #expect(last == 401)
        #expect(Set(new.map(\.id)).count == 401)
        #expect(new.map(\.name) == (1...401).map { "New \($0)" })
        #expect(try await products.count() == 851)
        #expect(try await store.outbox.entries().count == 401)
    }

    @Test("Reads do not wait for a running batch")
    func reads() async throws {
        let folder = TemporaryFolder()
        let store = try await Store(at: folder.url, settings: .init(sendsAutomatically: false))
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        let (entered, continuation) = AsyncStream<Void>.makeStream()
        // It blocks the writer's thread, which is not in Swift's concurrency pool.
        let release = DispatchSemaphore(value: 0)
        let isFirst = Locked(true)
        let task = Task {
            try await products.patchAll { (product) in
                if isFirst.withLock({ first in (first, first = false).0 }) {
                    continuation.yield()
                    release.wait()
                }
                product.price += 1
            }
        }
        for await _ in entered { break }
        #expect(try await products.read(1)?.price == 1)
        #expect(try await products.count() == 450)
        release.signal()
        #expect(try await task.value == 450)
        #expect(try await products.read(1)?.price == 2)
        await store.close()
    }
}
