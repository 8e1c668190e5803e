import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Optional values take an empty body for nil, and any other as the value would be taken")
struct OptionalValueTests {
    private let shop = Shop(answering: [
        "GET list": .json(#"{"results":[{"id":1,"name":"L"}]}"#), "GET bytes": .text("abc"), "GET none": .status(304),
    ]) {
        Envelope(list: "results")
        Success(.success, 304)
    }

    @Test("A list is looked for in the list's envelope")
    func list() async throws {
        #expect(try await shop.client.get("list", as: [Product]?.self)?.map(\.id) == [1])
        #expect(try await shop.client.get("none", as: [Product]?.self) == nil)
    }

    @Test("Bytes are the body as it came")
    func bytes() async throws {
        #expect(try await shop.client.get("bytes", as: Data?.self) == Data("abc".utf8))
        #expect(try await shop.client.get("none", as: Data?.self) == nil)
    }

    @Test("Metadata that may be missing costs no call whose body does not matter")
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
        guard case .decoding(let failure) = await failure({ () async throws(APIError) in try await required.send() })
        else {
            Issue.record("expected a decoding failure")
            return
        }
        #expect(failure.typeName == "Meta")
    }
}
