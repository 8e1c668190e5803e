import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore

@Suite("Offline writes", .inTurn)
struct OfflineWriteTests {
    private let server = ShopServer(products: [.product(1, "Lamp", ["color": "red"])])

    @Test("A created item is visible at once with a temporary ID, and gets the server's ID when it is sent")
    func create() async throws {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        let desk = try await products.create(.init(name: "Desk", price: 90))
        #expect(desk.id < -1_000_000)
        #expect(try await products.elements() == [desk])
        #expect(server.effects == [])
        let report = try await store.synchronize()
        #expect(report.sent == 1)
        #expect(report.isComplete)
        #expect(server.effects == ["POST /products"])
        let all = try await products.elements()
        #expect(all.map(\.id).sorted() == [1, 101])
        #expect(try await products.read(desk.id)?.id == 101)
        #expect(try await products.currentID(of: desk.id) == 101)
    }

    @Test("Changes before the first attempt are merged into the creation")
    func coalesced() async throws {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        let desk = try await products.create(.init(name: "Desk"))
        try await products.patch(desk.id) { $0.name = "Oak desk" }
        try await products.patch(desk.id) { $0.price = 200 }
        #expect(try await store.outbox.entries().map(\.operation) == [.create])
        try await store.synchronize()
        #expect(server.effects == ["POST /products"])
        #expect(server.items().last?["name"] == "Oak desk")
        #expect(try await products.read(101) == Product(id: 101, name: "Oak desk", price: 200))
    }

    @Test("An item created and deleted before the first attempt leaves nothing to send")
    func createdAndDeleted() async throws {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        let desk = try await products.create(.init(name: "Desk"))
        try await products.delete(desk.id)
        #expect(try await store.outbox.entries().isEmpty)
        #expect(try await products.elements().isEmpty)
    }

    @Test("Retrying an entry that refers to an item never created leaves it parked with the reason")
    func retriedReference() async throws {
        let store = try await Store.manual()
        let shop = Shop(server.transport)
        let products = store.collection(shop.products)
        let desk = try await products.create(.init(name: "Desk"))
        _ = try await store.collection(shop.reviews(of: 1)).create(.init(product: desk.id, stars: 4))
        try await products.delete(desk.id)
        let parked = try #require(try await store.outbox.entries().first)
        #expect(parked.state == .parked)
        try await store.outbox.retry(parked.id)
        try await store.synchronize()
        let entries = try await store.outbox.entries()
        #expect(entries.map(\.state) == [.parked])
        #expect(entries.first?.failure?.summary.contains("refers to the new item \(desk.id)") == true)
        #expect(server.effects == [])
    }

    @Test("A reverted change leaves nothing to send")
    func takenBack() async throws {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        try await products.patch(1) { $0.name = "Torch" }
        try await products.patch(1) { $0.name = "Lamp" }
        #expect(try await store.outbox.entries().isEmpty)
    }

    @Test("Members that the type lacks survive changes, whether sent by PATCH or PUT")
    func unknownMembers() async throws {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        try await products.patch(1) { $0.price = 5 }
        try await store.synchronize()
        try await products.update(Product(id: 1, name: "Torch", price: 5))
        try await store.synchronize()
        #expect(server.effects == ["PATCH /products/1", "PUT /products/1"])
        #expect(server.items()[0]["color"] == "red")
        #expect(server.items()[0]["name"] == "Torch")
    }

    @Test("The server's ID replaces temporary IDs in members and paths")
    func references() async throws {
        let store = try await Store.manual()
        let shop = Shop(server.transport)
        let products = store.collection(shop.products)
        let desk = try await products.create(.init(name: "Desk"))
        let reviews = store.collection(shop.reviews(of: desk.id))
        let review = try await reviews.create(.init(product: desk.id, stars: 5))
        let entries = try await store.outbox.entries()
        #expect(entries.map(\.state) == [.waiting(.turn), .waiting(.earlierWrite)])
        let report = try await store.synchronize()
        #expect(report.waiting.isEmpty)
        #expect(server.effects == ["POST /products", "POST /products/101/reviews"])
        #expect(server.items("/products/101/reviews")[0]["product"] == 101)
        #expect(try await reviews.read(review.id)?.product == 101)
        // The same collection, with the server's ID.
        #expect(try await store.collection(shop.reviews(of: 101)).count() == 1)
    }

    @Test("A deleted item is hidden at once, and its entry ends with the server's response")
    func delete() async throws {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        try await products.delete(1)
        #expect(try await products.read(1) == nil)
        await #expect(throws: StoreError.self) { try await products.delete(1) }
        try await store.synchronize()
        #expect(server.effects == ["DELETE /products/1"])
        #expect(try await store.outbox.entries().isEmpty)
    }
}
