import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@Suite("Writes with failures", .inTurn)
struct SendingTests {
    private let server = ShopServer(products: [.product(1, "Lamp"), .product(2, "Rug")])

    /// Opens a store with the server's products, and returns it with their collection.
    private func store(
        dates: Client.DateProvider = .system,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) async throws -> (Store, StoredCollection<Product, ReadWrite>) {
        let store = try await Store.manual(dates: dates)
        let products = store.collection(Shop(server.transport, clauses).products)
        try await store.synchronize()
        return (store, products)
    }

    @Test("A write waits while the server is unreachable, and then is sent once")
    func offline() async throws {
        let (store, products) = try await store()
        server.change { $0.isOffline = true }
        try await products.patch(1) { $0.price = 5 }
        let report = try await store.synchronize()
        #expect(report.sent == 0)
        #expect(store.status == .offline(waiting: 1))
        #expect(report.failures.count == 1)
        #expect(try await products.read(1)?.price == 5)
        server.change { $0.isOffline = false }
        #expect(try await store.synchronize().isComplete)
        #expect(server.effects == ["PATCH /products/1"])
        #expect(store.status == .idle)
    }

    @Test("Writes added during a synchronization do not lower its count of sent writes")
    func addedMeanwhile() async throws {
        let (gate, arrived) = (Gate(), Gate())
        let network = StubTransport { request in
            switch request.method {
            case .patch:
                defer { arrived.open() }
                return StubResponse.json(JSONValue.product(1, "Lamp", price: 5).description).held(by: gate)
            case .post: return StubResponse(status: 503, headerFields: [HTTPField(name: .retryAfter, value: "60")])
            case .get where request.path.hasSuffix("/1"): return .json(JSONValue.product(1, "Lamp").description)
            default: return .json(JSONValue.array([.product(1, "Lamp")]).description)
            }
        }
        let store = try await Store.manual()
        let products = store.collection(Shop(network).products)
        try await store.synchronize()
        try await products.patch(1) { $0.price = 5 }
        async let synchronized = store.synchronize()
        await arrived.waitUntilOpen()
        for number in 1...3 { try await products.create(.init(name: "Desk \(number)")) }
        gate.open()
        let report = try await synchronized
        #expect(report.sent == 1)
        #expect(report.waiting.count > 1)
    }

    @Test("An item fetched before the clock was set back is read again")
    func clockSetBack() async throws {
        let now = Locked(Date(timeIntervalSince1970: 1_800_000_000))
        let (_, products) = try await store(dates: Client.DateProvider { now.withLock { $0 } })
        server.edit(1, ["price": 77])
        #expect(try await products.inStep.read(1, maximumAge: .seconds(60))?.price == 10)
        now.withLock { $0 -= 3600 }
        #expect(try await products.inStep.read(1, maximumAge: .seconds(60))?.price == 77)
    }

    @Test("A rejected write is parked while others are sent, and discarding it restores the server's version")
    func parked() async throws {
        let (store, products) = try await store()
        try await products.patch(1) { $0.price = -1 }
        try await products.patch(2) { $0.price = 7 }
        server.change { $0.faults = [.status(422)] }
        try await store.synchronize()
        let entries = try await store.outbox.entries()
        #expect(entries.map(\.state) == [.parked])
        #expect(entries.first?.failure?.status == 422)
        #expect(entries.first?.failure?.error != nil)
        #expect(store.status == .attentionNeeded(1))
        let failed = try #require(Int(entries[0].itemID))
        #expect(server.effects == ["PATCH /products/\(3 - failed)"])
        try await store.outbox.discard(entries[0].id)
        #expect(try await products.read(failed)?.price == 10)
        #expect(try await store.outbox.entries().isEmpty)
    }

    @Test("A change to an item with a parked write replaces that write")
    func editedWhileParked() async throws {
        let (store, products) = try await store()
        try await products.patch(1) { $0.price = -1 }
        server.change { $0.faults = [.status(422)] }
        try await store.synchronize()
        try await products.patch(1) { $0.price = 3 }
        #expect(try await store.outbox.entries().map(\.state) == [.waiting(.turn)])
        try await store.synchronize()
        #expect(server.effects == ["PATCH /products/1"])
        #expect(server.items()[0]["price"] == 3)
    }

    @Test("A POST whose response was lost becomes unknown and is not repeated automatically")
    func lostCreate() async throws {
        let (store, products) = try await store()
        try await products.create(.init(name: "Desk"))
        server.change { $0.faults = [.lostResponse] }
        try await store.synchronize()
        try await store.synchronize()
        #expect(try await store.outbox.entries().map(\.state) == [.unknown])
        #expect(server.effects == ["POST /products"])
    }

    @Test("With an idempotency key, a POST whose response was lost takes effect once")
    func lostCreateWithKey() async throws {
        let (store, products) = try await store { IdempotencyKey() }
        try await products.create(.init(name: "Desk"))
        server.change { $0.faults = [.lostResponse] }
        try await store.synchronize()
        let report = try await store.synchronize()
        #expect(report.isComplete)
        #expect(server.effects == ["POST /products"])
        #expect(try await products.elements().map(\.id).sorted() == [1, 2, 101])
    }

    @Test("A write delayed by Retry-After waits at least that long, even in a synchronization")
    func retryAfter() async throws {
        let now = ManualDate()
        let (store, products) = try await store(dates: now.provider)
        try await products.patch(1) { $0.price = 5 }
        server.change { $0.faults = [.status(503, retryAfter: 120)] }
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        #expect(entry.state == .waiting(.until(now.date + 180)))
        try await store.synchronize()
        #expect(server.effects == [])
        now.advance(by: 181)
        try await store.synchronize()
        #expect(server.effects == ["PATCH /products/1"])
    }

    @Test("After a 401, all writes wait for a sign-in")
    func signedOut() async throws {
        let (store, products) = try await store()
        try await products.patch(1) { $0.price = 5 }
        try await products.patch(2) { $0.price = 5 }
        server.change { $0.faults = [.status(401), .status(401)] }
        try await store.synchronize()
        #expect(store.status == .signedOut(waiting: 2))
        #expect(try await store.outbox.entries().map(\.state) == [.waiting(.signIn), .waiting(.signIn)])
        await store.resume()
        try await store.synchronize()
        #expect(server.effects.sorted() == ["PATCH /products/1", "PATCH /products/2"])
    }

    @Test("Writes that depend on a rejected creation wait for it, and are discarded with it")
    func rejectedParent() async throws {
        let store = try await Store.manual()
        let shop = Shop(server.transport)
        let products = store.collection(shop.products)
        let desk = try await products.create(.init(name: "Desk"))
        let reviews = store.collection(shop.reviews(of: desk.id))
        try await reviews.create(.init(product: desk.id, stars: 1))
        server.change { $0.faults = [.status(422)] }
        try await store.synchronize()
        let entries = try await store.outbox.entries()
        #expect(entries.map(\.state) == [.parked, .waiting(.earlierWrite)])
        try await store.outbox.discard(entries[0].id)
        #expect(try await store.outbox.entries().isEmpty)
        #expect(try await reviews.elements().isEmpty)
    }

    @Test("A waiting write keeps its If-Match condition after a synchronization finds its item unchanged")
    func condition() async throws {
        server.change { $0.hasTags = true }
        let transport = server.transport
        let store = try await Store.manual()
        let products = store.collection(Shop(transport).products)
        _ = try await products.inStep.read(1)
        try await products.patch(1) { $0.price = 5 }
        server.change { $0.faults = [.status(503)] }
        try await store.synchronize()
        try await store.synchronize()
        let patches = transport.requests.filter { $0.method == .patch }
        #expect(patches.map { $0.headerFields[.ifMatch] } == ["\"0\"", "\"0\""])
    }

    @Test("Without a connection, the read before a write is attempted only once")
    func comparedOffline() async throws {
        let transport = server.transport
        let store = try await Store.manual()
        let products = store.collection(Shop(transport).products) {
            Store.Conflicts(.merge(clash: .mine), readsBeforeWriting: true)
        }
        try await store.synchronize()
        try await products.patch(1) { $0.price = 5 }
        server.change { $0.isOffline = true }
        try await store.synchronize()
        #expect(transport.requests.count { $0.path == "/products/1" } == 1)
        #expect(store.status == .offline(waiting: 1))
    }

    @Test("An item changed and then deleted is deleted after the writes below it")
    func deletedParent() async throws {
        let store = try await Store.manual()
        let shop = Shop(server.transport)
        let products = store.collection(shop.products)
        let reviews = store.collection(shop.reviews(of: 1))
        try await store.synchronize()
        try await products.patch(1) { $0.price = 5 }
        try await reviews.create(.init(product: 1, stars: 1))
        try await products.delete(1)
        try await store.synchronize()
        #expect(server.effects == ["POST /products/1/reviews", "DELETE /products/1"])
        #expect(try await store.outbox.entries().isEmpty)
    }

    @Test("Deleting an item that is already gone from the server succeeds")
    func alreadyGone() async throws {
        let (store, products) = try await store()
        try await products.delete(1)
        server.edit(1, nil)
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.elements().map(\.id) == [2])
    }

    @Test("A write with an invalid declaration is parked with an error that names the clause")
    func wrongDeclaration() async throws {
        let (store, products) = try await store { On(.patch) { Header("X-Mark", "a\nb") } }
        try await products.patch(1) { $0.price = 5 }
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        #expect(entry.state == .parked)
        #expect(entry.failure?.description.contains("Header") == true)
    }
}

/// A date that changes only when advanced.
final class ManualDate: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var current = Date(timeIntervalSince1970: 1_800_000_000)

    var date: Date { lock.withLock { current } }

    var provider: Client.DateProvider { Client.DateProvider { self.date } }

    func advance(by seconds: TimeInterval) { lock.withLock { current += seconds } }
}
