import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("A store's file", .inTurn)
struct StoreFileTests {
    private let folder = TemporaryFolder()
    private let server = ShopServer(products: [.product(1, "Lamp", ["color": "red"])])

    private var file: URL { folder.url.appendingPathComponent("store.sqlite") }

    private func open() async throws(StoreError) -> Store {
        try await Store(at: folder.url, settings: .init(sendsAutomatically: false))
    }

    /// Returns the failure to open the store, or `nil` if it opens.
    private func failure() async -> StoreError.DatabaseFailure? {
        do throws(StoreError) {
            try await open().close()
        } catch {
            if case .database(let failure) = error { return failure }
        }
        return nil
    }

    @Test("Rows, pending writes, and temporary IDs survive reopening the store")
    func reopened() async throws {
        var store = try await open()
        var products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        let desk = try await products.create(.init(name: "Desk"))
        try await products.patch(1) { $0.price = 5 }
        await store.close()
        store = try await open()
        products = store.collection(Shop(server.transport).products)
        #expect(try await products.elements().map(\.name) == ["Lamp", "Desk"])
        #expect(try await store.outbox.entries().map(\.operation) == [.create, .patch])
        try await store.synchronize()
        #expect(server.effects.sorted() == ["PATCH /products/1", "POST /products"])
        #expect(try await products.read(desk.id)?.id == 101)
        await store.close()
    }

    @Test("Pending writes wait until their collection is declared")
    func undeclared() async throws {
        var store = try await open()
        try await store.collection(Shop(server.transport).products).create(.init(name: "Desk"))
        await store.close()
        store = try await open()
        #expect(try await store.outbox.entries().map(\.state) == [.waiting(.declaration)])
        #expect(try await store.synchronize().waiting.map(\.state) == [.parked])
        _ = store.collection(Shop(server.transport).products)
        #expect(try await store.synchronize().isComplete)
        await store.close()
    }

    @Test(
        "A write interrupted by the program's end is repeated only if it has an idempotency key",
        arguments: [true, false]
    )
    func interrupted(hasKeys: Bool) async throws {
        let shop = Shop(server.transport) { if hasKeys { IdempotencyKey() } }
        var store = try await open()
        try await store.collection(shop.products).create(.init(name: "Desk"))
        try await store.core.write { (write) throws(StoreError) in
            try write.connection.execute(
                "INSERT INTO requests VALUES (1, 'key', ?, NULL, '[1]', ?, ?, 0, 0, NULL)",
                [.text(#"[{"name":"Desk","price":10}]"#), .integer(hasKeys ? 1 : 0), .integer(hasKeys ? 1 : 0)]
            )
            try write.connection.execute("UPDATE outbox SET state = 'sending', attempts = 1, request = 1")
        }
        await store.close()
        store = try await open()
        _ = store.collection(shop.products)
        try await store.synchronize()
        #expect(server.effects == (hasKeys ? ["POST /products"] : []))
        #expect(try await store.outbox.entries().map(\.state) == (hasKeys ? [] : [.unknown]))
        await store.close()
    }

    @Test("Opening a store twice fails while it is open")
    func busy() async throws {
        let store = try await open()
        #expect(await failure()?.reason == .busy)
        await store.close()
    }

    @Test("A text file and a store in a newer format are rejected")
    func otherFiles() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let text = Data(
            "This is a text, and it is longer than the header of a database would be, which has 100 bytes. ".utf8
        )
        try (text + text).write(to: file)
        #expect(await failure()?.reason == .notADatabase)
        #expect(try Data(contentsOf: file) == text + text)
        try FileManager.default.removeItem(at: file)
        let store = try await open()
        try await store.core.write { (write) throws(StoreError) in
            try write.connection.execute("PRAGMA user_version = 99")
        }
        await store.close()
        #expect(await failure()?.reason == .newerFormat)
        try FileManager.default.removeItem(at: folder.url)
    }

    @Test("Only the owner can access the files")
    func permissions() async throws {
        let store = try await open()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where !name.hasSuffix(".lock")
        {
            let path = folder.url.appendingPathComponent(name).path
            let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(permissions == 0o600, "\(name)")
        }
        await store.close()
    }

    @Test("A row that does not decode is hidden but kept, and reappears when it decodes again")
    func undecodable() async throws {
        let store = try await open()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        try await store.core.write { (write) throws(StoreError) in
            try write.connection.execute("UPDATE rows SET document = replace(document, '\"name\"', '\"title\"')")
        }
        #expect(try await products.elements().isEmpty)
        #expect(try await products.unreadable().count == 1)
        server.edit(1, ["name": "Rug"])
        try await store.synchronize()
        #expect(try await products.elements().map(\.name) == ["Rug"])
        await store.close()
    }
}
