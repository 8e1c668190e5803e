import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Rows that do not decode", .inTurn)
struct UndecodableRowTests {
    private let server = ShopServer(products: [
        .product(1, "Lamp"), .product(2, "Rug", ["price": "ten"]), ["id": 3, "price": 5],
    ])

    @Test("The row count matches the number of elements")
    func counted() async throws {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        #expect(try await products.elements().map(\.id) == [1])
        #expect(try await products.count() == 1)
        #expect(try await products.query.limit(5).count() == 1)
        #expect(try await products.query.limit(0).count() == 0)
        #expect(try await products.unreadable().count == 2)
    }

    @Test("A synchronization counts undecodable rows, and reports each one once")
    func reported() async throws {
        let store = try await Store.manual()
        let events = store.events
        let products = store.collection(Shop(server.transport).products)
        for _ in 0..<2 {
            let report = try await store.synchronize()
            #expect(report.collections.map(\.undecodable) == [2])
            #expect(!report.isComplete)
        }
        server.edit(2, ["price": 10])
        server.edit(3, ["name": "Desk"])
        let report = try await store.synchronize()
        #expect(report.collections.map(\.undecodable) == [0])
        #expect(report.isComplete)
        #expect(try await products.count() == 3)
        await store.close()
        var ids: [String?] = []
        for await case .unreadable(let failure) in events { ids.append(failure.id) }
        #expect(ids == ["2", "3"])
    }
}
