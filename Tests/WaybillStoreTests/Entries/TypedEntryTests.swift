import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@Suite("Outbox entries as typed items", .inTurn)
struct TypedEntryTests {
    /// A product with a date format that only the declared coders support.
    private struct Offer: Entity, Equatable {
        let id: Int
        var name: String
        var endsAt: Date
    }

    private struct OfferAPI: API {
        let client: Client

        init(_ server: ShopServer) {
            client = Shop(server.transport).client
        }

        var offers: Resource<Offer, ReadWrite> {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .secondsSince1970
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return resource("products") {
                Decode(with: decoder)
                Encode(with: encoder)
            }
        }
    }

    /// Creates a store with a product that both sides have edited, and a server that detects the conflict.
    private static func conflict(
        _ server: ShopServer,
        theirs: JSONValue?
    ) async throws -> (Store, StoredCollection<Product, ReadWrite>) {
        server.change { $0.hasTags = true }
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) { Store.Conflicts(.ask) }
        _ = try await products.inStep.read(1)
        try await products.patch(1) { $0.name = "Torch" }
        server.edit(1, theirs)
        try await store.synchronize()
        return (store, products)
    }

    @Test("An entry has the item shown by its row, and a deletion has the deleted item")
    func items() async throws {
        let server = ShopServer(products: [.product(1, "Lamp"), .product(2, "Rug")])
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        let others = store.collection(Shop(server.transport).reviews(of: 1))
        try await store.synchronize()
        let chair = try await products.create(.init(name: "Chair"))
        _ = try await others.create(.init(product: 1, stars: 5))
        try await products.patch(1) { $0.name = "Torch" }
        try await products.delete(2)
        let entries = try await products.entries()
        #expect(entries.map(\.operation) == [.create, .patch, .delete])
        let items = try entries.map { try $0.item }
        #expect(items == [chair, Product(id: 1, name: "Torch", price: 10), Product(id: 2, name: "Rug", price: 10)])
        #expect(try await others.entries().map { try $0.item.stars } == [5])
        #expect(try await store.outbox.entries().map(\.operation) == [.create, .create, .patch, .delete])
    }

    @Test("An entry excludes later writes of its item, and a creation includes its row's provisional members")
    func earlierWrites() async throws {
        let server = ShopServer()
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        let lamp = try await products.create(.init(name: "Lamp")) { id in
            Product(id: id, name: "Lamp", price: 10, category: "provisional")
        }
        server.change { $0.faults = [.lostResponse] }
        try await store.synchronize()
        try await products.patch(lamp.id) { $0.name = "Torch" }
        try await products.delete(lamp.id)
        let entries = try await products.entries()
        #expect(entries.map(\.operation) == [.create, .delete])
        #expect(entries.first?.state == .unknown)
        #expect(try entries.map { try $0.item.name } == ["Lamp", "Torch"])
        #expect(try entries.first?.item == lamp)
    }

    @Test("Entries decode and encode items with the resource's declared coders")
    func coders() async throws {
        let server = ShopServer(products: [["id": 1, "name": "Sale", "ends_at": 100, "unknown": true]])
        server.change { $0.hasTags = true }
        let store = try await Store.manual()
        let offers = store.collection(OfferAPI(server).offers) { Store.Conflicts(.ask) }
        _ = try await offers.inStep.read(1)
        try await offers.patch(1) { $0.endsAt = Date(timeIntervalSince1970: 200) }
        server.edit(1, ["ends_at": 300])
        var events = store.events.makeAsyncIterator()
        try await store.synchronize()
        let entry = try #require(try await offers.entries().first)
        #expect(try entry.item.endsAt == Date(timeIntervalSince1970: 200))
        #expect(try entry.serverVersion?.endsAt == Date(timeIntervalSince1970: 300))
        var versions: StoreConflict.Versions<Offer>?
        while versions == nil, let event = await events.next() {
            if case .conflict(let conflict) = event { versions = try await offers.versions(of: conflict) }
        }
        let ends = [versions?.base, versions?.mine, versions?.theirs].map { $0?.endsAt.timeIntervalSince1970 }
        #expect(ends == [100, 200, 300])
        try await offers.resolve(
            entry.id,
            with: Offer(id: 1, name: "Sale", endsAt: Date(timeIntervalSince1970: 400))
        )
        try await store.synchronize()
        #expect(server.items().first?["ends_at"] == 400)
        #expect(server.items().first?["unknown"] == true)
        #expect(try await offers.entries().isEmpty)
    }

    @Test("A conflict belongs to one collection, even if another one has the same template")
    func otherCollection() async throws {
        let server = ShopServer(products: [.product(1, "Lamp"), .product(2, "Rug")])
        server.change { state in
            state.hasTags = true
            state.items["/products/1/reviews"] = [5: ["id": 5, "product": 1, "stars": 3]]
        }
        let store = try await Store.manual()
        let shop = Shop(server.transport)
        let reviews = store.collection(shop.reviews(of: 1)) { Store.Conflicts(.ask) }
        let others = store.collection(shop.reviews(of: 2)) { Store.Conflicts(.ask) }
        _ = try await reviews.inStep.read(5)
        try await reviews.patch(5) { $0.stars = 4 }
        server.edit(5, ["stars": 1], in: "/products/1/reviews")
        var events = store.events.makeAsyncIterator()
        try await store.synchronize()
        var conflict: StoreConflict?
        while conflict == nil, let event = await events.next() {
            if case .conflict(let met) = event { conflict = met }
        }
        let met = try #require(conflict)
        #expect(try await others.versions(of: met) == nil)
        #expect(try await reviews.versions(of: met)?.theirs?.stars == 1)
        let entry = try #require(try await reviews.entries().first)
        #expect(try await others.entries().isEmpty)
        await #expect(throws: StoreError.self) { try await others.resolve(entry.id, with: nil) }
        #expect(try await reviews.entries().first?.state == .conflict)
    }

    @Test("A conflict can be resolved with the local version, the server's version, or a deletion")
    func decisions() async throws {
        for (decision, expected) in [("mine", "Torch"), ("theirs", "Candle"), ("deleted", nil)] {
            let server = ShopServer(products: [.product(1, "Lamp")])
            let (store, products) = try await Self.conflict(server, theirs: ["name": "Candle"])
            let entry = try #require(try await products.entries().first)
            switch decision {
            case "mine": try await products.resolve(entry.id, with: try entry.item)
            case "theirs": try await products.resolve(entry.id, with: try entry.serverVersion)
            default: try await products.resolve(entry.id, with: nil)
            }
            try await store.synchronize()
            #expect(server.items().first?["name"]?.stringValue == expected)
            #expect(try await products.read(1)?.name == expected)
            #expect(try await products.entries().isEmpty)
        }
    }

    @Test("If the server deleted the item, its version is nil, and resolving with nil removes the row")
    func deletedThere() async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        let (_, products) = try await Self.conflict(server, theirs: nil)
        let entry = try #require(try await products.entries().first)
        #expect(entry.state == .conflict)
        #expect(try entry.item.name == "Torch")
        #expect(try entry.serverVersion == nil)
        try await products.resolve(entry.id, with: try entry.serverVersion)
        #expect(try await products.elements().isEmpty)
        #expect(try await products.entries().isEmpty)
    }

    @Test("A resolution with another ID throws, and the entry stays in conflict")
    func otherID() async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        let (_, products) = try await Self.conflict(server, theirs: ["name": "Candle"])
        let entry = try #require(try await products.entries().first)
        await #expect(throws: StoreError.self) {
            try await products.resolve(entry.id, with: Product(id: 2, name: "Torch", price: 10))
        }
        #expect(try await products.entries().map(\.state) == [.conflict])
    }

    @Test("A version that does not decode throws with the path of its member, and can be resolved as JSON")
    func undecodable() async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        let (store, products) = try await Self.conflict(server, theirs: ["price": "ten"])
        let entry = try #require(try await products.entries().first)
        #expect(try entry.item.name == "Torch")
        func text(_ work: () async throws -> Void) async -> String {
            do {
                try await work()
                return ""
            } catch {
                return "\(error)"
            }
        }
        let unread = await text { _ = try entry.serverVersion }
        #expect(unread.hasPrefix("products, item 1: ") && unread.contains("Path: price"), "\(unread)")
        let undecided = await text { try await products.resolve(entry.id, with: try entry.item) }
        #expect(undecided.contains("Path: price"), "\(undecided)")
        #expect(undecided.contains("outbox.resolve(\(entry.id), with: …)"), "\(undecided)")
        try await store.outbox.resolve(entry.id, with: .product(1, "Torch", price: 12))
        try await store.synchronize()
        #expect(server.items().first?["price"] == 12)
    }

    @Test("A creation whose response was lost is confirmed with a typed ID")
    func confirmed() async throws {
        let server = ShopServer()
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        let lamp = try await products.create(.init(name: "Lamp"))
        server.change { $0.faults = [.lostResponse] }
        try await store.synchronize()
        let entry = try #require(try await products.entries().first)
        #expect(entry.state == .unknown)
        #expect(try entry.item == lamp)
        let others = store.collection(Shop(server.transport).reviews(of: 1))
        await #expect(throws: StoreError.self) { try await others.confirm(entry.id, as: 101) }
        try await products.confirm(entry.id, as: 101)
        #expect(try await products.elements().map(\.id) == [101])
        #expect(try await products.currentID(of: lamp.id) == 101)
        #expect(try await products.entries().isEmpty)
    }
}
