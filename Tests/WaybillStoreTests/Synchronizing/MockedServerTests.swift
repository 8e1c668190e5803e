import Foundation
import TestSupport
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@testable import WaybillStore

extension Shop: DescribedAPI {
    var calls: APIDescription {
        products
        reviews(of: 1)
    }
}

@Suite("Stores with a mock server and an interruptible connection", .inTurn)
struct MockedServerTests {
    private let server: StubTransport
    private let network: InterruptibleTransport

    init() throws {
        let changes = MockServer.Changes(at: "products", updated: "updated_at", since: "since", deleted: "deleted_at")
        let responses = try StubResponses.mocking(Shop(StubTransport([:])) { IdempotencyKey() }, changes: [changes]) {
            Seeds([Product(id: 1, name: "Lamp", price: 30), Product(id: 2, name: "Rug", price: 80)])
        }
        server = StubTransport(responses)
        network = InterruptibleTransport(server)
    }

    private func open(
        _ transport: some Transport,
        seed: UInt64 = 1
    ) async throws -> (store: Store, products: StoredCollection<Product, ReadWrite>) {
        let store = try await Store.manual(seed: seed)
        let products = store.collection(Shop(transport) { IdempotencyKey() }.products) {
            Store.Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted_at")
            Store.Conflicts(.merge(clash: .mine), readsBeforeWriting: true)
        }
        return (store, products)
    }

    @Test("A write waits while there is no connection, and then is sent")
    func offline() async throws {
        let (store, products) = try await open(network)
        network.interrupt()
        let desk = try await products.create(.init(name: "Desk"))
        try await products.patch(desk.id) { $0.price = 120 }
        #expect(try await store.synchronize().waiting.count == 1)
        #expect(store.status == .offline(waiting: 1))
        network.restore()
        #expect(try await store.synchronize().isComplete)
        #expect(store.status == .idle)
        #expect(try await products.read(desk.id) == Product(id: 3, name: "Desk", price: 120))
        #expect(try await products.elements().map(\.name).sorted() == ["Desk", "Lamp", "Rug"])
    }

    @Test("A mock server rejects an unreadable time instead of returning the whole list")
    func unreadableTime() async throws {
        let shop = Shop(server)
        let list: Endpoint<[Product]> = shop.client.endpoint {
            GET("products")
            Query("since", "yesterday")
        }
        let error = await #expect(throws: APIError.self) { try await list.send() }
        #expect(error?.status == 400)
    }

    @Test("The second synchronization requests only changes, and removes deleted items")
    func delta() async throws {
        let (store, products) = try await open(network)
        let (otherStore, others) = try await open(server, seed: 2)
        try await store.synchronize()
        try await otherStore.synchronize()
        try await others.patch(1) { $0.name = "Desk lamp" }
        try await others.delete(2)
        try await otherStore.synchronize()
        let report = try await store.synchronize()
        #expect(server.requests.last?.query("since") != nil)
        #expect(report.collections.map(\.removed) == [1])
        #expect(try await products.elements().map(\.name) == ["Desk lamp"])
        let again = try await store.synchronize()
        #expect(again.collections.map(\.changed) == [0])
    }

    @Test("Two stores that change one item end up equal, and the conflict is reported")
    func conflict() async throws {
        let (store, products) = try await open(network)
        let (otherStore, others) = try await open(server, seed: 2)
        var events = store.events.makeAsyncIterator()
        try await store.synchronize()
        try await otherStore.synchronize()
        network.interrupt()
        try await products.patch(1) { $0.name = "Mine" }
        try await others.patch(1) { (product) in (product.name, product.price) = ("Theirs", 5) }
        try await otherStore.synchronize()
        network.restore()
        try await store.synchronize()
        try await otherStore.synchronize()
        #expect(try await products.read(1) == Product(id: 1, name: "Mine", price: 5))
        #expect(try await others.elements() == products.elements())
        var conflicts = 0
        await store.close()
        while let event = await events.next() { if case .conflict = event { conflicts += 1 } }
        #expect(conflicts == 1)
    }

    @Test("A keyed creation takes effect once if its response is lost")
    func lostResponse() async throws {
        let (store, products) = try await open(network)
        network.loseResponses()
        try await products.create(.init(name: "Desk"))
        #expect(try await store.synchronize().waiting.count == 1)
        try await store.synchronize()
        #expect(try await products.elements().map(\.name).sorted() == ["Desk", "Lamp", "Rug"])
    }

    @Test("A repeated response for a key does not replace a newer version", arguments: [true, false])
    func repeatedResponse(isCreation: Bool) async throws {
        let server = ShopServer(products: [.product(1, "Lamp"), .product(2, "Rug")])
        server.edit(1, [:])
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport) { IdempotencyKey() }.products) {
            Store.Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted")
            // The faults apply to writes only.
            Store.Conflicts(.merge(clash: .mine), readsBeforeWriting: false)
        }
        try await store.synchronize()
        var id = 1
        if isCreation {
            try await products.create(.init(name: "Desk"))
            id = 101
        } else {
            try await products.patch(1) { $0.name = "Desk lamp" }
        }
        server.change { $0.faults = [.lostResponse] }
        await store.sender.wake()
        await store.sender.waitForRequestsInFlight()
        server.edit(id, ["name": "Theirs", "price": 77])
        server.edit(2, ["price": 5])
        // The list contains the newer version, while the response is lost once more.
        server.change { $0.faults = [.lostResponse] }
        try await store.synchronize()
        for _ in 0..<3 { try await store.synchronize() }
        #expect(try await store.outbox.entries().isEmpty)
        #expect(try await products.read(id) == Product(id: id, name: "Theirs", price: 77))
        #expect(server.effects.count == 1)
    }
}
