import Foundation
import Testing
import Waybill
import WaybillDescription

@Suite("String and integer formats")
struct StringFormatTests {
    @Test(
        "A string matches a format if it follows the syntax of the format",
        arguments: [
            ("date-time", "2026-05-01T12:00:00Z", true), ("date-time", "2024-02-29T23:59:59.123+02:00", true),
            ("date-time", "2026-02-29T12:00:00Z", false), ("date-time", "2026-05-01 12:00:00Z", false),
            ("date-time", "2026-05-01T12:00:00", false), ("date-time", "2026-05-01T12:00:00.Z", false),
            ("date-time", "2026-05-01T24:00:00Z", false), ("date-time", "2026-05-01T12:00:00+0200", false),
            ("date-time", "2026-05-01T12:00:00Z ", false), ("date-time", "", false),
            ("uuid", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", true), ("uuid", "e621e1f8", false),
            ("uri", "https://example.com/a%20b?c=d#e", true), ("uri", "urn:isbn:0451450523", true),
            ("uri", "/a", false), ("uri", "https://example.com/a b", false), ("uri", "https://example.com/%2", false),
            ("uri", "1a:b", false), ("uri", ":b", false), ("uri-reference", "/a", true), ("uri-reference", "ä", false),
            ("of an app's own", "", true),
        ]
    )
    func formats(format: String, text: String, fits: Bool) {
        let schemas = JSONSchema.Document(definitions: [:])
        let problem = schemas.problem(of: .string(text), JSONSchema(.string(format: format)), isStrict: true)
        #expect((problem == nil) == fits)
    }

    @Test(
        "An integer matches a format if it is in the range of the format",
        arguments: [
            ("int8", "-128", true), ("int8", "128", false), ("uint8", "255", true), ("uint8", "-1", false),
            ("int32", "2147483648", false), ("uint32", "4294967295", true), ("uint16", "65536", false),
            ("uint64", "18446744073709551615", true), ("uint64", "18446744073709551616", false),
            ("int64", "9223372036854775808", false), ("int16", "1.5", false),
        ]
    )
    func ranges(format: String, text: String, fits: Bool) throws {
        let number = try WaybillJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let schemas = JSONSchema.Document(definitions: [:])
        #expect((schemas.problem(of: number, JSONSchema(.integer(format: format))) == nil) == fits)
    }
}
