import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore

@Suite("Collection queries", .inTurn)
struct QueryTests {
    private let server = ShopServer(
        products: (1...20).map {
            .product($0, "Item \($0)", price: $0 * 10, ["category": .string($0.isMultiple(of: 2) ? "even" : "odd")])
        }
    )

    private func products(
        isIndexed: Bool = true
    ) async throws -> (Store, StoredCollection<Product, ReadWrite>) {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) {
            if isIndexed {
                Store.Index(\.category)
                Store.Index(\.price)
            }
        }
        try await store.synchronize()
        return (store, products)
    }

    @Test("Conditions, orders, and limits give the same rows with and without an index", arguments: [true, false])
    func conditions(isIndexed: Bool) async throws {
        let (_, products) = try await products(isIndexed: isIndexed)
        #expect(try await products.count() == 20)
        #expect(try await products.filter(\.category, equals: "odd").count() == 10)
        #expect(try await products.filter(\.price, in: 50..<80).elements().map(\.id) == [5, 6, 7])
        #expect(try await products.filter(\.price, in: 50...80).elements().map(\.id) == [5, 6, 7, 8])
        let odd = products.filter(\.category, equals: "odd").filter { $0.price > 50 }
        #expect(try await odd.sorted(by: \.price, .reverse).limit(2).elements().map(\.id) == [19, 17])
        #expect(try await products.filter { _ in false }.first() == nil)
    }

    @Test("A predicate filters like a closure")
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    func predicate() async throws {
        let (_, products) = try await products()
        #expect(try await products.filter(#Predicate { $0.price > 180 }).elements().map(\.id) == [19, 20])
    }

    @Test("An index follows local changes and synchronizations")
    func indexFollows() async throws {
        let (store, products) = try await products()
        try await products.patch(2) { $0.category = "odd" }
        try await products.delete(1)
        #expect(
            try await products.filter(\.category, equals: "odd").elements().map(\.id).sorted().prefix(3) == [2, 3, 5]
        )
        try await store.synchronize()
        #expect(try await products.filter(\.category, equals: "odd").count() == 10)
    }

    @Test("Applying the differences to the first rows yields the query's current rows")
    func changes() async throws {
        let (store, products) = try await products()
        let query = products.filter { $0.price <= 100 }.sorted(by: \.name).limit(5)
        var iterator = query.changes.makeAsyncIterator()
        guard case .rows(var rows)? = await iterator.next() else {
            Issue.record("the first value has no rows")
            return
        }
        #expect(rows.map(\.element) == (try await query.elements()))
        let steps: [@Sendable () async throws -> Void] = [
            { try await products.patch(3) { $0.name = "A" } },
            { try await products.create(.init(name: "B", price: 20)) },
            { try await products.patch(3) { $0.price = 500 } },
            { try await products.delete(10) },
            { try await store.synchronize() },
        ]
        for step in steps {
            try await step()
            while rows.map(\.element) != (try await query.elements()) {
                guard case .differences(let differences)? = await iterator.next() else { break }
                for difference in differences { rows.apply(difference) }
                #expect(rows.count <= 5)
            }
            #expect(rows.map(\.element) == (try await query.elements()))
        }
    }

    @Test("A row keeps its identity when the server assigns its ID")
    func identity() async throws {
        let (store, products) = try await products()
        var iterator = products.filter { $0.name == "New" }.changes.makeAsyncIterator()
        _ = await iterator.next()
        try await products.create(.init(name: "New"))
        guard case .differences(let added)? = await iterator.next(), case .insert(let row, at: 0)? = added.first else {
            Issue.record("no row was added")
            return
        }
        try await store.synchronize()
        guard case .differences(let changed)? = await iterator.next(), case .update(let same, at: 0)? = changed.first
        else {
            Issue.record("the row was not updated")
            return
        }
        #expect(same.id == row.id)
        #expect(same.element.id == 101)
    }

    @Test("A view's rows follow changes")
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor func observed() async throws {
        let (_, products) = try await products()
        let list = products.filter { $0.price < 40 }.observed()
        while !list.isLoaded { await Task.yield() }
        #expect(list.elements.map(\.id) == [1, 2, 3])
        try await products.patch(4) { $0.price = 1 }
        while list.rows.count < 4 { await Task.yield() }
        #expect(list.elements.map(\.id) == [1, 2, 3, 4])
    }
}
