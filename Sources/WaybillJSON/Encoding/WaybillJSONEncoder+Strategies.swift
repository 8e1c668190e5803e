import WaybillSystem

extension WaybillJSONEncoder {
    /// The form of the output.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt

        /// Creates a set of options from bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Lines that are indented by two spaces a level, in the form of Foundation's encoder.
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        /// The members of each object in the order of their keys' UTF-8 bytes.
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        /// A slash as itself, and not as `\/`.
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }

    /// The strategy for dates.
    public enum DateEncodingStrategy: Sendable {
        /// As `Date` encodes itself: the number of seconds since 2001.
        case deferredToDate
        /// The number of seconds since 1970.
        case secondsSince1970
        /// The number of milliseconds since 1970.
        case millisecondsSince1970
        /// A string such as `2026-05-01T12:00:00Z` (RFC 3339), without the fraction of the second.
        ///
        /// A date that only another time zone has in the years 0 to 9999 is written in that zone; any other one outside
        /// of these years is an error.
        case iso8601
        /// A string such as `2026-05-01T12:00:00.250Z` (RFC 3339), rounded to milliseconds, and without them if they
        /// are zero.
        ///
        /// The end of the year 9999 is not rounded up. A date that only another time zone has in the years 0 to 9999 is
        /// written in that zone; any other one outside of these years is an error.
        case iso8601WithMilliseconds
        /// A string that a function makes; nil if it cannot write the date, which is an error.
        ///
        /// ```swift
        /// let formatter = DateFormatter()
        /// formatter.dateFormat = "yyyy-MM-dd"
        /// var days = WaybillJSONEncoder()
        /// days.dateEncodingStrategy = .formatted { formatter.string(from: $0) }
        /// ```
        case formatted(@Sendable (Date) -> String?)
        /// The output of a closure; an empty object if it encodes nothing.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// The strategy for `Data`.
    public enum DataEncodingStrategy: Sendable {
        /// As `Data` encodes itself: an array of numbers.
        case deferredToData
        /// A string in Base64 (RFC 4648, section 4).
        case base64
        /// The output of a closure; an empty object if it encodes nothing.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// The strategy for keys: their conversion from those of coding keys.
    public enum KeyEncodingStrategy: Sendable {
        /// Unchanged.
        case useDefaultKeys
        /// `createdAt` becomes `created_at`; leading and trailing underscores stay.
        ///
        /// The keys of a dictionary stay as they are.
        case convertToSnakeCase
        /// By a closure, which is given the coding path with the key as its last element.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// The strategy for `Int64` and `UInt64`, which JSON of Protocol Buffers has as strings.
    public enum Int64EncodingStrategy: Sendable, Hashable {
        /// Numbers, which JavaScript and others read with a loss from 2^53 on.
        case number
        /// Strings. `Int` and the smaller types stay numbers.
        case convertToString
    }

    /// The strategy for `UUID`.
    public enum UUIDEncodingStrategy: Sendable, Hashable {
        /// Upper case, as `UUID` encodes itself.
        case uppercase
        /// Lower case, as RFC 9562, section 4, has it.
        case lowercase
    }

    /// The strategy for infinities and NaN, which JSON does not have.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// `EncodingError.invalidValue`.
        case `throw`
        /// These strings.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}

#if !canImport(FoundationEssentials)
    extension WaybillJSONEncoder.DateEncodingStrategy {
        /// A string that a formatter makes.
        ///
        /// Other platforms do not have it, because a program without a `DateFormatter` is smaller there. The case that
        /// takes a function does the same: `.formatted { formatter.string(from: $0) }`.
        ///
        /// - Parameter formatter: the formatter, which must not be changed afterwards.
        /// - Returns: the strategy.
        public static func formatted(_ formatter: DateFormatter) -> Self { .formatted { formatter.string(from: $0) } }
    }
#else
    extension WaybillJSONEncoder.DateEncodingStrategy {
        /// Does not compile: a program that names `DateFormatter` links the whole of Foundation.
        @available(*, unavailable, message: "give a function: .formatted { date in formatter.string(from: date) }")
        public static func formatted<Formatter: AnyObject>(_ formatter: Formatter) -> Self { .formatted { _ in nil } }
    }
#endif

extension SnakeCase {
    /// Converts a key to snake case, as Foundation does: an underscore comes before each capital that follows another
    /// character, a run of capitals counts as one word up to the last of them, and all becomes lower case.
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
