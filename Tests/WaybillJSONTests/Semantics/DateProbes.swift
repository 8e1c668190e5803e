import Foundation
import Testing

@Suite("Decoding of dates, compared with Foundation")
struct DateProbes {
    struct Event: Decodable {
        let at: Date
    }

    struct OptionalEvent: Decodable {
        let at: Date?
    }

    static let numbers = [
        #"{"at":0}"#, #"{"at":-1}"#, #"{"at":1.5}"#, #"{"at":1700000000.123}"#, #"{"at":1700000000123}"#,
        #"{"at":1e10}"#,
        #"{"at":-62135769600}"#, #"{"at":0.001}"#, #"{"at":1e400}"#, #"{"at":"0"}"#, #"{"at":null}"#, #"{"at":[]}"#,
        #"{"at":{}}"#, #"{"at":true}"#, "{}",
    ]

    static let texts = [
        "2024-02-29T12:34:56Z", "1970-01-01T00:00:00Z", "2001-01-01T00:00:00Z", "2024-02-29T12:34:56+02:00",
        "2024-02-29T12:34:56-11:30", "2024-02-29T12:34:56+0200", "2024-02-29T12:34:56+02", "1969-12-31T23:59:59Z",
        "0001-01-01T00:00:00Z", "1582-10-15T00:00:00Z", "9999-12-31T23:59:59Z", "2024-12-31T23:59:60Z",
        "2024-02-29T24:00:00Z", "2023-02-29T12:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z",
        "2024-01-00T00:00:00Z", "2024-01-32T00:00:00Z", "2024-01-01T25:00:00Z", "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:61Z", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T00:00Z", "2024-01-01 00:00:00Z",
        "20240101T000000Z", "2024-1-1T0:0:0Z", "2024-01-01t00:00:00z", " 2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z ",
        "2024-01-01T00:00:00Zx", "2024-01-01T00:00:00 Z", "", "now", "2024-01-01T00:00:00+25:00",
        "2024-01-01T00:00:00+02:60", "2024-01-01T00:00:00+00:00", "2024-01-01T00:00:00-00:00", "-001-01-01T00:00:00Z",
        "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00UTC", "2024-01-01T00:00:00GMT", "2024-W01-1T00:00:00Z",
        "2024-001T00:00:00Z", "\u{661}\u{662}24-01-01T00:00:00Z", "12024-01-01T00:00:00Z", "24-01-01T00:00:00Z",
    ]

    static let fractions = [
        "2024-02-29T12:34:56.789Z", "2024-02-29T12:34:56.7Z", "2024-02-29T12:34:56.789123Z",
        "2024-02-29T12:34:56.789123456Z", "2024-02-29T12:34:56.789+02:00", "1969-12-31T23:59:59.5Z",
    ]

    static let dates: [Probe] =
        Probe.each(numbers, as: Event.self, "deferred", at: "at")
        + Probe.each(numbers, as: Event.self, "in seconds", DecoderSettings(dates: .secondsSince1970), at: "at")
        + Probe.each(
            numbers,
            as: Event.self,
            "in milliseconds",
            DecoderSettings(dates: .millisecondsSince1970),
            at: "at"
        )
        + Probe.each(numbers, as: Event.self, "ISO 8601", DecoderSettings(dates: .iso8601), at: "at")
        + Probe.each(numbers, as: OptionalEvent.self, "ISO 8601", DecoderSettings(dates: .iso8601), at: "at")
        + Probe.each(
            (texts + fractions).map { #"{"at":"\#($0)"}"# },
            as: Event.self,
            "ISO 8601",
            DecoderSettings(dates: .iso8601),
            at: "at"
        )
        + Probe.each(
            [#"{"at":"2024\u002D01-01T00:00:00\u005a"}"#],
            as: Event.self,
            "",
            DecoderSettings(dates: .iso8601),
            at: "at"
        )
        + Probe.each(["0", "[0]"], as: [Date].self, "deferred") + Probe.each(["0.5"], as: Date.self, "deferred")

    /// Strings that a formatter accepts, and the error for others.
    static let formatted: [Probe] = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 3600)
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        let documents = [#"{"at":"2024-02-29 12:30"}"#, #"{"at":"2024-02-29"}"#, #"{"at":""}"#] + numbers.suffix(7)
        return Probe.each(documents, as: Event.self, "formatted", DecoderSettings(dates: .formatted(formatter)))
    }()

    struct Rejected: Error {}

    /// Collections of dates, which the strategy decodes too.
    static let collections: [Probe] = {
        var probes: [Probe] = []
        for (name, dates) in [
            ("in milliseconds", .millisecondsSince1970), ("all the same", .custom { _ in .distantPast }),
        ] as [(String, DecoderSettings.Dates)] {
            let settings = DecoderSettings(dates: dates)
            probes += Probe.each(["[0,1000]", "[null]", "[]"], as: [Date].self, name, settings)
            probes += Probe.each([#"{"a":1000}"#, #"{"a":null}"#], as: [String: Date].self, name, settings)
            probes += Probe.each(["[1000,null]"], as: [Date?].self, name, settings)
            probes += Probe.each(["[0,0,1000]"], as: Set<Date>.self, name, settings)
            probes += Probe.each(["[[1000],[]]"], as: [[Date]].self, name, settings)
            probes += Probe.each(["1000", "null"], as: Date?.self, name, settings)
            probes += Probe.each(["1000", "null"], as: Date.self, name, settings)
            probes += Probe.each(["[1000,2000]", "[2000,1000]"], as: Range<Date>.self, name, settings)
        }
        return probes
    }()

    static let custom: [Probe] =
        Probe.each(
            [#"{"at":{"y":2024}}"#, #"{"at":5}"#, #"{"at":null}"#, "{}", #"{"at":{"y":null}}"#],
            as: Event.self,
            "custom",
            DecoderSettings(
                dates: .custom { decoder in
                    let container = try decoder.container(keyedBy: AnyKey.self)
                    return Date(timeIntervalSinceReferenceDate: try container.decode(Double.self, forKey: "y"))
                }
            )
        )
        + Probe.each(
            [#"{"at":1}"#, #"{"at":null}"#],
            as: OptionalEvent.self,
            "custom and failing",
            DecoderSettings(dates: .custom { _ in throw Rejected() })
        )
        + Probe.each(
            [#"{"a":[{"b":1}]}"#],
            as: [String: [[String: Date]]].self,
            "the path inside of a custom strategy",
            DecoderSettings(
                dates: .custom { decoder in
                    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: ""))
                }
            )
        )

    @Test("Decoding dates matches Foundation's decoder", arguments: dates)
    func date(probe: Probe) { probe.check() }

    @Test("Decoding formatted dates matches Foundation's decoder", arguments: formatted)
    func formattedDate(probe: Probe) { probe.check() }

    @Test("Decoding dates with a custom strategy matches Foundation's decoder", arguments: custom + collections)
    func customDate(probe: Probe) { probe.check() }
}
