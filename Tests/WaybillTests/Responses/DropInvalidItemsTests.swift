import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Dropped items")
struct DropInvalidItemsTests {
    @Test(
        "With DropInvalidItems, items that fail to decode are dropped and reported",
        arguments: [Decode(), Decode(with: JSONDecoder())]
    )
    func droppedItems(decode: Decode) async throws {
        let shop = Shop(responses: [
            "GET products": .json(#"{"data":[{"id":1,"name":"L"},{"id":"x"},{"id":2,"name":"M"},7]}"#)
        ])
        let endpoint: Endpoint<[Product]> = shop.endpoint {
            GET("products")
            Envelope("data")
            DropInvalidItems()
            decode
        }
        let response = try await endpoint.response()
        #expect(response.value.map(\.id) == [1, 2])
        #expect(response.droppedItems.map(\.index) == [1, 3])
        #expect(response.droppedItems.allSatisfy { $0.error is DecodingError })

        let strict: Endpoint<[Product]> = shop.endpoint {
            GET("products")
            Envelope("data")
        }
        let error = await failure { try await strict.send() }
        guard case .decoding = error else {
            Issue.record("expected a decoding failure")
            return
        }
    }

    @Test("DropInvalidItems.none in an inner scope makes invalid items errors again")
    func none() async throws {
        let shop = Shop(responses: ["GET products": .json(#"[{"id":1,"name":"L"},{"id":"x"}]"#)]) { DropInvalidItems() }
        let lossy: Endpoint<[Product]> = shop.endpoint { GET("products") }
        #expect(try await lossy.send().map(\.id) == [1])
        let strict = lossy.with { DropInvalidItems.none }
        let error = await failure { try await strict.send() }
        guard case .decoding = error else {
            Issue.record("expected a decoding failure, got \(String(describing: error))")
            return
        }
        #expect(try strict.explanation.contains(/DropInvalidItems: none +call/))
        #expect(try await strict.with { DropInvalidItems() }.response().droppedItems.map(\.index) == [1])
    }
}
