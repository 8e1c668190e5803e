import WaybillJSON
import WaybillSystem

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// Reads ISO 8601 dates with and without fractions of a second: the same as `iso8601`.
    public static var waybillISO8601: Self { .iso8601 }

    /// A string such as `Fri, 01 May 2026 12:00:00 GMT`, as header fields have it (RFC 9110, section 5.6.7), the two
    /// obsolete forms included.
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
    public static var waybillISO8601: Self { .text(.iso8601) }

    /// Writes dates as text in one of the forms of ``FormStyle/Dates``.
    ///
    /// A date that the form cannot write is an `EncodingError`.
    ///
    /// ```swift
    /// Encode(dates: .text(.httpDate))
    /// ```
    ///
    /// - Parameter form: the form of the dates.
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

    /// The strategy `.iso8601` of Foundation for dates that it can write; any other one is an `EncodingError`.
    fileprivate static var checkedISO8601: Self {
        .text { date in
            // Foundation writes no date of another zone, and years of five digits.
            guard let text = ISO8601.zonedText(from: date, withMilliseconds: false) else { return nil }
            return text.hasSuffix("Z") ? date.formatted(.iso8601) : text
        }
    }
}

extension JSONEncoder {
    /// An encoder that writes the same bytes, and throws for a date that ISO 8601 cannot write.
    ///
    /// With the strategy `.iso8601` Foundation writes some other date in place of one that is NaN, infinite or out of
    /// its range. Other strategies throw by themselves or are the app's own, and so is a subclass: then it is this
    /// encoder.
    package var rejectingUnwritableDates: JSONEncoder {
        guard type(of: self) == JSONEncoder.self, case .iso8601 = dateEncodingStrategy else { return self }
        return applying(keys: nil, dates: .checkedISO8601, data: nil)
    }
}
