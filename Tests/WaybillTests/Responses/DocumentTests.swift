import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("JSON documents in responses")
struct DocumentTests {
    @Test("The first of two equal keys wins, and invalid JSON is rejected")
    func strictness() async throws {
        let shop = Shop(responses: [
            "GET twice": .json(#"{"id":1,"id":2,"name":"L"}"#), "GET comma": .json(#"[1,2,]"#),
        ])
        #expect(try await shop.client.get("twice", as: Product.self).id == 1)
        let error = await failure { try await shop.client.get("comma", as: [Int].self) }
        #expect(error?.description.contains("line 1, column 6: expected a value after ',', found ']'") == true)
    }

    @Test("Errors in a UTF-16 body have the correct position")
    func utf16() async throws {
        let body = try #require(#"{"id":1,"name":2}"#.data(using: .utf16))
        let shop = Shop(responses: ["GET a": .response(.bytes(body))])
        let error = await failure { try await shop.client.get("a", as: Product.self) }
        guard case .decoding(let failure) = error else {
            Issue.record("expected a decoding failure")
            return
        }
        #expect(failure.path == "name")
        #expect(failure.position?.column == 16)
    }

    @Test("ISO 8601 dates are decoded with and without fractional seconds")
    func dates() async throws {
        let shop = Shop(responses: ["GET a": .json(#"["2026-05-01T12:00:00Z","2026-05-01T14:00:00.250+02:00"]"#)])
        let dates = try await shop.client.get("a", as: [Date].self)
        #expect(dates.map(\.timeIntervalSince1970) == [1_777_636_800, 1_777_636_800.25])
    }
}
