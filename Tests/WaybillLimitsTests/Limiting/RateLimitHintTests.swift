import Foundation
import Testing
@testable import WaybillLimits

@testable import Waybill

@Suite("Rate limits in responses")
struct RateLimitHintTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    struct Row: CustomTestStringConvertible {
        let status: Int
        let fields: [(String, String)]
        let seconds: Double?

        init(_ status: Int, _ fields: (String, String)..., waits seconds: Double?) {
            self.status = status
            self.fields = fields
            self.seconds = seconds
        }

        var testDescription: String {
            "\(status) " + fields.map { "\($0): \($1)" }.joined(separator: ", ")
        }
    }

    @Test(arguments: rows)
    func wait(_ row: Row) {
        let fields = row.fields.compactMap { name, value in
            HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
        }
        #expect(fields.count == row.fields.count)
        let response = HTTPResponse(status: .init(code: row.status), headerFields: HTTPFields(fields))
        #expect(RateLimitHint(in: response, now: Self.now)?.wait == row.seconds.map { .seconds($0) })
    }

    static let rows = [
        Row(200, waits: nil),
        // Retry-After
        Row(429, ("Retry-After", "30"), waits: 30),
        Row(503, ("Retry-After", "30"), waits: 30),
        Row(200, ("Retry-After", "30"), waits: nil),
        Row(500, ("Retry-After", "30"), waits: nil),
        Row(301, ("Retry-After", "30"), waits: nil),
        Row(429, ("Retry-After", "0"), waits: nil),
        Row(429, ("Retry-After", "-5"), waits: nil),
        Row(429, ("Retry-After", "soon"), waits: nil),
        Row(429, ("Retry-After", "30"), ("Retry-After", "40"), waits: nil),
        Row(429, ("Retry-After", "Fri, 15 Jan 2027 08:00:20 GMT"), waits: 20),
        Row(429, ("Retry-After", "Fri, 15 Jan 2027 07:59:00 GMT"), waits: nil),
        Row(429, ("Retry-After", "3600"), waits: 3600),
        Row(429, ("Retry-After", "86400"), waits: 86_400),
        Row(429, ("Retry-After", "86401"), waits: nil),
        Row(429, ("Retry-After", "Thu, 15 Jan 2037 08:00:00 GMT"), waits: nil),
        // The server's clock is ten minutes fast.
        Row(
            429,
            ("Date", "Fri, 15 Jan 2027 08:10:00 GMT"),
            ("Retry-After", "Fri, 15 Jan 2027 08:10:20 GMT"),
            waits: 20
        ),
        Row(429, ("Date", "today"), ("Retry-After", "Fri, 15 Jan 2027 08:00:20 GMT"), waits: 20),
        // An unusable Retry-After does not hide a reset.
        Row(429, ("Retry-After", "0"), ("RateLimit", "\"default\";r=0;t=50"), waits: 50),
        Row(429, ("Retry-After", "86401"), ("RateLimit", "\"default\";r=0;t=50"), waits: 50),
        Row(503, ("Retry-After", "-5"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "12"), waits: 12),
        Row(429, ("Retry-After", "Fri, 15 Jan 2027 07:59:00 GMT"), ("X-RateLimit-Reset", "12"), waits: 12),
        // X-RateLimit and its spelling variants
        Row(200, ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "12"), waits: 12),
        Row(200, ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "12.5"), waits: 12.5),
        Row(200, ("X-Rate-Limit-Remaining", "0"), ("X-Rate-Limit-Reset", "12"), waits: 12),
        Row(200, ("RateLimit-Remaining", "0"), ("RateLimit-Reset", "12"), waits: 12),
        Row(200, ("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "12"), waits: nil),
        Row(200, ("X-RateLimit-Remaining", "0"), waits: nil),
        Row(200, ("X-RateLimit-Reset", "12"), waits: nil),
        Row(429, ("X-RateLimit-Reset", "12"), waits: 12),
        Row(429, ("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "12"), waits: nil),
        Row(429, ("Retry-After", "5"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "12"), waits: 5),
        Row(429, ("Retry-After", "?"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "12"), waits: 12),
        Row(200, ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1800000007"), waits: 7),
        Row(200, ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1800000007000"), waits: 7),
        Row(200, ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1799999999"), waits: nil),
        Row(200, ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1900000000"), waits: nil),
        Row(200, ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "0"), waits: nil),
        Row(200, ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "-3"), waits: nil),
        Row(200, ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "99999999999999999999"), waits: nil),
        Row(200, ("X-RateLimit-Remaining", "none"), ("X-RateLimit-Reset", "12"), waits: nil),
        Row(200, ("X-RateLimit-Remaining", "0, 0"), ("X-RateLimit-Reset", "12"), waits: nil),
        // The draft's structured field, in earlier and current form
        Row(200, ("RateLimit", "limit=100, remaining=0, reset=50"), waits: 50),
        Row(200, ("RateLimit", "limit=100, remaining=10, reset=50"), waits: nil),
        Row(200, ("RateLimit", "\"default\";r=0;t=50"), waits: 50),
        Row(200, ("RateLimit", "\"minute\";r=0;t=50, \"day\";r=0;t=70"), waits: 70),
        Row(200, ("RateLimit", "\"minute\";r=0;t=50, \"day\";r=9;t=70"), waits: 50),
        Row(200, ("RateLimit", "\"default\"; r=0 ; t=50"), waits: 50),
        Row(200, ("RateLimit", "\"default\";r=0"), waits: nil),
        Row(200, ("RateLimit", "\"default\";r=0;t=-1"), waits: nil),
        Row(200, ("RateLimit", "\"default\";r=0;t=999999"), waits: nil),
        Row(200, ("RateLimit", ";;=;,=,r"), waits: nil),
    ]
}
