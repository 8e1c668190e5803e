import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Reading, erasing, and setting aside a store's file", .inTurn)
struct StoreLifeTests {
    private let folder = TemporaryFolder()
    private let server = ShopServer(products: [.product(1, "Lamp"), .product(2, "Rug")])

    private func open() async throws(StoreError) -> Store {
        try await Store(at: folder.url, settings: .init(sendsAutomatically: false))
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []).sorted()
    }

    private func products(of store: Store) -> StoredCollection<Product, ReadWrite> {
        store.collection(Shop(server.transport).products) { Store.Index(\.name) }
    }

    @Test("A reading store sees committed changes, and its writes fail")
    func reading() async throws {
        #expect(await reason { _ = try await Store.reading(at: folder.url) } == .unavailable)
        let store = try await open()
        let reader = try await Store.reading(at: folder.url)
        let read = products(of: reader)
        #expect(try await read.elements().isEmpty)
        try await products(of: store).create(.init(name: "Desk"))
        try await store.synchronize()
        #expect(try await read.elements().map(\.name).sorted() == ["Desk", "Lamp", "Rug"])
        #expect(try await read.filter(\.name, equals: "Rug").elements().map(\.id) == [2])
        #expect(try await read.read(1)?.name == "Lamp")
        #expect(try await reader.outbox.entries().isEmpty)
        #expect(await reason { try await read.patch(1) { $0.price = 5 } } == .readOnly)
        #expect(await reason { try await read.create(.init(name: "Chair")) } == .readOnly)
        #expect(await reason { try await reader.synchronize() } == .readOnly)
        #expect(await reason { try await reader.erase() } == .readOnly)
        #expect(await reason { try Store.erase(at: folder.url) } == .busy)
        await reader.close()
        await store.close()
    }

    @Test("Erasing a store with pending writes throws their number and changes nothing", arguments: [true, false])
    func erasedWithWrites(isOpen: Bool) async throws {
        var store = try await open()
        for name in ["Desk", "Chair"] { try await products(of: store).create(.init(name: name)) }
        if !isOpen { await store.close() }
        let error = await #expect(throws: StoreError.self) {
            if isOpen { try await store.erase() } else { try Store.erase(at: folder.url) }
        }
        guard case .unsentWrites(2)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        if !isOpen { store = try await open() }
        #expect(try await products(of: store).count() == 2)
        try await store.synchronize()
        try await store.erase()
        #expect(names.isEmpty)
    }

    @Test("Pending writes of any user prevent erasing a store")
    func erasedWithWritesOfOthers() async throws {
        let store = try await open()
        try await products(of: store).create(.init(name: "Desk"))
        try await store.switchUser(to: "bob")
        let error = await #expect(throws: StoreError.self) { try await store.erase() }
        #expect("\(String(describing: error))".contains("1"))
        try await store.erase(discardingPendingWrites: true)
    }

    @Test("An erased store leaves no file, and the next store is empty", arguments: [true, false])
    func erased(isOpen: Bool) async throws {
        let store = try await open()
        try await products(of: store).create(.init(name: "Desk"))
        if isOpen {
            try await store.erase(discardingPendingWrites: true)
        } else {
            await store.close()
            try Store.erase(at: folder.url, discardingPendingWrites: true)
        }
        #expect(names.isEmpty)
        try Store.erase(at: folder.url)
        let new = try await open()
        #expect(try await products(of: new).elements().isEmpty)
        #expect(try await new.outbox.entries().isEmpty)
        await new.close()
    }

    @Test("A damaged file fails to open, stays unchanged, and can be set aside")
    func damaged() async throws {
        let store = try await open()
        try await products(of: store).create(.init(name: "Desk"))
        await store.close()
        let file = folder.url.appendingPathComponent("store.sqlite")
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(0..<100, with: Data(repeating: 0x5A, count: 100))
        try bytes.write(to: file)
        #expect(await reason { _ = try await open() } == .notADatabase)
        #expect(try Data(contentsOf: file) == bytes)
        let moved = try #require(try Store.setAside(at: folder.url))
        #expect(moved.lastPathComponent == "store.sqlite.damaged-1")
        #expect(try Data(contentsOf: moved) == bytes)
        #expect(try Store.setAside(at: folder.url) == nil)
        let new = try await open()
        #expect(try await products(of: new).elements().isEmpty)
        await new.close()
        #expect(try Store.setAside(at: folder.url)?.lastPathComponent == "store.sqlite.damaged-2")
    }
}
