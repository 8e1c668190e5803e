import WaybillJSON
import WaybillSystem

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// A strategy for HTTP dates, such as `Fri, 01 May 2026 12:00:00 GMT` (RFC 9110, section 5.6.7).
    ///
    /// It also accepts the two obsolete formats that HTTP permits.
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

    /// A strategy for days, such as `2026-05-01`, decoded as the start of the day in UTC.
    public static var day: Self {
        .text { text, path in
            if text.utf8.count == 10, let date = ISO8601.date(from: text + "T00:00:00Z") { return date }
            throw DecodingError.dataCorrupted(
                .init(codingPath: path, debugDescription: "\"\(text.prefix(60))\" is not a day such as 2026-05-01.")
            )
        }
    }
}

extension WaybillJSONEncoder.DateEncodingStrategy {
    /// A strategy for HTTP dates, such as `Fri, 01 May 2026 12:00:00 GMT` (RFC 9110, section 5.6.7).
    public static var httpDate: Self { .finite { HTTPDate.text(from: $0) } }

    /// A strategy for days in UTC, such as `2026-05-01`.
    public static var day: Self { .finite { date in ISO8601.text(from: date).map { String($0.prefix(10)) } } }

    /// Returns a strategy for local times without an offset, such as `2026-05-01T14:00:00`.
    ///
    /// Milliseconds are omitted if they are zero.
    ///
    /// - Parameter zone: the time zone of the local times.
    /// - Returns: the strategy.
    public static func iso8601WithoutZone(in zone: TimeZone) -> Self {
        .finite { date in
            ISO8601.text(from: date + TimeInterval(zone.secondsFromGMT(for: date))).map { String($0.dropLast()) }
        }
    }

    /// A strategy for whole seconds since 1970, rounded down, as a string such as `"1777636800"`.
    public static var secondsSince1970Text: Self { .finite { whole($0.timeIntervalSince1970) } }

    /// A strategy for whole milliseconds since 1970, rounded to the nearest, as a string such as `"1777636800000"`.
    public static var millisecondsSince1970Text: Self {
        .finite { whole(($0.timeIntervalSince1970 * 1000).rounded()) }
    }

    /// Returns a strategy that calls a function only for dates with a finite time interval.
    private static func finite(_ text: @escaping @Sendable (Date) -> String?) -> Self {
        .formatted { date in date.timeIntervalSince1970.isFinite ? text(date) : nil }
    }

    private static func whole(_ interval: TimeInterval) -> String? {
        Int64(exactly: interval.rounded(.down)).map { "\($0)" }
    }

    /// Returns a date's text for a query or a form, with whole numbers of seconds or milliseconds since 1970.
    ///
    /// - Parameter date: the date.
    /// - Returns: the text; nil if the strategy cannot represent the date or does not encode it as a scalar.
    package func text(of date: Date) -> String? {
        guard date.timeIntervalSince1970.isFinite else { return nil }
        switch self {
        case .deferredToDate: return try? LeafFormat.text(of: date.timeIntervalSinceReferenceDate)
        case .secondsSince1970: return Self.whole(date.timeIntervalSince1970)
        case .millisecondsSince1970: return Self.whole((date.timeIntervalSince1970 * 1000).rounded())
        case .iso8601: return ISO8601.zonedText(from: date, withMilliseconds: false)
        case .iso8601WithMilliseconds: return ISO8601.zonedText(from: date)
        case .formatted(let text): return text(date)
        case .custom(let encode):
            guard case .leaf(let leaf)? = try? ValueEncoder().encode(CustomDate(date: date, encode: encode)) else {
                return nil
            }
            return try? LeafFormat.standard.text(of: leaf)
        }
    }

    /// A strategy that encodes dates as text for a query or a form.
    package var asText: Self { .formatted { text(of: $0) } }
}

/// A date encoded by a closure.
private struct CustomDate: Encodable {
    let date: Date
    let encode: @Sendable (Date, any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try encode(date, encoder) }
}

extension JSONDecoder.DateDecodingStrategy {
    /// A strategy for RFC 3339 dates, with or without fractional seconds.
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
    /// A strategy equivalent to `iso8601WithMilliseconds` of `WaybillJSONEncoder`: UTC, with milliseconds unless they
    /// are zero.
    public static var waybillISO8601: Self { .text { ISO8601.zonedText(from: $0) } }

    /// Returns a strategy that encodes a function's result as a string.
    ///
    /// If the function returns nil, encoding throws an `EncodingError`.
    package static func text(_ text: @escaping @Sendable (Date) -> String?) -> Self {
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

    /// Foundation's `.iso8601` strategy, but throwing an `EncodingError` for dates that it cannot represent.
    fileprivate static var checkedISO8601: Self {
        .text { date in
            // Foundation always writes UTC, even if the year has more than four digits.
            guard let text = ISO8601.zonedText(from: date, withMilliseconds: false) else { return nil }
            return text.hasSuffix("Z") ? date.formatted(.iso8601) : text
        }
    }
}

extension JSONEncoder {
    /// An encoder with the same output that throws for dates that ISO 8601 cannot represent.
    ///
    /// With the `.iso8601` strategy, Foundation silently writes a different date if one is NaN, infinite or out of
    /// range. With other strategies, or for a subclass, this is the encoder itself: it already throws, or its behavior
    /// is custom.
    package var rejectingUnwritableDates: JSONEncoder {
        guard type(of: self) == JSONEncoder.self, case .iso8601 = dateEncodingStrategy else { return self }
        let encoder = copy
        encoder.dateEncodingStrategy = .checkedISO8601
        return encoder
    }
}
