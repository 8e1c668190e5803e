import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@Suite("Synchronization with a server", .inTurn)
struct SynchronizingTests {
    private let server = ShopServer(products: (1...7).map { .product($0, "Item \($0)", ["updated_at": .integer($0)]) })

    @Test("Rows missing from a whole list are removed only after it was fetched completely")
    func sweep() async throws {
        server.change { $0.pageSize = 3 }
        let store = try await Store.manual()
        let shop = Shop(server.transport) { Paginated(.pageNumber()) }
        let products = store.collection(shop.products)
        try await store.synchronize()
        #expect(try await products.count() == 7)
        server.edit(2, nil)
        // The second page fails, so nothing is removed.
        server.change { $0.faults = [.held(Gate.opened), .status(500)] }
        var report = try await store.synchronize()
        #expect(report.failures.count == 1)
        #expect(try await products.count() == 7)
        report = try await store.synchronize()
        #expect(report.collections.first?.removed == 1)
        #expect(try await products.elements().map(\.id) == [1, 3, 4, 5, 6, 7])
    }

    @Test("Only changes are requested, and items marked as deleted are removed")
    func updatedSince() async throws {
        let transport = server.transport
        let store = try await Store.manual()
        let products = store.collection(Shop(transport).products) {
            Store.Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted")
        }
        try await store.synchronize()
        #expect(transport.requests.last?.query == nil)
        server.edit(3, ["deleted": true])
        server.edit(4, ["name": "New"])
        let report = try await store.synchronize()
        #expect(transport.requests.last?.query("since") == "6")
        #expect(report.collections.first?.removed == 1)
        #expect(try await products.read(3) == nil)
        #expect(try await products.read(4)?.name == "New")
        #expect(try await products.count() == 6)
        try await store.synchronize()
        #expect(transport.requests.last?.query("since") == "1001")
    }

    @Test("A pending write is never removed, and still applies on top of the server's changes")
    func pendingStays() async throws {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        try await products.create(.init(name: "Desk"))
        try await products.patch(1) { $0.name = "Mine" }
        server.change { $0.faults = [.status(503), .status(503)] }
        server.edit(1, ["price": 77])
        try await store.synchronize()
        let all = try await products.elements()
        #expect(all.count == 8)
        #expect(try await products.read(1) == Product(id: 1, name: "Mine", price: 77))
    }

    @Test("Concurrent calls share one synchronization")
    func joined() async throws {
        let gate = Gate()
        server.change { $0.faults = [.held(gate)] }
        let transport = server.transport
        let store = try await Store.manual()
        _ = store.collection(Shop(transport).products)
        async let first = store.synchronize()
        await transport.waitForRequests(count: 1)
        async let second = store.synchronize()
        await Task.yield()
        gate.open()
        _ = try await (first, second)
        #expect(transport.requests.count <= 2)
    }

    @Test("A cancelled synchronization throws, and the next one continues after the last stored page")
    func resumed() async throws {
        server.change { $0.pageSize = 3 }
        let transport = server.transport
        let store = try await Store.manual()
        let shop = Shop(transport) { Paginated(.pageNumber()) }
        let products = store.collection(shop.products)
        let gate = Gate()
        server.change { $0.faults = [.held(Gate.opened), .held(gate)] }
        let task = Task { try await store.synchronize() }
        await transport.waitForRequests(count: 2)
        task.cancel()
        await #expect(throws: StoreError.self) { try await task.value }
        #expect(try await products.count() == 3)
        let count = transport.requests.count
        try await store.synchronize()
        #expect(transport.requests[count].query("page") == "2")
        #expect(try await products.count() == 7)
    }
}

extension Gate {
    fileprivate static var opened: Gate {
        let gate = Gate()
        gate.open()
        return gate
    }
}
