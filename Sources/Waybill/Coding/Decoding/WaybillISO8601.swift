import WaybillJSON
import WaybillSystem

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// Reads ISO 8601 dates with and without fractions of a second: the same as `iso8601`.
    public static var waybillISO8601: Self { .iso8601 }
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
                debugDescription: ISO8601Date.reason(against: text)
            )
        }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Writes ISO 8601 dates in UTC, with milliseconds if the date has any.
    public static var waybillISO8601: Self {
        .custom { date, encoder in
            guard let text = ISO8601.text(from: date) else {
                throw EncodingError.invalidValue(
                    date.timeIntervalSince1970,
                    .init(
                        codingPath: encoder.codingPath,
                        debugDescription: ISO8601.reason(against: date)
                    )
                )
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }
}
