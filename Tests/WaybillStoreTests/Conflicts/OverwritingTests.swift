import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Changes by another client", .inTurn)
struct OverwritingTests {
    private enum All: Listable, Readable, Creatable, Updatable, Patchable, Deletable {}

    private struct EditedShop: API {
        let client: Client

        var products: Resource<Product, All> { resource("products") }
    }

    enum Change: Sendable, CaseIterable { case patch, update, delete }

    private func open(
        _ server: KeyedServer,
        _ conflicts: Store.Conflicts<Product>?
    ) async throws -> (Store, StoredCollection<Product, All>) {
        let store = try await Store.manual()
        let products = store.collection(EditedShop(client: Shop(server.transport).client).products) {
            if let conflicts { conflicts }
        }
        try await store.synchronize()
        return (store, products)
    }

    private func change(_ change: Change, _ products: StoredCollection<Product, All>) async throws {
        switch change {
        case .patch: try await products.patch(1) { $0.name = "Torch" }
        case .update: try await products.update(Product(id: 1, name: "Torch", price: 10))
        case .delete: try await products.delete(1)
        }
    }

    @Test(
        "Without entity tags in a list, another client's conflicting change is detected before it is overwritten",
        arguments: Change.allCases,
        [false, true]
    )
    func conflict(change: Change, hasTags: Bool) async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        server.change { $0.hasTags = hasTags }
        let (store, products) = try await open(server, Store.Conflicts(.ask))
        try await self.change(change, products)
        server.change { $0.put(.product(1, "Candle"), id: 1) }
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        #expect(entry.state == .conflict)
        #expect(entry.serverVersion?["name"] == "Candle")
        #expect(entry.failure == nil)
        #expect(server.change { $0.effects }.isEmpty)
        // A deletion waiting for a decision does not hide its item.
        #expect(try await products.elements().count == 1)
    }

    @Test("By default, changes of different members are both kept", arguments: [Change.patch, .update], [false, true])
    func merged(change: Change, hasTags: Bool) async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        server.change { $0.hasTags = hasTags }
        let (store, products) = try await open(server, nil)
        try await self.change(change, products)
        server.change { $0.put(.product(1, "Lamp", price: 99), id: 1) }
        #expect(try await store.synchronize().isComplete)
        #expect(server.change { $0.items[1] } == .product(1, "Torch", price: 99))
        #expect(try await products.read(1) == Product(id: 1, name: "Torch", price: 99))
    }

    @Test("Without reading before writing, a change is sent at once", arguments: Change.allCases)
    func optedOut(change: Change) async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        let (store, products) = try await open(server, Store.Conflicts(.merge(clash: .mine), readsBeforeWriting: false))
        try await self.change(change, products)
        server.change { $0.put(.product(1, "Candle"), id: 1) }
        #expect(try await store.synchronize().isComplete)
        #expect(server.change { $0.effects.count } == 1)
    }

    @Test("A response without an item is not used for the comparison")
    func noItem() async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        let (store, products) = try await open(server, nil)
        try await products.patch(1) { $0.name = "Torch" }
        server.change { $0.items[1] = ["error": "not now"] }
        try await store.outbox.retry(try #require(try await store.outbox.entries().first?.id))
        await store.sender.waitForRequestsInFlight()
        let entry = try #require(try await store.outbox.entries().first)
        #expect(entry.state == .parked)
        #expect(entry.failure?.summary.contains("readsBeforeWriting: false") == true)
        #expect(server.change { $0.effects }.isEmpty)
        #expect(try await products.read(1)?.name == "Torch")
    }

    // MARK: Server first

    @Test("Server first, an item without an entity tag is read before it is changed", arguments: Change.allCases)
    func serverFirst(change: Change) async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        let (_, products) = try await open(server, nil)
        server.change { $0.put(.product(1, "Candle", price: 99), id: 1) }
        switch change {
        case .patch:
            let patched = try await products.inStep.patch(1) { $0.price += 1 }
            #expect(patched == Product(id: 1, name: "Candle", price: 100))
        case .update:
            await #expect(throws: StoreError.self) {
                try await products.inStep.update(Product(id: 1, name: "Torch", price: 10))
            }
            #expect(server.change { $0.effects }.isEmpty)
            #expect(try await products.read(1)?.name == "Candle")
        case .delete:
            await #expect(throws: StoreError.self) { try await products.inStep.delete(1) }
            #expect(server.change { $0.effects }.isEmpty)
            #expect(try await products.read(1)?.name == "Candle")
        }
    }

    // MARK: Decisions

    /// A user's decision about a conflict.
    enum Decision: Sendable, CaseIterable { case mine, theirs, pageLoop, delete }

    @Test(
        "A conflict decision is applied, and later edits of the item are kept",
        arguments: Thoroughness.some(Change.allCases, oneIn: 2),
        Decision.allCases
    )
    func decision(change: Change, decision: Decision) async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        let (store, products) = try await open(server, Store.Conflicts(.ask))
        try await self.change(change, products)
        server.change { $0.put(.product(1, "Candle"), id: 1) }
        try await store.synchronize()
        let isEdited = decision != .theirs && decision != .delete && change != .delete
        if isEdited { try await products.patch(1) { $0.category = "later" } }
        let entry = try #require(try await store.outbox.entries().first)
        let theirs = try #require(entry.serverVersion)
        switch decision {
        case .mine: try await store.outbox.retry(entry.id)
        case .theirs: try await store.outbox.discard(entry.id)
        case .pageLoop: try await store.outbox.resolve(entry.id, with: theirs.applying(mergePatch: entry.content))
        case .delete: try await store.outbox.resolve(entry.id, with: .null)
        }
        #expect(try await store.synchronize().isComplete)
        let item = server.change { $0.items[1] }
        switch (change, decision) {
        case (_, .theirs): #expect(item == .product(1, "Candle"))
        case (.delete, _), (_, .delete): #expect(item == nil)
        default:
            #expect(item == .product(1, "Torch", ["category": "later"]))
            #expect(server.change { $0.effects.contains("PUT 1") } == (change == .update))
        }
        #expect(try await products.elements().count == (item == nil ? 0 : 1))
    }

    @Test("A document that is not an item does not resolve a conflict")
    func wrongDecision() async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        let (store, products) = try await open(server, Store.Conflicts(.ask))
        try await products.patch(1) { $0.name = "Torch" }
        server.change { $0.put(.product(1, "Candle"), id: 1) }
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        await #expect(throws: StoreError.self) { try await store.outbox.resolve(entry.id, with: [1, 2]) }
        #expect(try await store.outbox.entries().map(\.state) == [.conflict])
    }

    // MARK: Writes whose effect is seen, or that are rejected

    @Test("A rejected deletion does not hide its item, and the next change replaces it", arguments: [403, 405, 423])
    func rejectedDeletion(code: Int) async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        let (store, products) = try await open(server, nil)
        try await products.delete(1)
        #expect(try await products.elements().isEmpty)
        server.change { $0.events = [.stopped(code)] }
        try await store.synchronize()
        #expect(try await products.elements().map(\.name) == ["Lamp"])
        #expect(try await store.outbox.entries().map(\.state) == [.parked])
        try await products.patch(1) { $0.name = "Torch" }
        #expect(try await store.synchronize().isComplete)
        #expect(server.change { $0.effects } == ["PATCH 1"])
    }

    @Test("An unkeyed change whose response was lost ends when its effect is visible")
    func seenChange() async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        let (store, products) = try await open(server, nil)
        try await products.patch(1) { $0.name = "Torch" }
        server.change { $0.events = [.lost] }
        try await store.synchronize()
        try await products.patch(1) { $0.price = 5 }
        for _ in 0..<2 { try await store.synchronize() }
        #expect(try await store.outbox.entries().isEmpty)
        #expect(server.change { $0.effects } == ["PATCH 1", "PATCH 1"])
        #expect(server.change { $0.items[1] } == .product(1, "Torch", price: 5))
    }

    @Test(
        "Retrying a change of unknown effect detects a newer server version",
        arguments: Change.allCases
    )
    func retriedOverNewer(change: Change) async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        let (store, products) = try await open(server, Store.Conflicts(.ask, readsBeforeWriting: false))
        try await self.change(change, products)
        server.change { $0.events = [.dropped] }
        try await store.synchronize()
        server.change { $0.put(.product(1, "Candle"), id: 1) }
        server.change { $0.events = [.stopped(503)] }
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        try await store.outbox.retry(entry.id)
        await store.sender.waitForRequestsInFlight()
        let retried = try #require(try await store.outbox.entries().first)
        #expect(retried.state == .conflict)
        #expect(retried.serverVersion?["name"] == "Candle")
        #expect(server.change { $0.effects }.isEmpty)
    }

    @Test("A creation of unknown effect can be confirmed as an existing item, and its later edits are sent")
    func confirmed() async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server, nil)
        let desk = try await products.create(.init(name: "Desk"))
        server.change { $0.events = [.lost] }
        try await store.synchronize()
        try await products.patch(desk.id) { $0.price = 5 }
        let entry = try #require(try await store.outbox.entries().first)
        #expect(entry.state == .unknown)
        await #expect(throws: StoreError.self) { try await store.outbox.confirm(entry.id, as: "7") }
        await #expect(throws: StoreError.self) { try await store.outbox.confirm(entry.id) }
        try await store.outbox.confirm(entry.id, as: "101")
        #expect(try await store.synchronize().isComplete)
        #expect(server.change { $0.effects } == ["POST 1", "PATCH 101"])
        #expect(try await products.elements() == [Product(id: 101, name: "Desk", price: 5)])
        #expect(try await products.read(desk.id)?.id == 101)
    }

    @Test("A change that was certainly not applied cannot be confirmed")
    func notConfirmed() async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        let (store, products) = try await open(server, nil)
        try await products.patch(1) { $0.name = "Torch" }
        let entry = try #require(try await store.outbox.entries().first)
        await #expect(throws: StoreError.self) { try await store.outbox.confirm(entry.id) }
    }
}
