import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Damage to requests that may have been applied", .inTurn)
struct DamagedRequestTests {
    private enum Bulk: Listable, Readable, Creatable, BatchCreatable, Updatable, Patchable, Deletable {}

    private struct KeyedShop: API {
        let client: Client

        init(_ server: KeyedServer) { client = Shop(server.transport) { IdempotencyKey() }.client }

        var products: Resource<Product, Bulk> { resource("products") }
    }

    /// Disk faults in the request table.
    static let faults = [
        "UPDATE requests SET key = 'other'", "UPDATE requests SET documents = '[{\"name\":\"C\"}]'",
        "UPDATE requests SET documents = '['", "UPDATE requests SET losses = 0",
        "UPDATE requests SET is_repeatable = 1, has_key = 1, entity_tag = 'x'", "UPDATE requests SET writes = '[]'",
        "UPDATE requests SET number = 77", "DELETE FROM requests",
    ]

    private let folder = TemporaryFolder()
    private let server = KeyedServer()

    private func open() async throws -> (store: Store, products: StoredCollection<Product, Bulk>) {
        let settings = StoreSettings(backoff: .constant(.seconds(60)), sendsAutomatically: false)
        let store = try await Store(at: folder.url, settings: settings, clock: ManualClock())
        return (store, store.collection(KeyedShop(server).products))
    }

    /// Creates a store with two creations whose response was lost and a third write, and closes it.
    private func fill(damage: String) async throws {
        let (store, products) = try await open()
        for name in ["A", "B"] { try await products.create(.init(name: name)) }
        server.change { $0.events = [.lost] }
        try await store.synchronize()
        try await products.create(.init(name: "Other"))
        await store.close()
        try RawConnection(path: folder.url.appendingPathComponent("store.sqlite").path).execute(damage)
    }

    @Test(
        "A damaged request is not repeated, its entries say so, and other writes are sent",
        arguments: Thoroughness.some(faults, oneIn: 3)
    )
    func damaged(fault: String) async throws {
        try await fill(damage: fault)
        let (store, _) = try await open()
        for _ in 0..<2 {
            let report = try await store.synchronize()
            #expect(!report.isComplete)
            #expect(report.damaged.map(\.kind) == (fault.hasPrefix("DELETE") ? [] : [.request]))
            #expect(report.waiting.map(\.state) == [.unknown, .unknown])
            for entry in report.waiting {
                #expect(entry.isPossiblyApplied)
                #expect(entry.failure?.summary.contains("its request was damaged") == true)
                #expect(entry.content["name"] != nil)
            }
        }
        #expect(server.change { $0.effects } == ["POST 2", "POST 1"])
        await store.close()
    }

    @Test("Entries of a damaged request can be confirmed or retried")
    func decided() async throws {
        try await fill(damage: "UPDATE requests SET key = 'other'")
        let (store, products) = try await open()
        var entries = try await store.synchronize().waiting
        let first = try #require(entries.first)
        let id = try #require(server.change { $0.items.first { $0.value["name"] == "A" }?.key })
        try await store.outbox.confirm(first.id, as: "\(id)")
        entries = try await store.outbox.entries()
        #expect(entries.count == 1)
        try await store.outbox.retry(try #require(entries.first?.id))
        try await store.synchronize()
        #expect(try await store.outbox.entries().isEmpty)
        #expect(server.names.sorted() == ["A", "B", "B", "Other"])
        #expect(try await products.elements().map(\.name).sorted() == ["A", "B", "B", "Other"])
        await store.close()
    }

    @Test("A request with a damaged write is repeated unchanged, including its intact writes")
    func damagedMember() async throws {
        try await fill(damage: "UPDATE outbox SET content = '{}' WHERE number = 1")
        let (store, products) = try await open()
        let report = try await store.synchronize()
        #expect(report.damaged.map(\.kind) == [.write, .item])
        #expect(report.waiting.isEmpty)
        #expect(server.change { $0.effects } == ["POST 2", "POST 1"])
        #expect(try await products.elements().map(\.name).sorted() == ["A", "B", "Other"])
        await store.close()
    }

    @Test("Entry counts and references are repaired after damage to their tables")
    func derived() async throws {
        let (store, products) = try await open()
        let desk = try await products.create(.init(name: "Desk"))
        let reviews = store.collection(Shop(server.transport).reviews(of: desk.id))
        try await reviews.create(.init(product: desk.id, stars: 5))
        await store.close()
        let file = folder.url.appendingPathComponent("store.sqlite").path
        try RawConnection(path: file).execute("UPDATE outbox_references SET temporary = 'x'")
        try RawConnection(path: file).execute("UPDATE outbox_states SET count = 9")
        let again = try await open().store
        let (references, counts) = try await again.core.read { (connection) throws(StoreError) in
            (
                try connection.outboxWriteNumbers(referringTo: "\(desk.id)"),
                try connection.query("SELECT count FROM outbox_states ORDER BY collection") { $0.integer(0) }
            )
        }
        #expect(references == [2])
        #expect(counts == [1, 1])
        await again.close()
    }
}
