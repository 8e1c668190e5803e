import Foundation
import Testing
import Waybill

@Suite("Entity tags and HTTP dates")
struct EntityTagTests {
    @Test(
        "Strong and weak entity tags are parsed and written",
        arguments: [
            (#""a""#, "a", false), (#"W/"a""#, "a", true), (#""""#, "", false), (#""a,b""#, "a,b", false),
            (#""W/""#, "W/", false), (#""ä\n""#, #"ä\n"#, false),
        ]
    )
    func reading(text: String, opaque: String, isWeak: Bool) throws {
        let tag = try #require(HTTPField.EntityTag(text))
        #expect(tag.opaqueTag == opaque)
        #expect(tag.isWeak == isWeak)
        #expect(tag.description == text)
    }

    @Test(
        "Anything but a single entity tag is rejected",
        arguments: [
            "", "a", "\"", "W/", "W/\"", "W/a", "w/\"a\"", "\"a", "a\"", "\"a\" ", "\"a b\"", "\"a\"b\"",
            "\"a\", \"b\"",
            "\"a\u{7F}\"", "\"\t\"", "*", "'a'",
        ]
    )
    func rejecting(text: String) { #expect(HTTPField.EntityTag(text) == nil) }

    @Test(
        "Entity tags match strongly only if both are strong (RFC 9110, section 8.8.3.2)",
        arguments: [
            (#"W/"1""#, #"W/"1""#, false, true), (#"W/"1""#, #"W/"2""#, false, false),
            (#"W/"1""#, #""1""#, false, true),
            (#""1""#, #""1""#, true, true),
        ]
    )
    func comparing(one: String, other: String, strongly: Bool, weakly: Bool) throws {
        let (one, other) = (try #require(HTTPField.EntityTag(one)), try #require(HTTPField.EntityTag(other)))
        #expect(one.matchesStrongly(other) == strongly)
        #expect(other.matchesStrongly(one) == strongly)
        #expect(one.matchesWeakly(other) == weakly)
    }

    @Test(
        "An HTTP date is parsed in all three formats",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sat, 29 Feb 2020 00:00:00 GMT", 1_582_934_400), ("Fri, 01-Jan-27 00:00:00 GMT", 1_798_761_600),
        ]
    )
    func dates(text: String, seconds: Double) {
        #expect(HTTPDate.date(from: text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "Text that is not a valid HTTP date is rejected",
        arguments: [
            "", "0", "-1", "tomorrow", "Sun, 06 Nov 1994", "Sun, 31 Feb 2020 00:00:00 GMT",
            "Sun, 06 Nov 1994 25:00:00 GMT",
            "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 19999 08:49:37 GMT",
            "Sun, 006 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 EST", "2020-01-01T00:00:00Z", ", , , , ,",
        ]
    )
    func noDates(text: String) { #expect(HTTPDate.date(from: text) == nil) }

    @Test(
        "An HTTP date is written in whole seconds and parses to the same date",
        arguments: [0, 784_111_777, -1, 951_782_400, 4_102_444_799]
    )
    func writing(seconds: Int) throws {
        let date = Date(timeIntervalSince1970: Double(seconds))
        let text = try #require(HTTPDate.text(from: date.addingTimeInterval(0.75)))
        #expect(HTTPDate.date(from: text) == date)
        if seconds == 784_111_777 { #expect(text == "Sun, 06 Nov 1994 08:49:37 GMT") }
        if seconds == -1 { #expect(text == "Wed, 31 Dec 1969 23:59:59 GMT") }
    }

    @Test("An unrepresentable date has no text", arguments: [Double.infinity, -.infinity, .nan, 1e15, -1e15])
    func unwritable(seconds: Double) {
        #expect(HTTPDate.text(from: Date(timeIntervalSince1970: seconds)) == nil)
    }
}
