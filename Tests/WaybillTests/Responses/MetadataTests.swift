import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Metadata of responses")
struct MetadataTests {
    @Test("Metadata beside the data is typed, and optional if declared so")
    func metadata() async throws {
        struct Meta: Decodable, Sendable, Equatable { let total: Int }
        struct Links: Decodable, Sendable { let next: String }
        let shop = Shop(responses: ["GET a": .json(#"{"data":[],"meta":{"total":3}}"#)])
        let endpoint: Endpoint<[Product]> = shop.endpoint {
            GET("a")
            Envelope("data")
            Metadata(Meta.self, at: "meta")
            Metadata(Links?.self, at: "links")
        }
        let response = try await endpoint.response()
        #expect(response.metadata(Meta.self) == Meta(total: 3))
        #expect(response.metadata(Links.self) == nil)
        #expect(response.body == Data(#"{"data":[],"meta":{"total":3}}"#.utf8))

        let missing: Endpoint<[Product]> = shop.endpoint {
            GET("a")
            Envelope("data")
            Metadata(Links.self, at: "links")
        }
        let error = await failure { try await missing.send() }
        guard case .decoding = error else {
            Issue.record("expected a decoding failure")
            return
        }
    }

    @Test("Metadata of an endpoint without a value is decoded")
    func metadataOfVoid() async throws {
        struct Meta: Decodable, Sendable { let total: Int }
        let shop = Shop(responses: ["POST a": .json(#"{"total":3}"#)])
        let endpoint: Endpoint<Void> = shop.endpoint {
            POST("a")
            Metadata(Meta.self)
        }
        #expect(try await endpoint.response().metadata(Meta.self)?.total == 3)
    }
}
