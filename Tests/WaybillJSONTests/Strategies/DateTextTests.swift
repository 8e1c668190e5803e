import Foundation
import Testing
import WaybillJSON

@Suite("Dates in other text formats")
struct DateTextTests {
    struct Row: CustomTestStringConvertible {
        let json: String
        let strategy: WaybillJSONDecoder.DateDecodingStrategy
        let seconds: Double
        var testDescription: String { json }
    }

    static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    static let rows = [
        Row(json: #""2026-05-01T14:00:00""#, strategy: .iso8601(assuming: zone), seconds: 1_777_636_800),
        Row(json: #""2026-05-01T12:00:00.250""#, strategy: .iso8601(assuming: .gmt), seconds: 1_777_636_800.25),
        Row(json: #""2026-05-01 12:00:00""#, strategy: .iso8601(assuming: .gmt), seconds: 1_777_636_800),
        Row(json: #""2026-05-01T12:00:00Z""#, strategy: .iso8601(assuming: zone), seconds: 1_777_636_800),
        Row(json: #""2026-05-01T13:00:00+01:00""#, strategy: .iso8601(assuming: zone), seconds: 1_777_636_800),
        // These are before and after the clocks go back, on 2026-10-25 at 01:00 UTC.
        Row(json: #""2026-10-25T01:30:00""#, strategy: .iso8601(assuming: zone), seconds: 1_792_884_600),
        Row(json: #""2026-10-25T04:30:00""#, strategy: .iso8601(assuming: zone), seconds: 1_792_899_000),
        Row(json: #""1777636800""#, strategy: .secondsSince1970Text, seconds: 1_777_636_800),
        Row(json: #""1777636800.25""#, strategy: .secondsSince1970Text, seconds: 1_777_636_800.25),
        Row(json: "1777636800", strategy: .secondsSince1970Text, seconds: 1_777_636_800),
        Row(json: #""1777636800250""#, strategy: .millisecondsSince1970Text, seconds: 1_777_636_800.25),
    ]

    @Test("A date in another text format is decoded", arguments: rows)
    func reads(_ row: Row) throws {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = row.strategy
        let date = try decoder.decode([Date].self, from: Data("[\(row.json)]".utf8))
        #expect(date == [Date(timeIntervalSince1970: row.seconds)])
    }

    @Test(
        "The error for a text that is not a date names the expected format",
        arguments: [
            (#""soon""#, .iso8601(assuming: .gmt), "is not an ISO 8601 date"),
            ("7", .iso8601(assuming: .gmt), "string"),
            (#""nan""#, .secondsSince1970Text, "is not a number of seconds since 1970"),
            (#""soon""#, .millisecondsSince1970Text, "is not a number of milliseconds since 1970"),
            (
                #""2026-05-01T12:00:00""#, .iso8601,
                "has no time zone, which ISO 8601 dates such as 2026-05-01T12:00:00Z have"
            ),
        ] as [(String, WaybillJSONDecoder.DateDecodingStrategy, String)]
    )
    func rejects(json: String, strategy: WaybillJSONDecoder.DateDecodingStrategy, reason: String) {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = strategy
        let document = Data("[\(json)]".utf8)
        let error = #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: document) }
        let text = error.map { WaybillJSONDecoder.Diagnosis(of: $0, inEncoded: document).description }
        #expect(text?.contains(reason) == true)
    }
}
