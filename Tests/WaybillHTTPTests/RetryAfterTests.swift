import Foundation
import Testing

@testable import Waybill

@Suite("Retry-After")
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    static let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "Retry-After is parsed as seconds and as a date in the three HTTP formats",
        arguments: [
            ("120", 120), (" 120 ", 120), ("1.5", 1.5), ("007", 7),
            ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("Sunday, 06-Nov-94 08:50:07 GMT", 30),
            ("Sun Nov  6 08:50:07 1994", 30), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
        ] as [(String, Double)]
    )
    func valid(text: String, seconds: Double) {
        #expect(RetryAfter(text, now: Self.now)?.wait(from: Self.now) == .seconds(seconds))
    }

    @Test(
        "A Retry-After of any size is a wait, capped at about 30 years",
        arguments: [
            "1000000000", "1760000000", "999999999999999", "1000000000000000", "9999999999999999",
            "99999999999999999999999", String(repeating: "9", count: 400), "Fri, 31 Dec 9999 23:59:59 GMT",
        ]
    )
    func long(text: String) {
        #expect(RetryAfter(text, now: Self.now)?.wait(from: Self.now) == .seconds(1_000_000_000))
    }

    @Test(
        "A Retry-After that is now or in the past causes no wait",
        arguments: ["0", "0.0", "Sun, 06 Nov 1994 08:49:37 GMT", "Sat, 05 Nov 1994 08:49:37 GMT"]
    )
    func passed(text: String) throws {
        let hint = try #require(RetryAfter(text, now: Self.now))
        #expect(hint.wait(from: Self.now) == nil)
    }

    @Test(
        "An invalid Retry-After is ignored",
        arguments: [
            "", " ", "soon", "-1", "+1", "1e3", "0x10", "1.2.3", ".5", "5.", "1,5", "1 s", "٣", "inf", "nan", "1, 2",
            "Sun, 06 Nov 1994", "Sun, 31 Feb 1994 08:49:37 GMT", "06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 25:00:00 GMT", "1994-11-06T08:49:37Z",
        ]
    )
    func nonsense(text: String) {
        #expect(RetryAfter(text, now: Self.now) == nil)
    }
}
