import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Rows kept by a bounded collection", .inTurn)
struct KeepTests {
    private let server = ShopServer(
        products: (1...6).map { .product($0, "Product \($0)", price: [30, 10, 60, 20, 50, 40][$0 - 1]) }
    )

    private func names(
        after rounds: Int = 1,
        _ keep: Store.Keep<Product>,
        _ prepare: (StoredCollection<Product, ReadWrite>, Store) async throws -> Void = { _, _ in }
    ) async throws -> [Int] {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) { keep }
        try await prepare(products, store)
        for _ in 0..<rounds { try await store.synchronize() }
        return try await products.elements().map(\.id)
    }

    @Test("The rows with the greatest values of a property are kept")
    func kept() async throws {
        #expect(try await names(after: 2, Store.Keep(newest: 2, by: \.price)) == [3, 5])
        #expect(try await names(Store.Keep(newest: 6, by: \.price)) == [1, 2, 3, 4, 5, 6])
        #expect(try await names(Store.Keep(newest: 0, by: \.price)) == [])
        #expect(try await names(Store.Keep(newest: -1, by: \.id)) == [])
    }

    @Test("Rows without a value for the property are dropped first")
    func missingValues() async throws {
        server.edit(4, ["category": "lamp"])
        server.edit(2, ["category": "chair"])
        #expect(try await names(Store.Keep(newest: 1, by: \.category)) == [4])
        #expect(try await names(Store.Keep(newest: 2, by: \.category)) == [2, 4])
    }

    @Test("A row with pending writes is kept until the server has them")
    func pending() async throws {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) { Store.Keep(newest: 1, by: \.price) }
        server.change { $0.items["/products"] = [2: .product(2, "Product 2")] }
        try await store.synchronize()
        try await products.patch(2) { $0.name = "Mine" }
        server.edit(3, .product(3, "Product 3", price: 60))
        server.change { $0.isOffline = true }
        _ = try await products.create(.init(name: "New", price: 1))
        #expect(try await products.elements().map(\.name) == ["Mine", "New"])
        server.change { $0.isOffline = false }
        try await store.synchronize()
        #expect(server.items().map { $0["name"] } == ["Mine", "Product 3", "New"])
        #expect(try await products.elements().map(\.name) == ["Product 3"])
    }

    @Test("Items of the last hour are kept, and the first later synchronization drops them")
    func age() async throws {
        let now = Locked(Date(timeIntervalSince1970: 1_000_000))
        let store = try await Store.manual(dates: Client.DateProvider { now.withLock { $0 } })
        let transport = StubTransport { _ in
            let times = ["1970-01-12T12:46:40Z", "1970-01-12T12:46:39Z", "1970-01-12T13:46:39Z"]
            let items = times.enumerated().map { JSONValue.object(["id": .integer($0 + 1), "at": .string($1)]) }
            return .json(JSONValue.array(items).description)
        }
        let url = try #require(URL(string: "https://shop.example"))
        struct Note: Entity {
            let id: Int
            var at: Date
        }
        let client = Client(url, transport: transport)
        struct Notes: API {
            let client: Client
            var notes: Resource<Note, ReadOnly> { resource("notes") }
        }
        let notes = store.collection(Notes(client: client).notes) { Store.Keep(maximumAge: .seconds(3600), by: \.at) }
        try await store.synchronize()
        #expect(try await notes.elements().map(\.id) == [1, 3])
        now.withLock { $0 += 60 }
        try await store.synchronize()
        #expect(try await notes.elements().map(\.id) == [3])
    }

    @Test("Observers see added and dropped rows as one change")
    func observed() async throws {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) { Store.Keep(newest: 2, by: \.id) }
        try await store.synchronize()
        var changes = products.changes.makeAsyncIterator()
        var list: [StoredChange<Product>.Row] = []
        if case .rows(let rows)? = await changes.next() { list = rows }
        server.edit(7, .product(7, "Product 7"))
        try await store.synchronize()
        if case .differences(let differences)? = await changes.next() {
            for difference in differences { list.apply(difference) }
        }
        #expect(list.map(\.element.id) == [6, 7])
    }
}
