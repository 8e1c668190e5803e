import Foundation

/// How Waybill reads and writes JSON where nothing else is declared.
package enum JSONDefaults {
    /// Dates are ISO 8601, with or without fractions of a second; the rest is Foundation's default.
    package static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .waybillISO8601
        return decoder
    }()

    /// Dates are ISO 8601; keys are sorted, so that the same value always gives the same bytes.
    package static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .waybillISO8601
        return encoder
    }()
}

extension JSONDecoder.DateDecodingStrategy {
    /// Reads ISO 8601 dates with and without fractions of a second, as RFC 3339 writes them.
    public static var waybillISO8601: Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = ISO8601.date(from: text) { return date }
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text)\" is not an ISO 8601 date such as 2026-05-01T12:00:00Z"
            )
        }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Writes ISO 8601 dates in UTC, with milliseconds where the date has any.
    public static var waybillISO8601: Self {
        .custom { date, encoder in
            guard let text = ISO8601.text(from: date) else {
                throw EncodingError.invalidValue(
                    date.timeIntervalSince1970,
                    .init(
                        codingPath: encoder.codingPath,
                        debugDescription: "a date outside of the years 1 to 9999 cannot be written"
                    )
                )
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }
}
