import Waybill
import WaybillSystem

/// A JSON format of dates or data, for writing and reading.
package struct ScalarFormat<Value: Sendable>: Sendable {
    /// Returns a value in this format; nil if the format cannot represent it.
    package let write: @Sendable (Value) -> JSONValue?

    /// Returns the value represented by JSON in this format; nil for any other JSON.
    package let read: @Sendable (JSONValue) -> Value?
}

extension ScalarFormat where Value == Date {
    /// Returns the most precise known date format that a decoder reads; nil if it reads none.
    package static func format(readBy decoder: any ResponseDecoder) -> ScalarFormat<Date>? {
        // A date with fractional seconds, one in whole seconds, and one at midnight for formats without a time.
        let dates = [Date(timeIntervalSince1970: 1_777_636_800.25), sample, Date(timeIntervalSince1970: 1_777_593_600)]
        for date in dates {
            for format in all {
                guard let value = format.write(date), let data = try? JSONEncoder().encode([value]),
                    let read = try? decoder.decode([Date].self, from: data).first
                else { continue }
                if abs(read.timeIntervalSince(date)) < 0.001 { return format }
            }
        }
        return nil
    }

    /// Returns the known date format that writes two sample dates like a function; nil if no format does.
    package static func format(writtenBy write: (Date) throws -> JSONValue?) -> ScalarFormat<Date>? {
        let dates = [sample, Date(timeIntervalSince1970: 1_000_000_000.25)]
        guard let written = try? dates.map(write) else { return nil }
        return all.first { format in zip(dates, written).allSatisfy { format.write($0) == $1 } }
    }

    /// The date 2026-05-01T12:00:00Z.
    package static var sample: Date { Date(timeIntervalSince1970: 1_777_636_800) }

    private static var all: [ScalarFormat<Date>] {
        [
            .text { ISO8601.text(from: $0) },
            .text { ISO8601.text(from: $0).map { $0.hasMilliseconds ? $0 : $0.dropLast() + ".000Z" } },
            .text { ISO8601.text(from: $0.wholeSeconds) },
            ScalarFormat(
                write: { HTTPDate.text(from: $0).map(JSONValue.string) },
                read: { $0.stringValue.flatMap { HTTPDate.date(from: $0, now: sample) } }
            ),
            .number(scale: 1, since: .init(timeIntervalSince1970: 0)),
            .number(scale: 1000, since: .init(timeIntervalSince1970: 0)),
            .number(scale: 1, since: .init(timeIntervalSinceReferenceDate: 0)),
            .text { ISO8601.text(from: $0).map { String($0.dropLast()) } },
            .text { ISO8601.text(from: $0.wholeSeconds).map { String($0.dropLast()) } },
            .text { ISO8601.text(from: $0).map { $0.hasMilliseconds ? $0 : $0.dropLast() + ".000Z" }?.spaced },
            .text { ISO8601.text(from: $0.wholeSeconds)?.spaced },
            .text { ISO8601.text(from: $0.wholeSeconds).map { String($0.spaced.dropLast()) } },
            .digits(scale: 1), .digits(scale: 1000),
            .text { ISO8601.text(from: $0).map { String($0.prefix(10)) } },
        ]
    }

    private static func number(scale: Double, since start: Date) -> ScalarFormat {
        ScalarFormat(
            write: { JSONValue($0.timeIntervalSince(start) * scale) },
            read: { $0.doubleValue.map { start + $0 / scale } }
        )
    }

    private static func digits(scale: Double) -> ScalarFormat {
        ScalarFormat(
            write: { Int(exactly: ($0.timeIntervalSince1970 * scale).rounded(.down)).map { .string("\($0)") } },
            read: { $0.stringValue.flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0 / scale) } }
        )
    }

    private static func text(_ write: @escaping @Sendable (Date) -> String?) -> ScalarFormat {
        ScalarFormat(
            write: { write($0).map(JSONValue.string) },
            read: { value in
                guard var text = value.stringValue else { return nil }
                if text.utf8.count == 10 { text += "T00:00:00" }
                text = text.replacing(" ", with: "T")
                return ISO8601.date(from: text) ?? ISO8601.date(from: text + "Z")
            }
        )
    }
}

extension ScalarFormat where Value == Data {
    /// Returns the known data format that a decoder reads; nil if it reads none.
    package static func format(readBy decoder: any ResponseDecoder) -> ScalarFormat<Data>? {
        all.first { format in
            guard let value = format.write(sample), let data = try? JSONEncoder().encode([value]) else { return false }
            return (try? decoder.decode([Data].self, from: data)) == [sample]
        }
    }

    /// Returns the known data format that writes sample data like a function; nil if no format does.
    package static func format(writtenBy write: (Data) throws -> JSONValue?) -> ScalarFormat<Data>? {
        guard let written = try? write(sample) else { return nil }
        return all.first { $0.write(sample) == written }
    }

    private static var sample: Data { Data([1, 2, 250, 255]) }

    private static var all: [ScalarFormat<Data>] {
        [
            ScalarFormat(
                write: { .string($0.base64EncodedString()) },
                read: { $0.stringValue.flatMap { Data(base64Encoded: $0) } }
            ),
            ScalarFormat(
                write: { .array($0.map { .integer(Int($0)) }) },
                read: { $0.arrayValue.map { Data($0.compactMap { $0.intValue.flatMap { UInt8(exactly: $0) } }) } }
            ),
        ]
    }
}

extension Date {
    fileprivate var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}

extension String {
    fileprivate var hasMilliseconds: Bool { utf8.contains(UInt8(ascii: ".")) }

    fileprivate var spaced: String { replacing("T", with: " ") }
}
