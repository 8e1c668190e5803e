import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Members repeated in every patch", .inTurn)
struct KeptMemberTests {
    @Test("A repeated member keeps the value that another client has set", arguments: [true, false])
    func repeated(hasTags: Bool) async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        server.change { $0.hasTags = hasTags }
        let store = try await Store.manual()
        let shop = Shop(server.transport) { On(.patch) { Body.Differences(keeping: "id", "price") } }
        let products = store.collection(shop.products) {
            Store.Conflicts(.merge(clash: .mine), readsBeforeWriting: false)
        }
        try await store.synchronize()
        if hasTags { _ = try await products.inStep.read(1) }
        try await products.patch(1) { $0.name = "Torch" }
        server.edit(1, ["price": 99])
        #expect(try await store.synchronize().isComplete)
        #expect(server.items().map { $0["price"] } == [99])
        #expect(server.items().map { $0["name"] } == ["Torch"])
        #expect(try await products.read(1)?.price == 99)
    }
}
