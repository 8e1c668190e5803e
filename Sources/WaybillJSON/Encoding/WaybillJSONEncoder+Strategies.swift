import WaybillSystem

extension WaybillJSONEncoder {
    /// Options for the format of the output.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The raw bits of the options.
        public let rawValue: UInt

        /// Creates a set of options from raw bits.
        ///
        /// - Parameter rawValue: the bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Adds line breaks and an indentation of two spaces per level, in the format of Foundation's encoder.
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        /// Sorts the members of each object by the UTF-8 bytes of their keys.
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        /// Writes slashes as `/` instead of `\/`.
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }

    /// The strategy for encoding dates.
    public enum DateEncodingStrategy: Sendable {
        /// The format in which `Date` encodes itself: a number of seconds since 2001.
        case deferredToDate
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// A string such as `2026-05-01T12:00:00Z` (RFC 3339), rounded down to whole seconds.
        ///
        /// A date outside the years 0 to 9999 in UTC is written with an offset from UTC that brings it into this range.
        /// If no offset suffices, encoding throws an error.
        case iso8601
        /// A string such as `2026-05-01T12:00:00.250Z` (RFC 3339), rounded to milliseconds, which are omitted if they
        /// are zero.
        ///
        /// A date at the end of the year 9999 is not rounded up. A date outside the years 0 to 9999 in UTC is written
        /// with an offset from UTC that brings it into this range. If no offset suffices, encoding throws an error.
        case iso8601WithMilliseconds
        /// A string returned by a function; if the function returns nil, encoding throws an error.
        ///
        /// ```swift
        /// let formatter = DateFormatter()
        /// formatter.dateFormat = "yyyy-MM-dd"
        /// var days = WaybillJSONEncoder()
        /// days.dateEncodingStrategy = .formatted { formatter.string(from: $0) }
        /// ```
        case formatted(@Sendable (Date) -> String?)
        /// The output of a closure, which receives the encoder; an empty object if the closure encodes nothing.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// The strategy for encoding `Data`.
    public enum DataEncodingStrategy: Sendable {
        /// The format in which `Data` encodes itself: an array of numbers.
        case deferredToData
        /// A Base64 string (RFC 4648, section 4).
        case base64
        /// The output of a closure, which receives the encoder; an empty object if the closure encodes nothing.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// The strategy for converting coding keys to document keys.
    public enum KeyEncodingStrategy: Sendable {
        /// Leaves keys unchanged.
        case useDefaultKeys
        /// Converts `createdAt` to `created_at`; leading and trailing underscores are kept.
        ///
        /// The keys of a dictionary are not converted.
        case convertToSnakeCase
        /// Converts keys with a closure that receives the coding path, with the key as its last element.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// The strategy for encoding `Int64` and `UInt64`, which the Protocol Buffers JSON format encodes as strings.
    public enum Int64EncodingStrategy: Sendable, Hashable {
        /// Writes numbers; JavaScript and other languages lose precision above 2^53.
        case number
        /// Writes strings; `Int` and the smaller types remain numbers.
        case convertToString
    }

    /// The strategy for encoding `UUID`.
    public enum UUIDEncodingStrategy: Sendable, Hashable {
        /// Uppercase letters, as in `UUID.uuidString`.
        case uppercase
        /// Lowercase letters, as RFC 9562, section 4, specifies.
        case lowercase
    }

    /// The strategy for encoding infinity and NaN, which JSON numbers cannot express.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// Throws `EncodingError.invalidValue`.
        case `throw`
        /// Writes these strings for infinity, negative infinity and NaN.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}

#if !canImport(FoundationEssentials)
    extension WaybillJSONEncoder.DateEncodingStrategy {
        /// Returns a strategy that writes strings with a formatter.
        ///
        /// Not available on platforms with FoundationEssentials, where avoiding `DateFormatter` makes a program
        /// smaller. Pass a function there instead: `.formatted { formatter.string(from: $0) }`.
        ///
        /// - Parameter formatter: the formatter, which must not be modified afterwards.
        /// - Returns: the strategy.
        public static func formatted(_ formatter: DateFormatter) -> Self { .formatted { formatter.string(from: $0) } }
    }
#else
    extension WaybillJSONEncoder.DateEncodingStrategy {
        /// Unavailable, because a program that uses `DateFormatter` links all of Foundation.
        ///
        /// - Parameter formatter: the formatter.
        /// - Returns: the strategy.
        @available(*, unavailable, message: "give a function: .formatted { date in formatter.string(from: date) }")
        public static func formatted<Formatter: AnyObject>(_ formatter: Formatter) -> Self { .formatted { _ in nil } }
    }
#endif

extension SnakeCase {
    /// Converts a key to lowercase snake case as Foundation does.
    ///
    /// An underscore is inserted before each capital letter that follows another character. A run of capital letters is
    /// one word, except that its last letter begins the next word if a lowercase letter follows.
    static func snakeCase(_ key: String) -> String {
        let characters = Array(key)
        var words: [ArraySlice<Character>] = []
        var (start, next) = (0, 1)
        while next < characters.count, let capital = characters[next...].firstIndex(where: isCapital) {
            words.append(characters[start..<capital])
            start = capital
            guard let lower = characters[capital...].firstIndex(where: isLowercase) else { break }
            if lower > capital + 1 {
                words.append(characters[capital..<(lower - 1)])
                start = lower - 1
            }
            next = lower + 1
        }
        words.append(characters[start...])
        return words.map { String($0).lowercased() }.joined(separator: "_")
    }

    private static func isCapital(_ character: Character) -> Bool {
        let category = character.unicodeScalars.first?.properties.generalCategory
        return category == .uppercaseLetter || category == .titlecaseLetter
    }

    private static func isLowercase(_ character: Character) -> Bool {
        character.unicodeScalars.first?.properties.generalCategory == .lowercaseLetter
    }
}
