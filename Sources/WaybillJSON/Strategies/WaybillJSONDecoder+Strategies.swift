import WaybillSystem

extension WaybillJSONDecoder {
    /// The strategy for dates.
    public enum DateDecodingStrategy: Sendable {
        /// As `Date` decodes itself: the number of seconds since 2001.
        case deferredToDate
        /// The number of seconds since 1970.
        case secondsSince1970
        /// The number of milliseconds since 1970.
        case millisecondsSince1970
        /// A string such as `2026-05-01T12:00:00Z` (RFC 3339), with or without fractions of a second.
        case iso8601
        /// A string that a function reads; nil if it is no date.
        ///
        /// ```swift
        /// let formatter = DateFormatter()
        /// formatter.dateFormat = "yyyy-MM-dd"
        /// var days = WaybillJSONDecoder()
        /// days.dateDecodingStrategy = .formatted { formatter.date(from: $0) }
        /// ```
        case formatted(@Sendable (String) -> Date?)
        /// The result of a closure.
        case custom(@Sendable (any Decoder) throws -> Date)
    }

    /// The strategy for `Data`.
    public enum DataDecodingStrategy: Sendable {
        /// As `Data` decodes itself: an array of numbers.
        case deferredToData
        /// A string in Base64 (RFC 4648, section 4).
        case base64
        /// The result of a closure.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// The strategy for keys: their conversion to those of coding keys.
    public enum KeyDecodingStrategy: Sendable {
        /// Unchanged.
        case useDefaultKeys
        /// `created_at` becomes `createdAt`; leading and trailing underscores stay.
        ///
        /// Of members whose keys become the same the first one counts. The keys of a dictionary stay as they are.
        case convertFromSnakeCase
        /// By a closure, which is given the coding path with the key as its last element.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// The strategy for `Int64` and `UInt64`, which JSON of Protocol Buffers has as strings.
    public enum Int64DecodingStrategy: Sendable, Hashable {
        /// Numbers alone.
        case number
        /// Numbers, and strings that are whole numbers, such as `"-12"`.
        ///
        /// A string of another form, with a fraction, an exponent, a plus, a space or a zero in front, and a number
        /// that does not fit into the type, are `DecodingError.dataCorrupted`. `Int` and the smaller types stay
        /// numbers.
        case convertFromString
    }

    /// The strategy for strings with lone surrogates, such as `"cut \ud83d"`: half of a pair of `\u` escapes, which a
    /// server leaves that cuts texts by UTF-16 code units (RFC 8259, section 8.2).
    ///
    /// It concerns the strings and keys that a type decodes; in the rest of a document lone surrogates are ignored.
    public enum LoneSurrogateDecodingStrategy: Sendable, Hashable {
        /// `DecodingError.dataCorrupted`, at the string.
        case `throw`
        /// Each one becomes U+FFFD, the replacement character.
        case replace
    }

    /// Whether strings can denote infinities and NaN, which JSON does not have.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// No string denotes a number.
        case `throw`
        /// These strings denote the infinities and NaN.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}

#if !canImport(FoundationEssentials)
    extension WaybillJSONDecoder.DateDecodingStrategy {
        /// A string that a formatter reads.
        ///
        /// Other platforms do not have it, because a program without a `DateFormatter` is smaller there. The case that
        /// takes a function does the same: `.formatted { formatter.date(from: $0) }`.
        ///
        /// - Parameter formatter: the formatter, which must not be changed afterwards.
        /// - Returns: the strategy.
        public static func formatted(_ formatter: DateFormatter) -> Self { .formatted { formatter.date(from: $0) } }
    }
#else
    extension WaybillJSONDecoder.DateDecodingStrategy {
        /// Does not compile: a program that names `DateFormatter` links the whole of Foundation.
        @available(*, unavailable, message: "give a function: .formatted { text in formatter.date(from: text) }")
        public static func formatted<Formatter: AnyObject>(_ formatter: Formatter) -> Self { .formatted { _ in nil } }
    }
#endif

extension WaybillJSONDecoder.KeyDecodingStrategy {
    /// Returns the key of a member of the object at a path, as containers show it.
    package func converting(_ name: String, in path: @autoclosure () -> [any CodingKey]) -> String {
        switch self {
        case .useDefaultKeys: name
        case .convertFromSnakeCase: SnakeCase.camelCase(name)
        case .custom(let convert): convert(path() + [PathKey(name)]).stringValue
        }
    }
}

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

/// Keys as `snake_case` and as `camelCase`.
enum SnakeCase {
    /// Converts a key to camel case, as Foundation does: underscores between words go, and each word but the first
    /// begins with a capital; leading and trailing underscores stay.
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
    /// The same decoder, which replaces lone surrogates.
    package var replacingLoneSurrogates: WaybillJSONDecoder {
        var decoder = self
        decoder.loneSurrogateDecodingStrategy = .replace
        return decoder
    }
}
