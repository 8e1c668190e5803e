import WaybillSystem

extension WaybillJSONDecoder {
    /// The strategy for decoding dates.
    public enum DateDecodingStrategy: Sendable {
        /// The format in which `Date` decodes itself: a number of seconds since 2001.
        case deferredToDate
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// A string such as `2026-05-01T12:00:00Z` (RFC 3339), with or without fractions of a second.
        case iso8601
        /// A string parsed by a function, which returns nil if the string is not a date.
        ///
        /// ```swift
        /// let formatter = DateFormatter()
        /// formatter.dateFormat = "yyyy-MM-dd"
        /// var days = WaybillJSONDecoder()
        /// days.dateDecodingStrategy = .formatted { formatter.date(from: $0) }
        /// ```
        case formatted(@Sendable (String) -> Date?)
        /// The result of a closure, which receives the decoder.
        case custom(@Sendable (any Decoder) throws -> Date)
    }

    /// The strategy for decoding `Data`.
    public enum DataDecodingStrategy: Sendable {
        /// The format in which `Data` decodes itself: an array of numbers.
        case deferredToData
        /// A Base64 string (RFC 4648, section 4).
        case base64
        /// The result of a closure, which receives the decoder.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// The strategy for converting keys before they are matched to coding keys.
    public enum KeyDecodingStrategy: Sendable {
        /// Leaves keys unchanged.
        case useDefaultKeys
        /// Converts `created_at` to `createdAt`; leading and trailing underscores are kept.
        ///
        /// If several keys convert to the same one, the first member wins. The keys of a dictionary are not converted.
        case convertFromSnakeCase
        /// Converts keys with a closure that receives the coding path, with the key as its last element.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// The strategy for decoding `Int64` and `UInt64`, which the Protocol Buffers JSON format encodes as strings.
    public enum Int64DecodingStrategy: Sendable, Hashable {
        /// Accepts only numbers.
        case number
        /// Accepts numbers, and strings that contain whole numbers, such as `"-12"`.
        ///
        /// A string in another format (with a fraction, an exponent, a plus sign, whitespace or a leading zero) throws
        /// `DecodingError.dataCorrupted`, as does a number that does not fit into the type. `Int` and the smaller types
        /// accept only numbers.
        case convertFromString
    }

    /// The strategy for decoding strings with lone surrogates, such as `"cut \ud83d"`.
    ///
    /// A lone surrogate is half of a pair of `\u` escapes (RFC 8259, section 8.2). Servers that truncate text by UTF-16
    /// code units produce them. The strategy applies to the strings and keys that a type decodes; lone surrogates in
    /// the rest of a document are ignored.
    public enum LoneSurrogateDecodingStrategy: Sendable, Hashable {
        /// Throws `DecodingError.dataCorrupted`, with the coding path of the string.
        case `throw`
        /// Replaces each lone surrogate with U+FFFD, the replacement character.
        case replace
    }

    /// The strategy for strings that denote infinity or NaN, which JSON numbers cannot express.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// Rejects any string where a number is expected.
        case `throw`
        /// Accepts these strings as infinity, negative infinity and NaN.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}

#if !canImport(FoundationEssentials)
    extension WaybillJSONDecoder.DateDecodingStrategy {
        /// Returns a strategy that parses strings with a formatter.
        ///
        /// Not available on platforms with FoundationEssentials, where avoiding `DateFormatter` makes a program
        /// smaller. Pass a function there instead: `.formatted { formatter.date(from: $0) }`.
        ///
        /// - Parameter formatter: the formatter, which must not be modified afterwards.
        /// - Returns: the strategy.
        public static func formatted(_ formatter: DateFormatter) -> Self { .formatted { formatter.date(from: $0) } }
    }
#else
    extension WaybillJSONDecoder.DateDecodingStrategy {
        /// Unavailable, because a program that uses `DateFormatter` links all of Foundation.
        ///
        /// - Parameter formatter: the formatter.
        /// - Returns: the strategy.
        @available(*, unavailable, message: "give a function: .formatted { text in formatter.date(from: text) }")
        public static func formatted<Formatter: AnyObject>(_ formatter: Formatter) -> Self { .formatted { _ in nil } }
    }
#endif

extension WaybillJSONDecoder.KeyDecodingStrategy {
    /// Returns the key under which containers expose a member of the object at the given path.
    package func converting(_ name: String, in path: @autoclosure () -> [any CodingKey]) -> String {
        switch self {
        case .useDefaultKeys: name
        case .convertFromSnakeCase: SnakeCase.camelCase(name)
        case .custom(let convert): convert(path() + [PathKey(name)]).stringValue
        }
    }
}

extension WaybillJSONDecoder.DateDecodingStrategy {
    /// Returns a strategy for strings such as `2026-05-01T12:00:00`, from servers that omit the time zone.
    ///
    /// An offset in the string takes precedence over the zone. A local time that the zone's clocks skip is interpreted
    /// with the offset from before or after the change.
    ///
    /// - Parameter zone: the time zone of dates without an offset.
    /// - Returns: the strategy.
    public static func iso8601(assuming zone: TimeZone) -> Self {
        text { text, path in
            if let date = ISO8601Date.parse(text, assuming: zone) { return date }
            throw DecodingError.dataCorrupted(
                .init(codingPath: path, debugDescription: ISO8601Date.reason(against: text))
            )
        }
    }

    /// A number of seconds since 1970, as a string such as `"1777636800"` or as a number.
    public static var secondsSince1970Text: Self { .number(perSecond: 1, unit: "seconds") }

    /// A number of milliseconds since 1970, as a string such as `"1777636800000"` or as a number.
    public static var millisecondsSince1970Text: Self { .number(perSecond: 1000, unit: "milliseconds") }

    /// Returns a strategy that parses strings with a closure, which receives the coding path for its errors.
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

/// Conversions between `snake_case` and `camelCase` keys.
enum SnakeCase {
    /// Converts a key to camel case as Foundation does.
    ///
    /// Removes underscores between words, and capitalizes each word except the first. Leading and trailing underscores
    /// are kept.
    static func camelCase(_ key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        let joined: String
        if words.count == 1 {
            joined = String(key[first...last])
        } else {
            joined = ([words[0].lowercased()] + words.dropFirst().map(\.capitalized)).joined()
        }
        return key[..<first] + joined + key[key.index(after: last)...]
    }
}

extension WaybillJSONDecoder {
    /// A copy of the decoder that replaces lone surrogates.
    package var replacingLoneSurrogates: WaybillJSONDecoder {
        var decoder = self
        decoder.loneSurrogateDecodingStrategy = .replace
        return decoder
    }
}
