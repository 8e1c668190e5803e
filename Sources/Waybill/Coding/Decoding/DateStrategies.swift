import WaybillJSON
import WaybillSystem

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// A strategy for ISO 8601 dates with or without fractional seconds, equivalent to `iso8601`.
    public static var waybillISO8601: Self { .iso8601 }

    /// A strategy for dates such as `Fri, 01 May 2026 12:00:00 GMT`, the format used in header fields (RFC 9110,
    /// section 5.6.7).
    ///
    /// It also accepts the two obsolete formats that HTTP allows.
    public static var httpDate: Self {
        .text { text, path in
            if let date = HTTPDate.date(from: text) { return date }
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: path,
                    debugDescription: "\"\(text.prefix(60))\" is not a date such as Fri, 01 May 2026 12:00:00 GMT."
                )
            )
        }
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// A strategy for ISO 8601 dates with or without fractional seconds, in the profile of RFC 3339.
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
    /// A strategy that encodes dates as ``FormStyle/Dates/iso8601`` does: in UTC, with milliseconds unless they are
    /// zero.
    public static var waybillISO8601: Self { .text(.iso8601) }

    /// Returns a strategy that encodes dates as text in a format.
    ///
    /// A date that the format cannot represent causes an `EncodingError`.
    ///
    /// ```swift
    /// Encode(dates: .text(.httpDate))
    /// ```
    ///
    /// - Parameter form: the format.
    /// - Returns: the strategy.
    public static func text(_ form: FormStyle.Dates) -> Self { .text { form.text(of: $0) } }

    private static func text(_ text: @escaping @Sendable (Date) -> String?) -> Self {
        .custom { date, encoder in
            guard let text = text(date) else {
                throw EncodingError.invalidValue(
                    date.timeIntervalSince1970,
                    .init(codingPath: encoder.codingPath, debugDescription: ISO8601.reason(against: date))
                )
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    /// Foundation's `.iso8601` strategy, except that a date that it cannot represent causes an `EncodingError`.
    fileprivate static var checkedISO8601: Self {
        .text { date in
            // Foundation always writes UTC, even if the year has more than four digits.
            guard let text = ISO8601.zonedText(from: date, withMilliseconds: false) else { return nil }
            return text.hasSuffix("Z") ? date.formatted(.iso8601) : text
        }
    }
}

extension JSONEncoder {
    /// An encoder that writes the same bytes, but throws for a date that ISO 8601 cannot represent.
    ///
    /// With the `.iso8601` strategy, Foundation writes a different date in place of one that is NaN, infinite or out of
    /// range. With other strategies, and for a subclass, this is the encoder itself, because it already throws or is
    /// custom.
    package var rejectingUnwritableDates: JSONEncoder {
        guard type(of: self) == JSONEncoder.self, case .iso8601 = dateEncodingStrategy else { return self }
        return applying(keys: nil, dates: .checkedISO8601, data: nil)
    }
}
