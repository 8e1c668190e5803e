import Foundation
import Testing
import Waybill

@Suite("http-tests/cache-tests, browser cases")
struct CacheSuiteTests {
    /// The required and optimal cases that do not pass, with the reasons.
    static let failing = [
        // A stale response is served without the server only if it or the request allows that with `stale-if-error`.
        "stale-close-must-revalidate", "stale-close-no-cache",
        // A response to POST is not stored.
        "method-POST",
        // `Accept-Language` values are compared as text.
        "vary-normalise-lang-order", "vary-normalise-lang-case", "vary-normalise-lang-select",
        // Setting a cookie again each time a stored response is used would undo later changes by the server.
        "headers-store-Set-Cookie", "headers-store-Set-Cookie2",
        // Partial content is not stored. These four send five bytes for a range of six, `bytes 4-9/10`, which a cache
        // that stores parts would have to reject.
        "partial-store-partial-reuse-partial", "partial-store-partial-reuse-partial-byterange",
        "partial-store-partial-reuse-partial-absent", "partial-store-partial-reuse-partial-suffix",
        // The part has no strong validator, so it cannot be combined with another part (RFC 9110, section 15.3.7.3).
        "partial-store-partial-complete",
        // A different cookie means a different user.
        "other-cookie",
    ]

    @Test("The cache passes all but the listed cases, and more required and optimal ones than any browser")
    func cases() async throws {
        guard let shared = SharedSuite("cache") else { return }
        let suite = try CacheSuite(shared)
        #expect(suite.cases.count == 300)
        var outcomes: [String: CacheSuite.Outcome] = [:]
        for test in suite.cases { outcomes[test.id] = await CacheSuiteExchange(test).outcome() }
        let own = suite.results(of: outcomes)
        let (required, optimal) = (suite.passed(.required, in: own), suite.passed(.optimal, in: own))
        print("cases of http-tests/cache-tests passed: required \(required), optimal \(optimal)")
        for browser in ["chrome", "firefox", "safari"] {
            let results = suite.results(of: suite.outcomes(of: try shared.document("\(browser).json")))
            #expect(required > suite.passed(.required, in: results), "\(browser)")
            #expect(optimal > suite.passed(.optimal, in: results), "\(browser)")
        }
        let failed = suite.cases.filter { $0.kind != .check && own[$0.id] != .pass }
        let texts = failed.map { "\($0.id): \(outcomes[$0.id] ?? .held)" }.joined(separator: "\n")
        #expect(Set(failed.map(\.id)) == Set(Self.failing), "\(texts)")
    }
}
