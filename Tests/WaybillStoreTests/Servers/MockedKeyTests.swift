import Foundation
import TestSupport
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@testable import WaybillStore

@Suite("Idempotency keys on a mock server", .inTurn)
struct MockedKeyTests {
    private let server: StubTransport

    init() throws {
        server = StubTransport(try StubResponses.mocking(Shop(StubTransport([:])) { IdempotencyKey() }))
    }

    /// Creates an item with a key.
    ///
    /// Returns the new item's ID, or the status of the failure.
    private func create(_ draft: JSONValue, key: String) async -> Int? {
        let resource = DocumentResource(Shop(server) { IdempotencyKey() }.products)
            .conditioned(for: .create, key: key, entityTag: nil)
        do throws(APIError) {
            return try await resource.create(JSONDocument(draft)).send().json["id"]?.intValue
        } catch {
            return error.status?.code
        }
    }

    @Test("A repeated key with the same body returns the first response, and with another body 422")
    func repeated() async {
        let first = await create(["name": "Lamp", "price": 1], key: "a")
        #expect(await create(["price": 1, "name": "Lamp"], key: "a") == first)
        #expect(await create(["name": "Rug", "price": 1], key: "a") == 422)
        let second = await create(["name": "Rug", "price": 1], key: "b")
        #expect(second != first && second != 422)
    }

    @Test("Concurrent requests with one key create one item")
    func concurrent() async {
        let results = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 { group.addTask { await create(["name": "Lamp", "price": 1], key: "a") } }
            return await group.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        #expect(results.subtracting([409]).count == 1)
    }
}
