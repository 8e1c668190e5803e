/// The deliberate differences between our decoder and Foundation's, with their reasons.
///
/// In addition, our decoder rejects every document that violates RFC 8259, which the strictness suites check.
enum DeliberateDifferences {
    struct Difference: Sendable {
        let expected: Outcome
        let reason: String
    }

    /// The differences, keyed by the names of the probes.
    static let all: [String: Difference] = {
        let lists = [integers, decimals, words, ends, rejections, nulls, keys, duplicates, laxDates, newDates]
        return Dictionary(lists.joined().map { ($0, Difference(expected: $1, reason: $2)) }) { first, _ in first }
    }()

    /// Returns Foundation's outcome with the path of a rejected number or date added, which Foundation's decoder
    /// omits.
    static func located(_ foundations: Outcome, at place: String?) -> Outcome {
        guard let place, foundations == .corrupted() else { return foundations }
        return .corrupted(at: place)
    }

    /// Returns the expected outcome of decoding a value as any type, at any path.
    static func expected(_ value: String, as type: String, at place: String, _ foundations: Outcome) -> Outcome {
        // `decode(_:)` is documented to throw `valueNotFound` for null; Foundation's decoder does so for every type
        // except this one.
        if type == "Bool", value == "null" { return .failure("valueNotFound Bool at <\(place)>") }
        return located(foundations, at: place)
    }

    private typealias Row = (String, Outcome, String)

    private static let integers: [Row] =
        ["Int", "UInt", "Int64", "UInt64", "Int128", "UInt128"].flatMap { type -> [Row] in
            [
                (
                    "Array<\(type)> from [1.000000000000000000000000000000000001]", .corrupted(at: "Index 0#0"),
                    "It is no whole number, however near."
                ),
                ("Array<\(type)> from [1e-400]", .corrupted(at: "Index 0#0"), "It is not 0."),
            ]
        }
        + ["Int", "Int64"].flatMap { type -> [Row] in
            ["9223372036854775807", "-9223372036854775808"].map { number in
                ("Array<\(type)> from [\(number).0]", .value("[\(number)]"), "It is a whole number that fits.")
            }
        }
        + ["Int128", "UInt128"].map { type in
            ("Array<\(type)> from [1e20]", .value("[100000000000000000000]"), "It is a whole number that fits.")
        }

    private static let decimals: [Row] = [
        (
            "Array<Decimal> from [340282366920938463463374607431768211456]", .corrupted(at: "Index 0#0"),
            "It has more digits than a Decimal holds; rounding it would change an amount."
        ),
        ("Array<Decimal> from [0e400]", .value("[Decimal(0)]"), "Zero is zero whatever its exponent."),
    ]

    private static let words: [Row] = ["Double", "Float"].flatMap { type -> [Row] in
        [#"\u0069nf"#, #"\u002dinf"#].map { word in
            (
                #"Array<\#(type)> from ["\#(word)"], converted"#,
                .value(word.hasPrefix(#"\u0069"#) ? "[inf]" : "[-inf]"),
                "A word is what it means, however it is spelled."
            )
        }
    }

    private static let ends: [Row] = [
        (
            "the positions of an empty array",
            .value(
                """
                "at 0 of 0, at end"; valueNotFound Int at <Index 0#0>; nil; valueNotFound Optional<Any> at <Index 0#0>; \
                valueNotFound Optional<Int> at <Index 0#0>; valueNotFound A at <Index 0#0>; \
                valueNotFound KeyedDecodingContainer<AnyKey> at <Index 0#0>; \
                valueNotFound UnkeyedDecodingContainer at <Index 0#0>; valueNotFound Decoder at <Index 0#0>; \
                "at 0 of 0, at end"
                """
            ),
            "Foundation's decodeIfPresent steps past the end."
        ),
        (
            "every method past the end",
            .value(
                """
                1; valueNotFound Int at <Index 1#1>; valueNotFound String at <Index 1#1>; \
                valueNotFound Bool at <Index 1#1>; valueNotFound Double at <Index 1#1>; \
                valueNotFound Optional<Int> at <Index 1#1>; valueNotFound Array<Int> at <Index 1#1>; \
                valueNotFound A at <Index 1#1>; nil; nil; nil; valueNotFound Optional<Any> at <Index 1#1>; \
                valueNotFound KeyedDecodingContainer<AnyKey> at <Index 1#1>; \
                valueNotFound UnkeyedDecodingContainer at <Index 1#1>; valueNotFound Decoder at <Index 1#1>; \
                "at 1 of 1, at end"
                """
            ),
            "Foundation's decodeIfPresent steps past the end."
        ),
    ]

    /// The differences for out-of-range numbers: within `init(from:)`, Foundation's decoder throws an internal error
    /// type.
    private static let rejections: [Row] = [
        (
            "a number that does not fit does not advance",
            .value(
                """
                dataCorrupted at <Index 0#0>; "at 0 of 3"; dataCorrupted at <Index 0#0>; "at 0 of 3"; 256; \
                dataCorrupted at <Index 1#1>; "at 1 of 3"; 1.5; "at 2 of 3"
                """
            ),
            "A number that does not fit is a DecodingError, also before the decoder returns."
        ),
        (
            "a single value: 1.5",
            .value(
                """
                false; <>; typeMismatch Bool at <>; dataCorrupted at <>; dataCorrupted at <>; 1.5; \
                typeMismatch String at <>; typeMismatch Array<Any> at <>; typeMismatch Dictionary<String, Any> at <>; \
                typeMismatch Dictionary<String, Any> at <>; typeMismatch Dictionary<String, Any> at <>; \
                dataCorrupted at <>; dataCorrupted at <>; typeMismatch Array<Any> at <>; Date(1.5); \
                typeMismatch Array<Any> at <>; typeMismatch Dictionary<String, Any> at <>; \
                typeMismatch Dictionary<String, Any> at <>; Date(1.5); typeMismatch String at <>; \
                typeMismatch String at <>; Decimal(1.5); false
                """
            ),
            "A number that does not fit is a DecodingError, also before the decoder returns."
        ),
    ]

    private static let keys: [Row] = [
        (
            "paths of keys with integer values",
            .value(
                """
                <1>; <1 > 2>; <1 > 2 > Index 0#0>; typeMismatch Int at <1 > 2 > Index 0#0 > 3>; \
                typeMismatch Int at <1 > 2 > Index 0#0 > 3>; typeMismatch Int at <1 > 2 > Index 0#0 > 3>
                """
            ),
            "Paths are made when they are read, of keys that are made from their names."
        )
    ]

    /// The differences for dictionaries with converted keys: Foundation's decoder decodes every value of a repeated
    /// key.
    private static let duplicates: [Row] = [("1", "some(1)"), ("null", "nil")].map { value, decoded in
        (
            #"Dictionary<String, Optional<Int>> from {"a":\#(value),"a":"x"}, snake case"#,
            .value(#"["a": \#(decoded)]"#),
            "The first of the members with the same key counts."
        )
    }

    private static let nulls: [Row] = [
        (
            "keyed: decode of null",
            .value(
                """
                valueNotFound Int at <null>; nil; nil; valueNotFound Bool at <null>; valueNotFound Array<Any> at <null>; \
                nil
                """
            ),
            "Null is no Bool of another type, it is missing."
        ),
        (
            "a single value: null",
            .value(
                """
                true; <>; valueNotFound Bool at <>; valueNotFound Int at <>; nil; valueNotFound Double at <>; \
                valueNotFound String at <>; valueNotFound Array<Any> at <>; valueNotFound Dictionary<String, Any> at <>; \
                nil; valueNotFound Dictionary<String, Any> at <>; valueNotFound Int at <>; nil; \
                valueNotFound Array<Any> at <>; valueNotFound Double at <>; valueNotFound Array<Any> at <>; \
                valueNotFound Dictionary<String, Any> at <>; valueNotFound Dictionary<String, Any> at <>; \
                valueNotFound Date at <>; valueNotFound Data at <>; valueNotFound URL at <>; \
                valueNotFound Decimal at <>; true
                """
            ),
            "Null is no Bool of another type, it is missing."
        ),
    ]

    /// Dates that RFC 3339 does not allow; Foundation's decoder normalizes them or ignores the remaining text.
    private static let laxDates: [Row] = [
        "2024-02-29T24:00:00Z", "2023-02-29T12:00:00Z", "2024-01-01T25:00:00Z", "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:61Z", "2024-1-1T0:0:0Z", "2024-01-01T00:00:00Z ", "2024-01-01T00:00:00Zx",
        "2024-01-01T00:00:00+02:60", "2024-01-01T00:00:00UTC", "2024-01-01T00:00:00GMT", "12024-01-01T00:00:00Z",
        "24-01-01T00:00:00Z",
    ].map { date($0, .corrupted(at: "at"), "RFC 3339 does not allow it.") }

    private static let newDates: [Row] = [
        date("2024-01-01 00:00:00Z", .value("Event(at: Date(725760000.0))"), "RFC 3339 allows a space."),
        date("2024-01-01t00:00:00z", .value("Event(at: Date(725760000.0))"), "RFC 3339 allows small letters."),
        date(
            "0001-01-01T00:00:00Z",
            .value("Event(at: Date(-63113904000.0))"),
            "The calendar of ISO 8601 is the Gregorian one for all years."
        ),
    ]

    private static func date(_ text: String, _ expected: Outcome, _ reason: String) -> Row {
        (#"Event from {"at":"\#(text)"}, ISO 8601"#, expected, reason)
    }
}
