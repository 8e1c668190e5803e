import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Store backups", .inTurn)
struct BackupTests {
    private let folder = TemporaryFolder()
    private let other = TemporaryFolder()
    private let server = ShopServer(products: [.product(1, "Lamp")])

    private func products(_ store: Store) -> StoredCollection<Product, ReadWrite> {
        store.collection(Shop(server.transport).products)
    }

    init() throws { try FileManager.default.createDirectory(at: other.url, withIntermediateDirectories: true) }

    @Test("A backup of an open store contains its rows and pending writes", arguments: [true, false])
    func opened(isInMemory: Bool) async throws {
        let settings = StoreSettings(sendsAutomatically: false)
        let store =
            try await isInMemory ? Store.inMemory(settings: settings) : Store(at: folder.url, settings: settings)
        try await store.collection(Shop(server.transport).products).create(.init(name: "Desk"))
        try await store.synchronize()
        try await products(store).patch(1) { $0.price = 5 }
        let file = other.url.appendingPathComponent("store.sqlite")
        try await store.backup(to: file)
        try await products(store).patch(1) { $0.price = 6 }
        await store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path) == ["store.sqlite"])
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        let copy = try await Store(at: other.url, settings: settings)
        #expect(try await products(copy).elements().map(\.price).sorted() == [5, 10])
        #expect(try await copy.synchronize().sent == 1)
        #expect(server.items().first?["price"] == 5)
        await copy.close()
    }

    @Test("A backup does not replace a file, and leaves none behind if it fails")
    func existingFile() async throws {
        let store = try await Store(at: folder.url, settings: StoreSettings(sendsAutomatically: false))
        let file = other.url.appendingPathComponent("notes.txt")
        try Data("notes".utf8).write(to: file)
        #expect(await reason { try await store.backup(to: file) } == .unavailable)
        #expect(try Data(contentsOf: file) == Data("notes".utf8))
        let missing = other.url.appendingPathComponent("missing/store.sqlite")
        #expect(await reason { try await store.backup(to: missing) } == .unavailable)
        let page = try #require(URL(string: "https://shop.example"))
        #expect(await reason { try await store.backup(to: page) } == .unavailable)
        await store.close()
        #expect(await reason { try await store.backup(to: other.url.appendingPathComponent("late")) } == .unavailable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path) == ["notes.txt"])
    }
}
