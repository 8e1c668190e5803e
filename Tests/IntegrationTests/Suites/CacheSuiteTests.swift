import Foundation
import Testing
import Waybill

@Suite("The cases of browsers in http-tests/cache-tests")
struct CacheSuiteTests {
    /// The required and the optimal cases that do not pass, with the reason.
    static let failing = [
        // A stale response is used without the server only if it, or the request, allows that by `stale-if-error`.
        "stale-close-must-revalidate", "stale-close-no-cache",
        // A response to POST is not stored.
        "method-POST",
        // The values of `Accept-Language` are compared as texts.
        "vary-normalise-lang-order", "vary-normalise-lang-case", "vary-normalise-lang-select",
        // A cookie that is set again with each use of a stored response would undo later changes of the server.
        "headers-store-Set-Cookie", "headers-store-Set-Cookie2",
        // Partial content is not stored; these four have five bytes for a range of six, `bytes 4-9/10`, which a cache
        // that stores parts would have to reject.
        "partial-store-partial-reuse-partial", "partial-store-partial-reuse-partial-byterange",
        "partial-store-partial-reuse-partial-absent", "partial-store-partial-reuse-partial-suffix",
        // The part has no strong validator, so no other part may be combined with it (RFC 9110, section 15.3.7.3).
        "partial-store-partial-complete",
        // Another cookie is another user.
        "other-cookie",
    ]

    @Test("The cache passes more required and more optimal cases than each browser, and all but those named")
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
