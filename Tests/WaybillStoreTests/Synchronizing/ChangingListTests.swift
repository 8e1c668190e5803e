import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@Suite("Lists that change while they are fetched", .inTurn)
struct ChangingListTests {
    private static let delta = Store.Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted")

    @Test("A change to an item on an earlier page is fetched even if a later page has a later time")
    func changedBehind() async throws {
        let server = LogServer(.byID, products: 6)
        let store = try await Store.manual()
        let products = store.collection(server.shop.products) { Self.delta }
        server.change { state in
            state.beforePage = { state in
                if state.requests == 1 {
                    state.put(1)
                    state.delete(2)
                    state.put(6)
                }
                return nil
            }
        }
        try await store.synchronize()
        try await store.synchronize()
        #expect(try await products.elements().sorted { $0.id < $1.id } == server.products)
    }

    @Test("A time is requested again only after a list with several pages")
    func times() async throws {
        let server = LogServer(.byTime, products: 3)
        let transport = server.transport
        let store = try await Store.manual()
        _ = store.collection(Shop(transport) { Paginated(.next(field: "Next-Page")) }.products) {
            Store.Delta(.updatedSince("updated_at", as: "since", overlap: .zero), deleted: "deleted")
        }
        try await store.synchronize()
        for id in 1...5 { server.change { $0.put(id) } }
        for _ in 1...3 { try await store.synchronize() }
        let times = transport.requests.map { $0.query("since") }
        #expect(times == [nil, "1003", "1003", "1006", "1008"])
        #expect(transport.requests.map { $0.query("after") } == [nil, nil, "1006.3", nil, nil])
    }

    @Test("Changes made before a walk resumes are fetched by the synchronization that completes it")
    func resumed() async throws {
        let server = LogServer(.byID, products: 6)
        let store = try await Store.manual()
        let products = store.collection(server.shop.products) { Self.delta }
        server.change { $0.beforePage = { $0.requests == 1 ? .status(500) : nil } }
        #expect(try await store.synchronize().failures.count == 1)
        server.change { state in
            state.put(1)
            state.delete(2)
            state.put(6)
        }
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.elements().sorted { $0.id < $1.id } == server.products)
    }

    @Test("No row is removed if an item on a page before an interruption had no ID")
    func unreadableBefore() async throws {
        let server = LogServer(.byID, products: 6)
        let store = try await Store.manual()
        let products = store.collection(server.shop.products)
        try await store.synchronize()
        let before = server.change { $0.requests }
        server.change { state in
            state.beforePage = { state in
                switch state.requests - before {
                case 0: .itemWithoutID(1)
                case 1: .status(500)
                default: nil
                }
            }
        }
        #expect(try await store.synchronize().failures.count == 1)
        let report = try await store.synchronize()
        #expect(report.collections.first?.removed == 0)
        #expect(try await products.elements().map(\.id) == Array(1...6))
    }

    @Test("An item without an ID is fetched once it has one, even if its time has passed")
    func unreadableTime() async throws {
        let server = LogServer(.byTime, products: 2)
        let store = try await Store.manual()
        let products = store.collection(server.shop.products) { Self.delta }
        try await store.synchronize()
        server.change { state in
            state.put(1)
            state.put(2)
            state.beforePage = { _ in .itemWithoutID(0) }
        }
        #expect(try await store.synchronize().isComplete == false)
        server.change { $0.beforePage = nil }
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.elements() == server.products)
    }

    @Test("A walk restarts if the server rejects its position", arguments: [400, 404, 410])
    func forgottenPlace(status: Int) async throws {
        let server = LogServer(.byID, products: 6)
        let store = try await Store.manual()
        let products = store.collection(server.shop.products)
        server.change { $0.beforePage = { $0.requests == 1 ? .status(500) : nil } }
        #expect(try await store.synchronize().failures.count == 1)
        server.change { $0.beforePage = { $0.requests == 2 ? .status(status) : nil } }
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.elements() == server.products)
    }

    @Test("A feed restarts if the server rejects its cursor")
    func forgottenCursor() async throws {
        let server = LogServer(.feed, products: 6)
        let store = try await Store.manual()
        let products = store.collection(server.shop.products) { Store.Delta(.cursor, deleted: "deleted") }
        try await store.synchronize()
        let before = server.change { $0.requests }
        server.change { state in
            state.put(1)
            state.beforePage = { $0.requests == before ? .status(410) : nil }
        }
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.elements().sorted { $0.id < $1.id } == server.products)
    }

    @Test("An item created while a walk is interrupted is not removed when the walk ends")
    func createdBetween() async throws {
        let server = ShopServer(products: (200...206).map { .product($0, "Item \($0)") })
        server.change { $0.pageSize = 3 }
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport) { Paginated(.pageNumber()) }.products)
        server.change { $0.faults = [.held(Gate.opened), .status(500)] }
        #expect(try await store.synchronize().failures.count == 1)
        // The server puts the item on the first page.
        try await products.create(.init(name: "Desk"))
        try await store.synchronize()
        #expect(try await products.elements().map(\.id).sorted() == server.items().compactMap { $0["id"]?.intValue })
    }

    @Test("A deletion conflict ends if the list contains the item again")
    func listedAgain() async throws {
        let server = ShopServer(products: [.product(1, "Lamp"), .product(2, "Rug")])
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        let item = server.change { $0.items["/products"]?.removeValue(forKey: 1) }
        try await products.patch(1) { $0.price = 5 }
        try await store.synchronize()
        #expect(try await store.outbox.entries().map(\.state) == [.conflict])
        server.change { $0.items["/products"]?[1] = item }
        for _ in 1...2 { try await store.synchronize() }
        #expect(try await store.outbox.entries().isEmpty)
        #expect(server.items().map { $0["price"] } == [5, 10])
    }

    @Test("A resumed walk does not remove a row that may have moved to an earlier page")
    func movedForward() async throws {
        let server = ShopServer(products: (1...6).map { .product($0, "Item \($0)") })
        server.change { $0.pageSize = 3 }
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport) { Paginated(.pageNumber()) }.products)
        try await store.synchronize()
        server.change { $0.faults = [.held(Gate.opened), .status(500)] }
        #expect(try await store.synchronize().failures.count == 1)
        server.edit(1, nil)
        let report = try await store.synchronize()
        #expect(report.collections.first?.removed == 1)
        #expect(try await products.elements().map(\.id) == Array(2...6))
    }

    @Test("A paginated list cannot be compared by its entity tag, and the error names the clause")
    func taggedPages() async throws {
        let server = LogServer(.byID, products: 6)
        let store = try await Store.manual()
        let products = store.collection(server.shop.products) { Store.Delta(.entityTag) }
        let report = try await store.synchronize()
        guard case .clause(let error) = report.failures.first?.error else {
            Issue.record("no error of the clause: \(report)")
            return
        }
        #expect(error.clause == "Store.Delta")
        await #expect(throws: StoreError.self) { try await products.elements() }
    }
}

extension Gate {
    fileprivate static var opened: Gate {
        let gate = Gate()
        gate.open()
        return gate
    }
}
