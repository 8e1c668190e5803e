import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Writes sent as a batch", .inTurn)
struct BatchTests {
    private enum Bulk: Listable, Readable, Creatable, BatchCreatable, Updatable, BatchUpdatable, Patchable {}

    private let server = ShopServer(products: [.product(1, "Lamp"), .product(2, "Rug")])

    private struct BulkShop: API {
        let client: Client

        var products: Resource<Product, Bulk> {
            resource("products") { On(.createBatch) { POST("\(.resource)/collection") } }
        }

        /// The same resource with idempotency keys and per-item problems.
        var careful: Resource<Product, Bulk> {
            resource("products") {
                On(.createBatch) { WriteResult.ItemProblem(String.self, at: "error") }
                IdempotencyKey()
            }
        }
    }

    private func open(batchSize: Int = 100) async throws -> (Store, BulkShop) {
        let settings = StoreSettings(backoff: .constant(.seconds(60)), batchSize: batchSize, sendsAutomatically: false)
        let store = try await Store.inMemory(settings: settings, clock: ManualClock())
        return (store, BulkShop(client: Shop(server.transport).client))
    }

    private func create(_ names: String..., in products: StoredCollection<Product, Bulk>) async throws {
        for name in names { try await products.create(.init(name: name)) }
    }

    @Test("New items are sent in one request to the declared endpoint, and get their IDs in order")
    func created() async throws {
        let (store, shop) = try await open()
        let products = store.collection(shop.products)
        try await create("A", "B", "C", in: products)
        #expect(try await store.synchronize().sent == 3)
        #expect(server.effects == ["POST /products/collection 3"])
        #expect(
            try await products.filter { $0.id > 100 }.elements().map { "\($0.id) \($0.name)" }
                == ["101 A", "102 B", "103 C"]
        )
        #expect(try await store.outbox.entries().isEmpty)
    }

    @Test("Batches are limited in size, and a single item is sent alone")
    func sizes() async throws {
        let (store, shop) = try await open(batchSize: 2)
        let products = store.collection(shop.products)
        try await create("A", "B", "C", in: products)
        try await store.synchronize()
        #expect(server.effects.sorted() == ["POST /products", "POST /products/collection 2"])
    }

    @Test("Replacements are sent in one request, and patches one by one")
    func updated() async throws {
        let (store, shop) = try await open()
        let products = store.collection(shop.products)
        try await store.synchronize()
        for id in 1...2 {
            let old = try #require(try await products.read(id))
            try await products.update(Product(id: id, name: old.name + "!", price: 5))
        }
        try await store.synchronize()
        #expect(server.effects == ["PATCH /products 2"])
        #expect(server.items().map { $0["name"] } == ["Lamp!", "Rug!"])
        for id in 1...2 { try await products.patch(id) { $0.price = 6 } }
        try await store.synchronize()
        #expect(server.effects.dropFirst().sorted() == ["PATCH /products/1", "PATCH /products/2"])
    }

    @Test("If a batch is rejected, each item is sent alone and gets its own response")
    func rejected() async throws {
        let (store, shop) = try await open()
        let products = store.collection(shop.products)
        try await create("A", "bad", "C", in: products)
        server.change { $0.rejectsBadNames = true }
        try await store.synchronize()
        #expect(server.items().dropFirst(2).compactMap { $0["name"]?.stringValue }.sorted() == ["A", "C"])
        let entries = try await store.outbox.entries()
        #expect(entries.map(\.state) == [.parked])
        #expect(entries.first?.failure?.status == 422)
    }

    @Test("An item's problem parks only that item")
    func problems() async throws {
        server.change { $0.hasItemProblems = true }
        let (store, shop) = try await open()
        let products = store.collection(shop.careful)
        try await create("A", "bad", "C", in: products)
        try await store.synchronize()
        #expect(server.effects == ["POST /products 3"])
        let entries = try await store.outbox.entries()
        #expect(entries.map(\.state) == [.parked])
        #expect(entries.first?.failure?.summary.contains("a bad name") == true)
        #expect(try await products.elements().map(\.name).sorted() == ["A", "C", "Lamp", "Rug", "bad"])
    }

    @Test(
        "A response that does not match the request leaves the entries in an unknown state",
        arguments: [
            { $0.removeLast() }, { $0.append($0[0]) }, { $0[1] = $0[0] }, { $0[1] = ["name": "A"] }, { $0 = [] },
        ] as [@Sendable (inout [JSONValue]) -> Void]
    )
    func mismatch(change: @escaping @Sendable (inout [JSONValue]) -> Void) async throws {
        let (store, shop) = try await open()
        let products = store.collection(shop.products)
        try await create("A", "B", in: products)
        server.change { $0.changeBatch = change }
        await store.sender.wake()
        await store.sender.waitForRequestsInFlight()
        let entries = try await store.outbox.entries()
        #expect(entries.map(\.state) == [.unknown, .unknown])
        #expect(try await products.elements().allSatisfy { $0.id < 0 })
    }

    @Test("With an idempotency key, a lost response is repeated with the same key and items", arguments: [true, false])
    func lost(hasKey: Bool) async throws {
        let (store, shop) = try await open()
        let products = store.collection(hasKey ? shop.careful : shop.products)
        try await create("A", "B", in: products)
        server.change { $0.faults = [.lostResponse] }
        await store.sender.wake()
        await store.sender.waitForRequestsInFlight()
        try await create("C", in: products)
        try await store.synchronize()
        let names = server.items().dropFirst(2).map { $0["name"] }
        #expect(names == ["A", "B", "C"])
        let states = try await store.outbox.entries().map(\.state)
        #expect(states == (hasKey ? [] : [.unknown, .unknown]))
    }

    @Test("Retried entries of unknown effect are sent alone")
    func retried() async throws {
        let (store, shop) = try await open()
        let products = store.collection(shop.products)
        try await create("A", "B", in: products)
        server.change { $0.faults = [.lostResponse] }
        await store.sender.wake()
        await store.sender.waitForRequestsInFlight()
        for entry in try await store.outbox.entries() { try await store.outbox.retry(entry.id) }
        try await store.synchronize()
        #expect(server.effects.dropFirst().sorted() == ["POST /products", "POST /products"])
        #expect(try await store.outbox.entries().isEmpty)
    }
}
