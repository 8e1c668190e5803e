import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Collections opened while their rows are written", .inTurn)
struct OpeningTests {
    @Test("An index includes rows written while its collection is opened")
    func concurrentOpening() async throws {
        let folder = TemporaryFolder()
        let shop = Shop(StubTransport([:]))
        for round in 1...20 {
            let store = try await Store(at: folder.url, settings: .init(sendsAutomatically: false))
            let products = store.collection(shop.products) { Store.Index(\.name) }
            let waiting = try await store.outbox.entries()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await products.create(.init(name: "A")) }
                group.addTask { _ = try await products.filter(\.name, equals: "A").count() }
                group.addTask { try await products.create(.init(name: "A")) }
                // A write to a row whose collection may not be open yet.
                if let entry = waiting.first { group.addTask { try await store.outbox.retry(entry.id) } }
                try await group.waitForAll()
            }
            #expect(try await products.filter(\.name, equals: "A").elements().count == 2 * round)
            await store.close()
        }
    }
}
