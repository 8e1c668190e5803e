import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore

@Suite("Items changed on both sides", .inTurn)
struct ConflictTests {
    /// A rule, an edit on each side, and the final values.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: Store.Conflicts<Product>.Rule
        let name: String
        let theirs: JSONValue
        let hasTags: Bool
        let expected: JSONValue
        let reports: [StoreConflict.Outcome]

        var testDescription: String { "\(name), \(hasTags ? "with" : "without") entity tags" }
    }

    static let rows: [Row] = [true, false].flatMap { hasTags -> [Row] in
        [
            Row(
                rule: .merge(clash: .mine),
                name: "different members are merged",
                theirs: ["price": 99],
                hasTags: hasTags,
                expected: ["name": "Torch", "price": 99],
                reports: []
            ),
            Row(
                rule: .merge(clash: .mine),
                name: "a clash is mine",
                theirs: ["name": "Candle"],
                hasTags: hasTags,
                expected: ["name": "Torch", "price": 10],
                reports: [.mine]
            ),
            Row(
                rule: .merge(clash: .theirs),
                name: "a clash is theirs",
                theirs: ["name": "Candle", "price": 99],
                hasTags: hasTags,
                expected: ["name": "Candle", "price": 99],
                reports: [.merged]
            ),
            Row(
                rule: .theirs,
                name: "theirs wins",
                theirs: ["price": 99],
                hasTags: hasTags,
                expected: ["name": "Lamp", "price": 99],
                reports: [.theirs]
            ),
        ]
    }

    @Test("The conflict rule decides, both sides end up equal, and a conflict is reported once", arguments: rows)
    func rule(_ row: Row) async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        server.change { $0.hasTags = row.hasTags }
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) { Store.Conflicts(row.rule) }
        var events = store.events.makeAsyncIterator()
        _ = try await products.inStep.read(1)
        try await products.patch(1) { $0.name = "Torch" }
        server.edit(1, row.theirs)
        // Without entity tags, the store has to fetch the server's version before it sends the edit.
        if !row.hasTags {
            server.change { $0.faults = [.status(503)] }
            try await store.synchronize()
        }
        try await store.synchronize()
        try await store.synchronize()
        let item = try #require(server.items().first)
        #expect(item["name"] == row.expected["name"])
        #expect(item["price"] == row.expected["price"])
        let stored = try #require(try await products.read(1))
        #expect(JSONValue.string(stored.name) == row.expected["name"])
        #expect(JSONValue.integer(stored.price) == row.expected["price"])
        #expect(try await store.outbox.entries().isEmpty)
        await store.close()
        var reports: [StoreConflict.Outcome] = []
        while let event = await events.next() {
            if case .conflict(let report) = event { reports.append(report.outcome) }
        }
        #expect(reports == row.reports)
    }

    @Test("A member added on both sides is a conflict, even if the item is read before writing")
    func added() async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) {
            Store.Conflicts(.merge(clash: .theirs), readsBeforeWriting: true)
        }
        try await store.synchronize()
        try await products.patch(1) { $0.category = "mine" }
        server.edit(1, ["category": "theirs"])
        var events = store.events.makeAsyncIterator()
        try await store.synchronize()
        #expect(server.items().first?["category"] == "theirs")
        #expect(try await products.read(1)?.category == "theirs")
        await store.close()
        var outcomes: [StoreConflict.Outcome] = []
        while let event = await events.next() {
            if case .conflict(let conflict) = event { outcomes.append(conflict.outcome) }
        }
        #expect(outcomes == [.merged])
    }

    @Test("With the rule `ask`, a conflict waits while other writes are sent, and the decision is sent")
    func ask() async throws {
        let server = ShopServer(products: [.product(1, "Lamp"), .product(2, "Rug")])
        server.change { $0.hasTags = true }
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) { Store.Conflicts(.ask) }
        _ = try await products.inStep.read(1)
        _ = try await products.inStep.read(2)
        try await products.patch(1) { $0.name = "Torch" }
        try await products.patch(2) { $0.name = "Carpet" }
        server.edit(1, ["name": "Candle"])
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        #expect(entry.state == .conflict)
        #expect(entry.serverVersion?["name"] == "Candle")
        #expect(try await products.read(1)?.name == "Torch")
        #expect(server.effects == ["PATCH /products/2"])
        try await store.outbox.resolve(entry.id, with: .product(1, "Candle torch"))
        try await store.synchronize()
        #expect(server.items()[0]["name"] == "Candle torch")
        #expect(try await products.read(1)?.name == "Candle torch")
        #expect(try await store.outbox.entries().isEmpty)
    }

    @Test("A resolution that refers to a new item is sent after it, with the server's ID")
    func referenceInResolution() async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        server.change { $0.hasTags = true }
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) { Store.Conflicts(.ask) }
        _ = try await products.inStep.read(1)
        try await products.patch(1) { $0.name = "Torch" }
        server.edit(1, ["name": "Candle"])
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        let desk = try await products.create(.init(name: "Desk"))
        try await store.outbox.resolve(entry.id, with: .product(1, "Candle", price: desk.id))
        try await store.synchronize()
        #expect(server.effects == ["POST /products", "PATCH /products/1"])
        #expect(server.items()[0]["price"] == 101)
        #expect(try await store.outbox.entries().isEmpty)
    }

    @Test("A closure merges three versions")
    func function() async throws {
        let server = ShopServer(products: [.product(1, "Lamp", price: 10)])
        server.change { $0.hasTags = true }
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) {
            Store.Conflicts { (base, mine, theirs) in
                var merged = theirs
                merged.price = theirs.price + mine.price - base.price
                return merged
            }
        }
        _ = try await products.inStep.read(1)
        try await products.patch(1) { $0.price += 5 }
        server.edit(1, ["price": 30])
        try await store.synchronize()
        #expect(server.items()[0]["price"] == 35)
        #expect(try await products.read(1)?.price == 35)
    }

    @Test("An edit of an item that the server deleted waits for a decision")
    func deletedThere() async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        try await products.patch(1) { $0.name = "Torch" }
        server.edit(1, nil)
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        #expect(entry.state == .conflict)
        #expect(entry.serverVersion == nil)
        #expect(try await products.read(1)?.name == "Torch")
        try await store.outbox.discard(entry.id)
        #expect(try await products.elements().isEmpty)
    }
}
