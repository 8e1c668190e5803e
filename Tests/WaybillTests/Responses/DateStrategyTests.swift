import CallSupport
import Foundation
import Testing
import Waybill
import WaybillJSON
import WaybillTesting

@Suite("Dates in responses")
struct DateStrategyTests {
    private func date(_ json: String, _ decode: Decode = Decode()) async throws(APIError) -> Date {
        try await Shop(responses: ["GET a": .json(json)]).client.get("a", as: [Date].self) { decode }[0]
    }

    @Test(
        "HTTP dates are decoded in all formats",
        arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
    )
    func httpDates(_ text: String) async throws {
        #expect(try await date("[\"\(text)\"]", Decode(dates: .httpDate)) == Date(timeIntervalSince1970: 784_111_777))
        let error = await failure {
            try await date(#"["6 November"]"#, Decode(dates: .httpDate))
        }
        #expect(error?.description.contains("is not a date such as Fri, 01 May 2026 12:00:00 GMT") == true)
    }

    @Test("A day decodes as its start in UTC, and other text is rejected")
    func days() async throws {
        #expect(try await date(#"["2026-05-01"]"#, Decode(dates: .day)) == Date(timeIntervalSince1970: 1_777_593_600))
        for text in ["2026-13-01", "2026-5-1", "2026-05-01T12:00:00Z", ""] {
            let error = await failure { try await date("[\"\(text)\"]", Decode(dates: .day)) }
            #expect(error?.description.contains("\"\(text)\" is not a day such as 2026-05-01") == true)
        }
    }

    @Test("A date without a time zone is an error that suggests a decoding strategy", arguments: [true, false])
    func withoutZone(isFoundation: Bool) async throws {
        let text = #"["2026-05-01T12:00:00"]"#
        let json = JSONDecoder()
        json.dateDecodingStrategy = .waybillISO8601
        let decode = isFoundation ? Decode(with: json) : Decode()
        let error = await failure { try await date(text, decode) }
        #expect(error?.description.contains("has no time zone") == true)
        #expect(error?.description.contains("Decode(dates: .iso8601(assuming: .gmt))") == true)
        let read = try await date(text, Decode(dates: .iso8601(assuming: .gmt)))
        #expect(read == Date(timeIntervalSince1970: 1_777_636_800))
    }
}
