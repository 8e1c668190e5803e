import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Concurrent lists and writes", .inTurn)
struct ConcurrentFetchingTests {
    @Test("A confirmed deletion is not undone by a list already in flight", arguments: [true, false])
    func deletedMeanwhile(isInStep: Bool) async throws {
        for isDelta in [true, false] {
            let server = ShopServer(products: (1...3).map { .product($0, "Item \($0)", ["updated_at": .integer($0)]) })
            let store = try await Store.manual()
            let products = store.collection(Shop(server.transport).products) {
                if isDelta {
                    Store.Delta(.updatedSince("updated_at", as: "since", overlap: .seconds(9)), deleted: "deleted")
                }
            }
            try await store.synchronize()
            let (gate, arrived) = (Gate(), Gate())
            server.change { $0.faults = [.held(gate, arrived: arrived)] }
            async let synchronized = store.synchronize()
            await arrived.waitUntilOpen()
            if isInStep {
                try await products.inStep.delete(2)
            } else {
                try await products.delete(2)
                await store.sender.wake()
                await store.sender.waitForRequestsInFlight()
            }
            #expect(server.effects == ["DELETE /products/2"])
            gate.open()
            // The delete may still have been in flight when the report was made.
            #expect(try await synchronized.failures.isEmpty)
            #expect(try await products.elements().map(\.id) == [1, 3])
        }
    }

    @Test("An item that another client recreates while a list is in flight is kept")
    func createdAgain() async throws {
        let server = ShopServer(products: (1...3).map { .product($0, "Item \($0)") })
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        let (gate, arrived) = (Gate(), Gate())
        server.change { $0.faults = [.held(gate, arrived: arrived)] }
        async let synchronized = store.synchronize()
        await arrived.waitUntilOpen()
        try await products.inStep.delete(2)
        server.edit(2, ["name": "Again", "price": 1])
        gate.open()
        _ = try await synchronized
        #expect(try await products.read(2)?.name == "Again")
    }

    @Test("A held write does not block the lists of other collections")
    func heldWrite() async throws {
        let (gate, arrived) = (Gate(), Gate())
        let transport = StubTransport { request in
            if request.method == .post {
                defer { arrived.open() }
                return StubResponse.json(JSONValue.product(9, "Desk").description, status: 201).held(by: gate)
            }
            if request.path != "/products" { return .json(#"[{"id":1,"product":1,"stars":5}]"#) }
            return .json(JSONValue.array([.product(1, "Lamp"), .product(9, "Desk")]).description)
        }
        let store = try await Store.manual()
        let shop = Shop(transport)
        let (products, reviews) = (store.collection(shop.products), store.collection(shop.reviews(of: 1)))
        try await products.create(.init(name: "Desk"))
        var events = store.events.makeAsyncIterator()
        async let synchronized = store.synchronize()
        await arrived.waitUntilOpen()
        while let event = await events.next() {
            if case .pulled(let progress) = event {
                #expect(progress.template == "products/{}/reviews")
                break
            }
        }
        #expect(try await reviews.count() == 1)
        // This also applies to a synchronization of the other collection alone.
        #expect(try await reviews.synchronize().collections.map(\.pages) == [1])
        gate.open()
        let report = try await synchronized
        #expect(report.sent == 1)
        #expect(report.collections.map(\.template) == ["products", "products/{}/reviews"])
        #expect(try await products.elements().map(\.name).sorted() == ["Desk", "Lamp"])
    }

    @Test("A single collection is fetched after its writes are sent")
    func one() async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        let transport = server.transport
        let store = try await Store.manual()
        let shop = Shop(transport)
        let (products, reviews) = (store.collection(shop.products), store.collection(shop.reviews(of: 1)))
        try await products.create(.init(name: "Desk"))
        let report = try await products.synchronize()
        #expect(report.collections.map(\.template) == ["products"])
        #expect(report.isComplete)
        #expect(transport.requests.map { "\($0.method) \($0.path)" } == ["POST /products", "GET /products"])
        #expect(try await reviews.synchronize().failures.isEmpty)
        #expect(transport.requests.last?.path == "/products/1/reviews")
    }

    @Test("Many lists are fetched concurrently")
    func many() async throws {
        let (gate, running, most) = (Gate(), Locked(0), Locked(0))
        let transport = StubTransport { _ in
            let count = running.withLock { count in
                count += 1
                return count
            }
            most.withLock { $0 = max($0, count) }
            if count == 4 { gate.open() }
            return StubResponse.json("[]").held(by: gate)
        }
        let store = try await Store.manual()
        for id in 1...50 { _ = store.collection(Shop(transport).reviews(of: id)) }
        let report = try await store.synchronize()
        #expect(report.collections.count == 50)
        #expect(transport.requests.count == 50)
        #expect(most.withLock { $0 } >= 4)
    }

    @Test("A request for the whole list waits for a running synchronization of changes")
    func wholeMeanwhile() async throws {
        let server = ShopServer(products: [.product(1, "Lamp", ["updated_at": 1])])
        let (transport, store) = (server.transport, try await Store.manual())
        _ = store.collection(Shop(transport).products) { Store.Delta(.updatedSince("updated_at", as: "since")) }
        try await store.synchronize()
        let (gate, arrived) = (Gate(), Gate())
        server.change { $0.faults = [.held(gate, arrived: arrived)] }
        async let changes = store.synchronize()
        await arrived.waitUntilOpen()
        async let whole = store.synchronize(whole: true)
        gate.open()
        _ = try await (changes, whole)
        #expect(transport.requests.map { $0.query("since") } == [nil, "0", nil])
    }
}
