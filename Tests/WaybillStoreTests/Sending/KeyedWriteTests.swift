import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Writes with an idempotency key", .inTurn)
struct KeyedWriteTests {
    private enum Bulk: Listable, Readable, Creatable, BatchCreatable, Updatable, Patchable, Deletable {}

    private struct KeyedShop: API {
        let client: Client

        init(_ server: KeyedServer) { client = Shop(server.transport) { IdempotencyKey() }.client }

        var products: Resource<Product, Bulk> { resource("products") }
    }

    private typealias Products = StoredCollection<Product, Bulk>

    private func open(
        _ server: KeyedServer,
        folder: URL? = nil
    ) async throws -> (Store, Products) {
        let settings = StoreSettings(backoff: .constant(.seconds(60)), sendsAutomatically: false)
        let store =
            if let folder {
                try await Store(at: folder, settings: settings, clock: ManualClock())
            } else {
                try await Store.inMemory(settings: settings, clock: ManualClock())
            }
        let products = store.collection(KeyedShop(server).products)
        return (store, products)
    }

    /// A user's action on an entry.
    enum Act: Sendable, CaseIterable { case nothing, edit, retry, delete }

    /// A sequence of faults during one creation.
    struct Faults: Sendable, CustomTestStringConvertible {
        let events: [KeyedServer.Event]
        var testDescription: String { events.map(\.description).joined(separator: ", ") }
    }

    static let faults: [Faults] =
        [400, 401, 403, 409, 413, 422, 429, 500, 501, 503].map { Faults(events: [.lost, .stopped($0)]) } + [
            Faults(events: [.lost]), Faults(events: [.dropped, .stopped(403)]),
            Faults(events: [.lost, .lost, .stopped(403), .lost]), Faults(events: [.slow]),
            Faults(events: [.slow, .stopped(400)]),
        ]

    @Test(
        "A keyed creation takes effect once, whatever the responses and the user's actions",
        arguments: Thoroughness.some(faults, oneIn: 4),
        Act.allCases
    )
    func creation(_ faults: Faults, act: Act) async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server)
        let desk = try await products.create(.init(name: "Desk"))
        server.change { $0.events = faults.events }
        for _ in faults.events {
            try await store.synchronize()
            let entry = try #require(try await store.outbox.entries().first)
            #expect(entry.isPossiblyApplied)
            #expect(try await products.elements().map(\.name) == ["Desk"])
        }
        switch act {
        case .nothing: break
        case .edit: try await products.patch(desk.id) { $0.price = 7 }
        case .retry: try await store.outbox.retry(try #require(try await store.outbox.entries().first?.id))
        case .delete: try await products.delete(desk.id)
        }
        #expect(try await products.count() == (act == .delete ? 0 : 1))
        try await store.synchronize()
        server.finish()
        for _ in 0..<2 { try await store.synchronize() }
        #expect(server.change { $0.effects.filter { $0.hasPrefix("POST") } } == ["POST 1"])
        #expect(Set(server.change { $0.received.filter { $0.body.contains("Desk") }.map(\.key) }).count == 1)
        #expect(server.names == (act == .delete ? [] : ["Desk"]))
        #expect(server.change { $0.items.values.first?["price"] } == (act == .delete ? nil : act == .edit ? 7 : 10))
        #expect(try await store.outbox.entries().isEmpty)
        #expect(try await products.elements().map(\.name) == server.names)
    }

    @Test("An item equal to a draft is shown once the creation is known to have made a different item")
    func coincidence() async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server)
        try await products.create(.init(name: "Desk"))
        server.change { state in
            state.put(.product(1, "Desk"), id: 1)
            state.events = [.lost, .stopped(503)]
        }
        for _ in 0..<2 { try await store.synchronize() }
        #expect(try await products.elements().map(\.name) == ["Desk", "Desk"])
        try await store.synchronize()
        #expect(try await products.elements().map(\.id).sorted() == [1, 101])
        #expect(server.change { $0.effects } == ["POST 1"])
    }

    @Test("A probable result is shown when a user has to decide, and becomes the row on confirmation")
    func probableResult() async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server)
        try await products.create(.init(name: "Desk"))
        server.change { $0.events = [.lost] + Array(repeating: .stopped(403), count: 3) }
        for _ in 0..<3 {
            try await store.synchronize()
            #expect(try await products.count() == 1)
        }
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        #expect(entry.state == .unknown)
        #expect(try await products.count() == 2)
        try await store.outbox.confirm(entry.id, as: "101")
        #expect(try await products.elements().map(\.id) == [101])
        #expect(try await store.outbox.entries().isEmpty)
    }

    @Test("The probable result of a discarded creation is shown")
    func discarded() async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server)
        try await products.create(.init(name: "Desk"))
        server.change { $0.events = [.lost] }
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        try await store.outbox.discard(entry.id)
        #expect(try await products.elements().map(\.id) == [101])
    }

    @Test("A probable result deleted on the server does not reappear")
    func deletedResult() async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server)
        try await products.create(.init(name: "Desk"))
        server.change { $0.events = [.lost, .stopped(503)] }
        try await store.synchronize()
        server.change { $0.items = [:] }
        try await store.synchronize()
        let entry = try #require(try await store.outbox.entries().first)
        try await store.outbox.discard(entry.id)
        try await store.synchronize()
        #expect(try await products.count() == 0)
    }

    @Test("A batch that may have been applied is repeated whole", arguments: [400, 403, 409, 413, 422, 500, 503])
    func batch(code: Int) async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server)
        for name in ["A", "B", "C"] { try await products.create(.init(name: name)) }
        server.change { $0.events = [.lost, .stopped(code)] }
        for _ in 0..<3 { try await store.synchronize() }
        #expect(server.change { $0.effects } == ["POST 3"])
        #expect(server.names == ["A", "B", "C"])
        #expect(try await store.outbox.entries().isEmpty)
    }

    @Test("A batch with a discarded entry is repeated unchanged")
    func batchWithDiscarded() async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server)
        for name in ["A", "B", "C"] { try await products.create(.init(name: name)) }
        server.change { $0.events = [.lost] }
        try await store.synchronize()
        let entries = try await store.outbox.entries()
        try await store.outbox.discard(entries[1].id)
        try await store.synchronize()
        #expect(server.change { $0.effects } == ["POST 3"])
        #expect(Set(server.change { $0.received.map(\.body) }).count == 1)
        #expect(try await products.elements().map(\.name).sorted() == ["A", "B", "C"])
        #expect(try await store.outbox.entries().isEmpty)
    }

    @Test("A batch that was certainly not applied is split, and each entry gets a new key")
    func dividedBatch() async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server)
        for name in ["A", "B"] { try await products.create(.init(name: name)) }
        server.change { $0.events = [.stopped(413)] }
        try await store.synchronize()
        #expect(server.change { $0.effects } == ["POST 1", "POST 1"])
        #expect(Set(server.change { $0.received.map(\.key) }).count == 2)
    }

    @Test("Items created offline are sent as one batch, even after failed attempts")
    func offlineBatch() async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server)
        for name in ["A", "B"] {
            try await products.create(.init(name: name))
            server.change { $0.events = [] }
            try await store.offline(server) { try await store.synchronize() }
        }
        #expect(try await store.outbox.entries().allSatisfy { $0.attempts > 0 && !$0.isPossiblyApplied })
        try await store.synchronize()
        #expect(server.change { $0.effects } == ["POST 2"])
    }

    @Test("A patch that may have been applied keeps its key and body when its item changes on the server")
    func patchAfterPull() async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        let (store, products) = try await open(server)
        try await store.synchronize()
        try await products.patch(1) { $0.name = "Torch" }
        server.change { $0.events = [.dropped] }
        try await store.synchronize()
        server.change { $0.put(.product(1, "Lamp", price: 99), id: 1) }
        server.change { $0.events = [.stopped(503)] }
        for _ in 0..<2 { try await store.synchronize() }
        #expect(server.change { $0.effects } == ["PATCH 1"])
        #expect(server.change { $0.items[1] } == .product(1, "Torch", price: 99))
        #expect(try await products.read(1) == Product(id: 1, name: "Torch", price: 99))
    }

    @Test("A patch rejected because of its version is rebased and sent with a new key")
    func rebased() async throws {
        let server = KeyedServer([.product(1, "Lamp")])
        server.change { $0.hasTags = true }
        let (store, products) = try await open(server)
        _ = try await products.inStep.read(1)
        try await products.patch(1) { $0.name = "Torch" }
        server.change { $0.put(.product(1, "Lamp", price: 99), id: 1) }
        try await store.synchronize()
        #expect(server.change { $0.items[1] } == .product(1, "Torch", price: 99))
        #expect(Set(server.change { $0.received.map(\.key) }).count == 2)
        #expect(try await store.outbox.entries().isEmpty)
    }

    @Test("A failure stored under a key needs attention after a limit, and is repeated unchanged")
    func keptFailure() async throws {
        let server = KeyedServer()
        let (store, products) = try await open(server)
        try await products.create(.init(name: "Desk"))
        server.change { $0.events = [.failed(500)] }
        for _ in 0..<OutboxRequest.inconclusiveLimit(after: .failed) { try await store.synchronize() }
        let entry = try #require(try await store.outbox.entries().first)
        #expect(entry.state == .unknown)
        #expect(entry.isPossiblyApplied)
        #expect(store.status == .attentionNeeded(1))
        try await store.outbox.retry(entry.id)
        try await store.synchronize()
        let received = server.change { $0.received }
        #expect(received.count == OutboxRequest.inconclusiveLimit(after: .failed) + 2)
        #expect(Set(received.map(\.key)).count == 1)
        #expect(Set(received.map(\.body)).count == 1)
    }

    @Test("A request's key and body survive a restart", arguments: Act.allCases)
    func restart(act: Act) async throws {
        let (server, folder) = (KeyedServer(), TemporaryFolder())
        let (store, products) = try await open(server, folder: folder.url)
        let desk = try await products.create(.init(name: "Desk"))
        server.change { $0.events = [.lost] }
        try await store.synchronize()
        await store.close()
        let (reopened, same) = try await open(server, folder: folder.url)
        #expect(reopened.status == .offline(waiting: 1))
        switch act {
        case .nothing: break
        case .edit: try await same.patch(desk.id) { $0.price = 7 }
        case .retry: try await reopened.outbox.retry(try #require(try await reopened.outbox.entries().first?.id))
        case .delete: try await same.delete(desk.id)
        }
        try await reopened.synchronize()
        #expect(server.change { $0.effects.filter { $0.hasPrefix("POST") } } == ["POST 1"])
        #expect(Set(server.change { $0.received.filter { $0.body.contains("Desk") }.map(\.key) }).count == 1)
        #expect(try await reopened.outbox.entries().isEmpty)
        await reopened.close()
    }
}

extension Store {
    /// Runs a closure while the server is unreachable.
    fileprivate func offline(_ server: KeyedServer, _ body: () async throws -> Void) async throws {
        server.change { $0.isOffline = true }
        try await body()
        server.change { $0.isOffline = false }
    }
}
