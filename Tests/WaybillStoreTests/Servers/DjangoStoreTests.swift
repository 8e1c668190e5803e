import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

/// The items of a Django REST framework server.
private struct Warehouse: API {
    struct Item: Entity, Equatable {
        let id: Int
        var name: String
        /// A decimal, which Django encodes as a string: `"12.50"`.
        var price: String

        struct Draft: RequestContent {
            var name: String
            var price: String
        }
    }

    let client = Client(RealServer.drf.url) { Style.djangoREST }

    /// All items in one page, because other tests create and delete items concurrently.
    var items: Resource<Item, ReadWrite> {
        resource("page/") { On(.list) { Query("page_size", 50) } }
    }
}

@Suite("A store over Django REST framework", .running(.drf), .inTurn, .safetyNet)
struct DjangoStoreTests {
    private typealias Place = (store: Store, items: StoredCollection<Warehouse.Item, ReadWrite>)

    /// A name unique to this test.
    private let name = "s" + UUID().uuidString.lowercased().suffix(12)

    private func place() async throws -> Place {
        let store = try await Store.manual()
        return (store, store.collection(Warehouse().items))
    }

    /// Returns this test's items.
    private func items(_ place: Place) async throws -> [String] {
        let name = name
        return try await place.items.filter { $0.name.hasPrefix(name) }.elements()
            .map { "\($0.name.dropFirst(name.count)) \($0.price)" }.sorted()
    }

    /// Synchronizes until everything has been fetched.
    ///
    /// Other tests create and delete items concurrently. Django counts the items before it reads them, so a list can
    /// differ from its count. The store then removes nothing.
    private func synchronize(_ place: Place) async throws {
        var report = try await place.store.synchronize()
        for _ in 1...20 where !report.isComplete { report = try await place.store.synchronize() }
        #expect(report.isComplete, "\(report)")
    }

    /// Runs work with two stores, and then deletes this test's items.
    private func withStores(_ work: (_ here: Place, _ there: Place) async throws -> Void) async throws {
        let result: Result<Void, any Error>
        do { result = .success(try await work(try await place(), try await place())) } catch {
            result = .failure(error)
        }
        let items = Warehouse().items
        for item in try await items.list() where item.name.hasPrefix(name) { try await items.delete(item.id) }
        try result.get()
    }

    @Test("Items created, changed, and deleted offline reach another store once both have synchronized")
    func offline() async throws {
        try await withStores { here, there in
            let lamp = try await here.items.create(.init(name: name + "a", price: "12.5"))
            let rug = try await here.items.create(.init(name: name + "b", price: "1"))
            let desk = try await here.items.create(.init(name: name + "c", price: "2"))
            try await here.items.patch(lamp.id) { $0.price = "13.5" }
            try await here.items.delete(rug.id)
            try await synchronize(here)
            try await synchronize(there)
            #expect(try await items(here) == ["a 13.50", "c 2.00"])
            #expect(try await items(there) == ["a 13.50", "c 2.00"])

            let (first, last) = (
                try await here.items.currentID(of: lamp.id), try await here.items.currentID(of: desk.id)
            )
            try await there.items.update(.init(id: first, name: name + "d", price: "3"))
            try await there.items.delete(last)
            try await synchronize(there)
            try await synchronize(here)
            #expect(try await items(here) == ["d 3.00"])
            #expect(try await items(there) == ["d 3.00"])
        }
    }

    @Test("Changes to different members of an item are merged")
    func merge() async throws {
        try await withStores { here, there in
            let lamp = try await here.items.create(.init(name: name + "a", price: "1"))
            try await synchronize(here)
            try await synchronize(there)
            let id = try await here.items.currentID(of: lamp.id)
            try await here.items.patch(id) { $0.price = "2" }
            let name = name
            try await there.items.patch(id) { $0.name = name + "b" }
            for place in [here, there, here] { try await synchronize(place) }
            #expect(try await items(here) == ["b 2.00"])
            #expect(try await items(there) == ["b 2.00"])
        }
    }

    @Test("An item that Django rejects is parked with its problem, and the others are sent")
    func rejected() async throws {
        try await withStores { here, _ in
            try await here.items.create(.init(name: name + "a", price: "1"))
            try await here.store.synchronize()
            // The name is already taken.
            try await here.items.create(.init(name: name + "a", price: "2"))
            try await here.items.create(.init(name: name + "b", price: "3"))
            try await here.store.synchronize()
            let entries = try await here.store.outbox.entries()
            #expect(entries.map(\.state) == [.parked])
            #expect(entries.first?.failure?.status == 400)
            let problem = entries.first?.failure?.error?.problem(as: Style.DjangoProblem.self)
            #expect(problem != nil)
            try await here.store.outbox.discard(try #require(entries.first).id)
            #expect(try await items(here) == ["a 1.00", "b 3.00"])
        }
    }
}
