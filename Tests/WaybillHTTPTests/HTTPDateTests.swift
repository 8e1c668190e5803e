import Foundation
import Testing
import Waybill

@Suite("Dates in header fields")
struct HTTPDateTests {
    /// A date in the year 2026.
    static let now = Date(timeIntervalSince1970: 1_767_323_045)

    @Test(
        "An HTTP date is parsed in the three formats of RFC 9110",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Mon, 01 Jan 1900 00:00:00 GMT", -2_208_988_800), ("Friday, 31-Dec-76 00:00:00 GMT", 3_376_598_400),
            ("Saturday, 31-Dec-77 00:00:00 GMT", 252_374_400),
        ]
    )
    func valid(text: String, seconds: Int) {
        #expect(HTTPDate.date(from: text, now: Self.now) == Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test(
        "Text that is not a valid HTTP date is rejected",
        arguments: [
            "", " ", "now", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 08:49:37 +0100", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2025 08:49:37 GMT",
            "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 199 08:49:37 GMT",
            "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT", "Foo, 06 Nov 1994 08:49:37 GMT",
            "06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT GMT", String(repeating: "Sun ", count: 100_000),
        ]
    )
    func invalid(text: String) {
        #expect(HTTPDate.date(from: text, now: Self.now) == nil)
    }
}
