import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Optional values and empty bodies")
struct OptionalValueTests {
    private let shop = Shop(responses: [
        "GET list": .json(#"{"results":[{"id":1,"name":"L"}]}"#), "GET bytes": .text("abc"), "GET none": .status(304),
    ]) {
        Envelope(list: "results")
        Success(.success, 304)
    }

    @Test("An optional list is decoded using the list's envelope")
    func list() async throws {
        #expect(try await shop.client.get("list", as: [Product]?.self)?.map(\.id) == [1])
        #expect(try await shop.client.get("none", as: [Product]?.self) == nil)
    }

    @Test("Optional bytes are the unchanged body")
    func bytes() async throws {
        #expect(try await shop.client.get("bytes", as: Data?.self) == Data("abc".utf8))
        #expect(try await shop.client.get("none", as: Data?.self) == nil)
    }

    @Test("Missing optional metadata does not fail a call without a value")
    func metadata() async throws {
        struct Meta: Decodable, Sendable { let total: Int }
        let optional: Endpoint<Void> = shop.endpoint {
            GET("bytes")
            Metadata(Meta?.self, at: "meta")
        }
        #expect(try await optional.response().metadata(Meta.self) == nil)
        let required: Endpoint<Void> = shop.endpoint {
            GET("bytes")
            Metadata(Meta.self, at: "meta")
        }
        guard case .decoding(let failure) = await failure({ try await required.send() })
        else {
            Issue.record("expected a decoding failure")
            return
        }
        #expect(failure.typeName == "Meta")
    }
}
