import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Success statuses")
struct SuccessTests {
    @Test("Declared success statuses replace the default ones")
    func success() async throws {
        let shop = Shop(responses: ["GET a": .status(304), "GET b": .status(200)])
        let notModified: Endpoint<Product?> = shop.endpoint {
            GET("a")
            Success(.success, 304)
        }
        let response = try await notModified.response()
        #expect(response.value == nil)
        #expect(response.status == 304)
        let created: Endpoint<Void> = shop.endpoint {
            GET("b")
            Success(201)
        }
        let error = await failure { try await created.send() }
        #expect(error?.status == 200)
    }
}
