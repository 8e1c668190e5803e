import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Damage to a store's file", .inTurn)
struct DamageTests {
    private let folder = TemporaryFolder()
    private let server = ShopServer(
        products: (1...30).map { .product($0, "Product \($0)", price: $0, ["category": .string("c\($0 % 3)")]) }
    )

    private var file: URL { folder.url.appendingPathComponent("store.sqlite") }

    private func open() async throws -> (store: Store, products: StoredCollection<Product, ReadWrite>) {
        let store = try await Store(at: folder.url, settings: .init(sendsAutomatically: false), clock: ManualClock())
        return (store, store.collection(Shop(server.transport).products) { Store.Index(\.category) })
    }

    /// Creates a store with 30 rows and five pending writes, and closes it.
    private func fill() async throws {
        let (store, products) = try await open()
        try await store.synchronize()
        for id in 1...3 { try await products.patch(id) { $0.price += 100 } }
        let new = try await products.create(.init(name: "New"))
        try await products.delete(4)
        try await products.patch(new.id) { $0.price = 7 }
        await store.close()
    }

    /// Changes the closed store's file as a disk fault would.
    private func damage(_ sql: String) throws { try RawConnection(path: file.path).execute(sql) }

    @Test("A damaged row is set aside and reported, and the next synchronization fetches it again")
    func damagedRow() async throws {
        try await fill()
        try damage("UPDATE rows SET document = replace(document, 'Product 9', 'Product 8')")
        let (store, products) = try await open()
        let events = store.events
        #expect(try await products.elements().count == 29)
        #expect(try await products.read(9) == nil)
        let report = try await store.synchronize()
        #expect(report.damaged.map(\.kind) == [.item])
        #expect(report.damaged.map(\.itemID) == ["9"])
        #expect(report.damaged.map(\.template) == ["products"])
        #expect(report.damaged.allSatisfy { $0.content.contains("Product 8") })
        #expect(!report.isComplete)
        #expect(try await products.read(9)?.name == "Product 9")
        for record in report.damaged { try await store.discardDamagedRecord(record.id) }
        #expect(try await store.synchronize().isComplete)
        await store.close()
        var reported: [SynchronizationReport.DamagedRecord] = []
        for await case .damaged(let record) in events { reported.append(record) }
        #expect(reported == report.damaged)
    }

    @Test("A damaged write is set aside and reported, and the others are sent")
    func damagedWrite() async throws {
        try await fill()
        try damage("UPDATE outbox SET content = replace(content, '102', '103')")
        let (store, products) = try await open()
        let report = try await store.synchronize()
        #expect(report.damaged.map(\.kind) == [.write])
        #expect(report.damaged.map(\.itemID) == ["2"])
        #expect(report.waiting.isEmpty)
        #expect(!report.isComplete)
        #expect(
            server.effects.sorted()
                == ["DELETE /products/4", "PATCH /products/1", "PATCH /products/3", "POST /products"]
        )
        #expect(try await products.read(2)?.price == 2)
        #expect(try await store.damagedRecords() == report.damaged)
        guard case .unsentWrites(1)? = await #expect(throws: StoreError.self, performing: { try await store.erase() })
        else { return #expect(Bool(false), "a store with a damaged write was erased") }
        for record in report.damaged { try await store.discardDamagedRecord(record.id) }
        try await store.erase()
    }

    @Test("A damaged record is visible only to its user")
    func otherUser() async throws {
        try await fill()
        try damage("UPDATE rows SET document = replace(document, 'Product 9', 'Product 8') WHERE id = '9'")
        let (store, _) = try await open()
        try await store.switchUser(to: "grace")
        #expect(try await store.synchronize().damaged.isEmpty)
        #expect(try await store.damagedRecords().isEmpty)
        try await store.switchUser(to: nil)
        #expect(try await store.damagedRecords().map(\.itemID) == ["9"])
        await store.close()
    }

    @Test("Writes of a damaged row are parked with their contents")
    func damagedRowWithWrites() async throws {
        try await fill()
        try damage("UPDATE rows SET base = replace(base, 'Product 3', 'Product 2') WHERE id = '3'")
        let (store, _) = try await open()
        let report = try await store.synchronize()
        #expect(report.damaged.map(\.itemID) == ["3"])
        #expect(report.waiting.map(\.state) == [.parked])
        #expect(report.waiting.map(\.content) == [["price": 103]])
        #expect(!server.effects.contains("PATCH /products/3"))
        let entry = try #require(report.waiting.first)
        try await store.outbox.discard(entry.id)
        #expect(try await store.synchronize().waiting.isEmpty)
        await store.close()
    }

    @Test("The item of a damaged creation is set aside with it")
    func damagedCreation() async throws {
        try await fill()
        try damage("UPDATE outbox SET attempts = 9 WHERE operation = 'create'")
        let (store, products) = try await open()
        let report = try await store.synchronize()
        #expect(report.damaged.map(\.kind) == [.write, .item])
        #expect(report.damaged.allSatisfy { $0.content.contains("New") })
        #expect(try await products.filter { $0.name == "New" }.elements().isEmpty)
        #expect(!server.effects.contains("POST /products"))
        await store.close()
    }

    @Test(
        "An unreadable write does not block the others",
        arguments: ["state = 'sleeping'", "operation = 'merge'", "content = '{'", "\"references\" = 'x'"]
    )
    func unreadableWrite(change: String) async throws {
        try await fill()
        let (store, _) = try await open()
        try await store.core.write { (write) throws(StoreError) in
            try write.connection.execute("UPDATE outbox SET \(change) WHERE number = 1")
        }
        #expect(try await store.outbox.entries().count == 4)
        let report = try await store.synchronize()
        #expect(report.damaged.map(\.kind) == [.write])
        #expect(report.waiting.isEmpty)
        #expect(server.effects.count == 4)
        await store.close()
    }

    @Test("A patch of a damaged row throws, and a server-first read fetches the item")
    func writesToDamagedRows() async throws {
        try await fill()
        try damage("UPDATE rows SET document = replace(document, 'Product 9', 'Product 8') WHERE id = '9'")
        let (store, products) = try await open()
        await #expect(throws: StoreError.self) { try await products.patch(9) { $0.price = 1 } }
        #expect(try await store.damagedRecords().map(\.itemID) == ["9"])
        #expect(try await products.inStep.read(9)?.name == "Product 9")
        await store.close()
    }

    @Test("A reading process hides damaged rows, and does not change the file")
    func readOnly() async throws {
        try await fill()
        try damage("UPDATE rows SET document = replace(document, 'Product 9', 'Product 8') WHERE id = '9'")
        let store = try await Store.reading(at: folder.url)
        let products = store.collection(Shop(server.transport).products)
        #expect(try await products.elements().count == 29)
        #expect(try await store.damagedRecords().isEmpty)
        await store.close()
    }

    @Test(
        "Damage to a table that implies lost rows stops the synchronization with an error that names a fix",
        arguments: [
            "UPDATE collections SET template = 'other'", "UPDATE counters SET value = 0 WHERE name = 'temporary'",
            "UPDATE identifiers SET row = row + 1", "INSERT INTO spellings VALUES (1, 'x', 5, 7)",
            "UPDATE checkpoints SET generation = generation + 1",
            "UPDATE index_entries SET value = 'c9' WHERE row = 5",
        ]
    )
    func structure(sql: String) async throws {
        try await fill()
        try damage(sql)
        let (store, _) = try await open()
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) { try await store.synchronize() }
            #expect(error?.reason == .corrupt)
            #expect(error?.description.contains("Store.setAside(at:)") == true)
        }
        #expect(server.effects.isEmpty)
        await store.close()
        #expect(try Store.setAside(at: folder.url) != nil)
        let (new, products) = try await open()
        try await new.synchronize()
        #expect(try await products.count() == 30)
        await new.close()
    }

    /// Records what an app sees in a store before and after a synchronization.
    private func observation(_ server: ShopServer) async throws -> (text: String, isFound: Bool) {
        let store = try await Store(at: folder.url, settings: .init(sendsAutomatically: false), clock: ManualClock())
        let products = store.collection(Shop(server.transport).products) { Store.Index(\.category) }
        var lines: [String] = []
        func look() async throws {
            lines += try await products.elements().map { "\($0)" }
            lines += try await products.filter(\.category, equals: "c1").elements().map { "\($0.id)" }
            for id in 1...30 { lines.append(String(describing: try await products.read(id))) }
            lines += try await store.outbox.entries().map { "\($0) \($0.content) \($0.attempts)" }
        }
        do {
            try await look()
            let report = try await store.synchronize()
            guard report.damaged.isEmpty else {
                await store.close()
                return ("", true)
            }
            lines.append("\(report.sent) \(report.waiting) \(report.failures)")
            lines += server.effects.sorted()
            // Times of changes are left out, because writes of different items are sent concurrently.
            lines += server.items().map { "\($0.applying(mergePatch: ["updated_at": nil]))" }
            try await look()
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return (lines.joined(separator: "\n"), false)
    }

    @Test("Flipped bits are either detected or without visible effect")
    func flips() async throws {
        try await fill()
        let original = try Data(contentsOf: file)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.sorted() == ["store.sqlite", "store.sqlite.lock"])
        let items = server.items()
        func fresh() -> ShopServer { ShopServer(products: items) }
        let expected = try await observation(fresh())
        #expect(!expected.isFound)
        var generator = SplitMix64(seed: 6)
        var found = 0
        let count = Thoroughness.repetitions(300, otherwise: 12)
        // Most of a small file is free space, which is all zeros.
        let offsets = original.indices.filter { original[$0] != 0 }
        for _ in 0..<count {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
                try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
            }
            var bytes = original
            let offset = offsets.randomElement(using: &generator) ?? 0
            if Bool.random(using: &generator) {
                bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            } else {
                for index in offset..<min(bytes.count, offset + 64) { bytes[index] ^= 0x55 }
            }
            try bytes.write(to: file)
            do {
                let seen = try await observation(fresh())
                if seen.isFound {
                    found += 1
                } else if seen.text != expected.text {
                    let (lines, others) = (seen.text.split(separator: "\n"), expected.text.split(separator: "\n"))
                    Issue.record("offset \(offset): \(zip(lines, others).first { $0 != $1 } ?? ("", ""))")
                }
            } catch is StoreError {
                found += 1
            }
        }
        #expect(found > count / 3)
    }
}
