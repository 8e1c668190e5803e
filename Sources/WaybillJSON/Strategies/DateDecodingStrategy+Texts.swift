import WaybillSystem

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// Returns a strategy for strings such as `2026-05-01T12:00:00`, of a server that leaves the time zone out.
    ///
    /// A date with a zone of its own goes by that. A time that the zone's clocks skip counts from before the change.
    ///
    /// - Parameter zone: the zone of dates without one.
    /// - Returns: the strategy.
    public static func iso8601(assuming zone: TimeZone) -> Self {
        text { text, path in
            if let date = ISO8601Date.parse(text, assuming: zone) { return date }
            throw DecodingError.dataCorrupted(
                .init(codingPath: path, debugDescription: ISO8601Date.reason(against: text))
            )
        }
    }

    /// The number of seconds since 1970 in a string, such as `"1777636800"`; a number is read too.
    public static var secondsSince1970Text: Self { .number(perSecond: 1, unit: "seconds") }

    /// The number of milliseconds since 1970 in a string, such as `"1777636800000"`; a number is read too.
    public static var millisecondsSince1970Text: Self { .number(perSecond: 1000, unit: "milliseconds") }

    /// Returns a strategy that reads strings; its errors have the path of the date.
    package static func text(_ read: @escaping @Sendable (String, [any CodingKey]) throws -> Date) -> Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            return try read(container.decode(String.self), decoder.codingPath)
        }
    }

    private static func number(perSecond: Double, unit: String) -> Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                return Date(timeIntervalSince1970: number / perSecond)
            }
            let text = try container.decode(String.self)
            guard let number = Double(text), number.isFinite else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "\"\(text.prefix(60))\" is not a number of \(unit) since 1970."
                )
            }
            return Date(timeIntervalSince1970: number / perSecond)
        }
    }
}
