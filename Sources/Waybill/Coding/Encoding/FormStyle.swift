import WaybillSystem

/// The representation of values in a query or a form, for which there is no standard.
///
/// ``Query``, ``Body`` and ``Bodies`` accept its strategies as arguments.
public struct FormStyle: Sendable {
    package var arrays: Arrays?
    package var dates: Dates?
    package var keys: JSONEncoder.KeyEncodingStrategy?
    package var nulls: Nulls?
    package var empties: Empties?

    package init(
        arrays: Arrays? = nil,
        dates: Dates? = nil,
        keys: JSONEncoder.KeyEncodingStrategy? = nil,
        nulls: Nulls? = nil,
        empties: Empties? = nil
    ) {
        self.arrays = arrays
        self.dates = dates
        self.keys = keys
        self.nulls = nulls
        self.empties = empties
    }

    /// Returns this style merged over an outer one.
    package func merged(over outer: FormStyle) -> FormStyle {
        FormStyle(
            arrays: arrays ?? outer.arrays,
            dates: dates ?? outer.dates,
            keys: keys ?? outer.keys,
            nulls: nulls ?? outer.nulls,
            empties: empties ?? outer.empties
        )
    }

    /// The declared strategies, for explanations.
    package var summary: String {
        [
            arrays.map { "arrays \($0)" }, dates.map { "dates \($0)" }, keys.map { "keys \($0.name)" },
            nulls.map { "nulls \($0)" }, empties.map { "empties \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
    }
}

extension FormStyle {
    /// The representation of arrays in a query or a form, for which there is no standard.
    public enum Arrays: Sendable, Hashable, CaseIterable {
        /// The name is repeated for each element: `tag=a&tag=b`.
        case repeated
        /// All elements are in one item: `tag=a,b`. Commas inside an element are percent-encoded.
        case commaSeparated
        /// The name with empty brackets is repeated for each element, as in PHP and Rails: `tag[]=a&tag[]=b`.
        case brackets
        /// The name is followed by the element's index in brackets: `tag[0]=a&tag[1]=b`.
        ///
        /// This is the only style for arrays of objects or arrays: `lines[0][sku]=a&lines[1][sku]=b`.
        case indexed
    }

    /// The representation of empty arrays and objects in a query or a form.
    ///
    /// By default, they are omitted. In a PUT or a PATCH, omitting an empty array would lose a change. It is written if
    /// its ``FormStyle/Arrays`` style can represent it: `tags[]=` with brackets, `tags=` if comma-separated. Otherwise,
    /// it is a declaration error, as is an empty object.
    public enum Empties: Sendable, Hashable {
        /// An item with an empty value: `tags=`, and with brackets `tags[]=`.
        case empty
        /// No item. The server cannot distinguish this from a missing member.
        case omitted
        /// An item with this text: `tags=[]`.
        case text(String)
    }

    /// The representation of null in a query or a form.
    ///
    /// It applies to a null that a value encodes explicitly, such as ``Nullable/null``. A nil optional is omitted
    /// unless ``Bodies`` declares that nil is sent.
    public enum Nulls: Sendable, Hashable {
        /// An item with an empty value: `note=`.
        case empty
        /// No item. The server cannot distinguish this from a missing member.
        case omitted
        /// An item with this text: `note=null`.
        case text(String)

        /// The text of the item; nil if there is no item.
        var text: String? {
            switch self {
            case .empty: ""
            case .omitted: nil
            case .text(let text): text
            }
        }
    }
}

extension FormStyle {
    /// The format of dates in a query, a form or a JSON request body.
    ///
    /// ```swift
    /// Query("since", date, as: .secondsSince1970)
    /// Bodies(as: .form(dates: .day))
    /// Encode(dates: .text(.httpDate))
    /// ```
    public struct Dates: Sendable {
        /// The name of the format in a declaration.
        package let name: String

        private let write: @Sendable (Date) -> String?

        /// Creates a custom format.
        ///
        /// - Parameter write: returns the text of a date.
        public init(_ write: @escaping @Sendable (Date) -> String) { self.init("custom", writing: write) }

        private init(_ name: String, writing write: @escaping @Sendable (Date) -> String?) {
            self.name = name
            self.write = write
        }

        /// `2026-05-01T12:00:00Z`, in UTC, with milliseconds unless they are zero (RFC 3339).
        ///
        /// If the year in UTC is outside 0 to 9999, the date is written in the nearest time zone where it is within
        /// that range.
        public static let iso8601 = Dates("iso8601", writing: { ISO8601.zonedText(from: $0) })

        /// Returns the format `2026-05-01T14:00:00`: the local time in a time zone, without an offset.
        ///
        /// Milliseconds are written unless they are zero.
        ///
        /// - Parameter zone: the time zone.
        /// - Returns: the format.
        public static func iso8601WithoutZone(in zone: TimeZone) -> Dates {
            Dates("iso8601WithoutZone(in: \(zone.identifier))") { date in
                ISO8601.text(from: date + TimeInterval(zone.secondsFromGMT(for: date))).map { String($0.dropLast()) }
            }
        }

        /// `2026-05-01`, the day in UTC.
        public static let day = Dates("day", writing: { ISO8601.text(from: $0).map { String($0.prefix(10)) } })

        /// `Fri, 01 May 2026 12:00:00 GMT`, the format used in header fields (RFC 9110, section 5.6.7).
        public static let httpDate = Dates("httpDate", writing: { HTTPDate.text(from: $0) })

        /// Whole seconds since 1970, rounded down.
        public static let secondsSince1970 = Dates(
            "secondsSince1970",
            writing: { Self.whole($0.timeIntervalSince1970) }
        )

        /// Whole milliseconds since 1970, rounded to the nearest.
        public static let millisecondsSince1970 = Dates(
            "millisecondsSince1970",
            writing: { Self.whole(($0.timeIntervalSince1970 * 1000).rounded()) }
        )

        /// Returns the text of a date; nil if the format cannot represent it, or if its time interval is NaN or
        /// infinite.
        package func text(of date: Date) -> String? { date.timeIntervalSince1970.isFinite ? write(date) : nil }

        private static func whole(_ interval: TimeInterval) -> String? {
            Int64(exactly: interval.rounded(.down)).map { "\($0)" }
        }
    }
}

extension FormStyle.Dates: CustomStringConvertible {
    /// The name of the format in a declaration.
    public var description: String { name }
}
