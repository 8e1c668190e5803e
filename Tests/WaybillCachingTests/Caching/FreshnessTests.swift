import Foundation
import Testing
@testable import WaybillCaching

@testable import Waybill

@Suite("Age and freshness (RFC 9111, section 4.2)")
struct FreshnessTests {
    /// 6 November 1994, 08:49:37.
    static let exampleDate = Date(timeIntervalSince1970: 784_111_777)

    /// Returns a response that took `delay` seconds and arrived at 08:49:37.
    static func stored(_ lines: [String], status: HTTPResponse.Status = 200, delay: Double = 0) -> StoredResponse {
        StoredResponse(
            status: status,
            headerFields: HTTPFields(lines: lines),
            body: Data(),
            requestDate: exampleDate.addingTimeInterval(-delay),
            responseDate: exampleDate,
            variant: Variant(names: [], digest: "")
        )
    }

    static let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT"

    struct Age: CustomTestStringConvertible {
        let testDescription: String
        let lines: [String]
        var delay = 0.0
        var later = 0.0
        let age: Double
    }

    @Test(
        "A response's age adds its Age field, the transfer time, and the time in the cache",
        arguments: [
            Age(testDescription: "new", lines: [date], age: 0),
            Age(testDescription: "in the cache", lines: [date], later: 10, age: 10),
            Age(testDescription: "without a date", lines: [], later: 10, age: 10),
            Age(testDescription: "an invalid date", lines: ["Date: now"], later: 3, age: 3),
            Age(testDescription: "an old date", lines: ["Date: Sun, 06 Nov 1994 08:49:07 GMT"], later: 1, age: 31),
            Age(
                testDescription: "a date in the future",
                lines: ["Date: Sun, 06 Nov 1994 09:49:37 GMT"],
                later: 1,
                age: 1
            ),
            Age(testDescription: "an Age", lines: [date, "Age: 20"], later: 1, age: 21),
            Age(testDescription: "an Age and the way", lines: [date, "Age: 20"], delay: 4, later: 1, age: 25),
            Age(testDescription: "the way alone", lines: [date], delay: 4, age: 4),
            Age(testDescription: "a negative Age", lines: [date, "Age: -20"], later: 1, age: 1),
            Age(testDescription: "an invalid Age", lines: [date, "Age: old"], later: 1, age: 1),
            Age(testDescription: "the first of two", lines: [date, "Age: 5, 7"], age: 5),
            Age(testDescription: "the first of two fields", lines: [date, "Age: 5", "Age: 7"], age: 5),
            Age(testDescription: "a huge Age", lines: [date, "Age: 99999999999999999999"], age: 2_147_483_648),
            Age(testDescription: "a clock set back", lines: [date], later: -100, age: 0),
        ]
    )
    func ages(row: Age) {
        #expect(
            Self.stored(row.lines, delay: row.delay).age(at: Self.exampleDate.addingTimeInterval(row.later)) == row.age
        )
    }

    struct Lifetime: CustomTestStringConvertible {
        let testDescription: String
        let lines: [String]
        var status: HTTPResponse.Status = 200
        let seconds: Double
    }

    static let monthAgo = "Last-Modified: Thu, 06 Oct 1994 08:49:37 GMT"
    static let hourAgo = "Last-Modified: Sun, 06 Nov 1994 07:49:37 GMT"

    @Test(
        "The freshness lifetime comes from max-age, then Expires, then a heuristic",
        arguments: [
            Lifetime(testDescription: "nothing", lines: [date], seconds: 0),
            Lifetime(testDescription: "max-age", lines: [date, "Cache-Control: max-age=60"], seconds: 60),
            Lifetime(testDescription: "not s-maxage", lines: [date, "Cache-Control: s-maxage=60"], seconds: 0),
            Lifetime(
                testDescription: "max-age over Expires",
                lines: [date, "Cache-Control: max-age=60", "Expires: 0"],
                seconds: 60
            ),
            Lifetime(
                testDescription: "an invalid max-age",
                lines: [date, "Cache-Control: max-age=-5", "Expires: Sun, 06 Nov 1994 09:49:37 GMT"],
                seconds: 0
            ),
            Lifetime(testDescription: "a huge max-age", lines: ["Cache-Control: max-age=9e9"], seconds: 0),
            Lifetime(
                testDescription: "a huge number",
                lines: ["Cache-Control: max-age=9999999999999"],
                seconds: 2_147_483_648
            ),
            Lifetime(testDescription: "Expires", lines: [date, "Expires: Sun, 06 Nov 1994 08:50:37 GMT"], seconds: 60),
            Lifetime(testDescription: "Expires alone", lines: ["Expires: Sun, 06 Nov 1994 08:50:37 GMT"], seconds: 60),
            Lifetime(
                testDescription: "in the past",
                lines: [date, "Expires: Sun, 06 Nov 1993 08:50:37 GMT"],
                seconds: 0
            ),
            Lifetime(
                testDescription: "Expires in lower case",
                lines: [date, "Expires: Sun, 06 Nov 1994 08:50:37 gmt"],
                seconds: 60
            ),
            Lifetime(
                testDescription: "Expires of RFC 850",
                lines: [date, "Expires: Sunday, 06-Nov-94 08:50:37 GMT"],
                seconds: 60
            ),
            Lifetime(
                testDescription: "Expires of asctime",
                lines: [date, "Expires: Sun Nov  6 08:50:37 1994"],
                seconds: 60
            ),
            Lifetime(
                testDescription: "Expires in UTC",
                lines: [date, "Expires: Sun, 06 Nov 1994 08:50:37 UTC"],
                seconds: 0
            ),
            Lifetime(
                testDescription: "Expires with hyphens and a long year",
                lines: [date, "Expires: Sun, 06-Nov-1994 08:50:37 GMT"],
                seconds: 0
            ),
            Lifetime(
                testDescription: "Expires with a short year",
                lines: [date, "Expires: Sun, 06 Nov 94 08:50:37 GMT"],
                seconds: 0
            ),
            Lifetime(
                testDescription: "Expires without a comma",
                lines: [date, "Expires: Sun 06 Nov 1994 08:50:37 GMT"],
                seconds: 0
            ),
            Lifetime(
                testDescription: "Expires with two spaces",
                lines: [date, "Expires: Sun, 06  Nov 1994 08:50:37 GMT"],
                seconds: 0
            ),
            Lifetime(testDescription: "no date", lines: [date, "Expires: -1", hourAgo], seconds: 0),
            Lifetime(
                testDescription: "two that differ",
                lines: [date, "Expires: Sun, 06 Nov 1994 08:50:37 GMT", "Expires: Sun, 06 Nov 1995 08:50:37 GMT"],
                seconds: 0
            ),
            Lifetime(
                testDescription: "far away",
                lines: [date, "Expires: Fri, 31 Dec 9999 23:59:59 GMT"],
                seconds: 2_147_483_648
            ),
            Lifetime(testDescription: "a heuristic", lines: [date, hourAgo], seconds: 360),
            Lifetime(testDescription: "a day at most", lines: [date, monthAgo], seconds: 86_400),
            Lifetime(
                testDescription: "changed in the future",
                lines: [date, "Last-Modified: Sun, 06 Nov 1995 08:49:37 GMT"],
                seconds: 0
            ),
            Lifetime(testDescription: "none of a 302", lines: [date, hourAgo], status: 302, seconds: 0),
            Lifetime(
                testDescription: "of a public one",
                lines: [date, hourAgo, "Cache-Control: public"],
                status: 302,
                seconds: 360
            ),
            Lifetime(testDescription: "of a 404", lines: [date, hourAgo], status: 404, seconds: 360),
        ]
    )
    func lifetimes(row: Lifetime) {
        let stored = Self.stored(row.lines, status: row.status)
        #expect(stored.lifetime(allowsHeuristicFreshness: true) == row.seconds)
        #expect(stored.lifetime(allowsHeuristicFreshness: false) == (stored.hasExplicitLifetime ? row.seconds : 0))
    }

    struct Use: CustomTestStringConvertible {
        let response: String
        var request = ""
        var mode = Cached.Policy.Mode.default
        let later: Double
        let reuse: CacheDecision

        var testDescription: String { "\(response) | \(request) | \(mode) | \(later)" }
    }

    @Test(
        "Freshness and directives decide whether a cached response is served, revalidated, or refetched",
        arguments: [
            Use(response: "max-age=10", later: 9.9, reuse: .fresh),
            Use(response: "max-age=10", later: 10, reuse: .validate),
            Use(response: "max-age=10", later: -1, reuse: .validate),
            Use(response: "max-age=0", later: 0, reuse: .validate),
            Use(response: "max-age=10, no-cache", later: 1, reuse: .validate),
            Use(response: "max-age=10, no-cache=\"X-A\"", later: 1, reuse: .fresh),
            Use(response: "max-age=10, private, x-unknown=1", later: 1, reuse: .fresh),
            Use(response: "max-age=10", request: "no-cache", later: 1, reuse: .validate),
            Use(response: "max-age=10", request: "max-age=0", later: 0, reuse: .validate),
            Use(response: "max-age=10", request: "max-age=5", later: 5, reuse: .fresh),
            Use(response: "max-age=10", request: "max-age=5", later: 6, reuse: .validate),
            Use(response: "max-age=10", request: "max-age=x", later: 0, reuse: .validate),
            Use(response: "max-age=10", request: "min-fresh=5", later: 5, reuse: .fresh),
            Use(response: "max-age=10", request: "min-fresh=5", later: 6, reuse: .validate),
            Use(response: "max-age=10", request: "min-fresh=-5", later: 0, reuse: .validate),
            Use(response: "max-age=10", request: "max-stale", later: 9_999, reuse: .stale),
            Use(response: "max-age=10", request: "max-stale=5", later: 15, reuse: .stale),
            Use(response: "max-age=10", request: "max-stale=5", later: 16, reuse: .validate),
            Use(response: "max-age=10", request: "max-stale=x", later: 11, reuse: .validate),
            Use(response: "max-age=10, must-revalidate", request: "max-stale", later: 11, reuse: .validate),
            Use(response: "max-age=10, must-revalidate", later: 9, reuse: .fresh),
            Use(response: "max-age=10, stale-while-revalidate=5", later: 15, reuse: .staleWhileRevalidating),
            Use(response: "max-age=10, stale-while-revalidate=5", later: 16, reuse: .validate),
            Use(response: "max-age=10, stale-while-revalidate=-5", later: 11, reuse: .validate),
            Use(response: "max-age=10, stale-while-revalidate=5, must-revalidate", later: 11, reuse: .validate),
            Use(response: "max-age=10, stale-while-revalidate=5", request: "no-cache", later: 11, reuse: .validate),
            Use(response: "max-age=10", mode: .revalidate, later: 1, reuse: .validate),
            Use(response: "max-age=10, immutable", mode: .revalidate, later: 1, reuse: .fresh),
            Use(response: "max-age=10, immutable", mode: .revalidate, later: 11, reuse: .validate),
            Use(response: "max-age=10, stale-while-revalidate=5", mode: .revalidate, later: 11, reuse: .validate),
            Use(response: "max-age=10, immutable", later: 11, reuse: .validate),
            Use(response: "max-age=10", mode: .onlyIfCached, later: 1, reuse: .fresh),
        ]
    )
    func reuse(row: Use) {
        let stored = Self.stored([Self.date, "Cache-Control: \(row.response)"])
        let request = CacheControl(HTTPFields(lines: row.request.isEmpty ? [] : ["Cache-Control: \(row.request)"]))
        let now = Self.exampleDate.addingTimeInterval(row.later)
        let decision = CacheDecision(
            about: stored,
            request: request,
            mode: row.mode,
            now: now,
            allowsHeuristicFreshness: true
        )
        #expect(decision == row.reuse)
    }
}
