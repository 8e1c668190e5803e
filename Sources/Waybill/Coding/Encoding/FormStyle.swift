import WaybillSystem

/// The spelling of a value in a query or a form, for which there is no standard.
///
/// ``Query``, ``Body`` and ``Bodies`` take its parts as arguments. One that is nil is left to an outer scope.
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

    /// The declared strategies, for an explanation.
    package var summary: String {
        [
            arrays.map { "arrays \($0)" }, dates.map { "dates \($0)" }, keys.map { "keys \($0.name)" },
            nulls.map { "nulls \($0)" }, empties.map { "empties \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
    }
}

extension FormStyle {
    /// The form of an array's elements as named items in a query or a form, for which there is no standard.
    public enum Arrays: Sendable, Hashable, CaseIterable {
        /// The name once for each element: `tag=a&tag=b`.
        case repeated
        /// All elements in one item: `tag=a,b`. A comma inside an element is percent-encoded, those between are not.
        case commaSeparated
        /// The name with empty brackets once for each element, as PHP and Rails read it: `tag[]=a&tag[]=b`.
        case brackets
        /// The name with the element's index in brackets: `tag[0]=a&tag[1]=b`.
        ///
        /// The only style for arrays of objects and of arrays: `lines[0][sku]=a&lines[1][sku]=b`.
        case indexed
    }

    /// The items of an array or an object without elements in a query or a form, which have no empty array.
    ///
    /// Without one, they have no items; in a write that changes what is there, a PUT or a PATCH, an array is sent as
    /// its ``FormStyle/Arrays`` can: as `tags[]=` with brackets, as `tags=` if it is comma-separated. The other styles,
    /// and objects, can write none there: that is a declaration error, so that no change is lost.
    public enum Empties: Sendable, Hashable {
        /// An item with an empty value: `tags=`, and with brackets `tags[]=`.
        case empty
        /// No item; the server cannot tell it from a member that was never there.
        case omitted
        /// An item with this text: `tags=[]`.
        case text(String)
    }

    /// The text of a null in a query or a form, which have no null of their own.
    ///
    /// It holds for a null that a value encodes on purpose, such as ``Nullable/null``. An optional without a value is
    /// left out, unless ``Bodies`` says that nil is sent.
    public enum Nulls: Sendable, Hashable {
        /// An item with an empty value: `note=`.
        case empty
        /// No item; the server cannot tell it from a member that was never there.
        case omitted
        /// An item with this text: `note=null`.
        case text(String)

        /// The text of the value; nil if there is no item.
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
    /// The text of a date in a query, a form, or the JSON of a request.
    ///
    /// ```swift
    /// Query("since", date, as: .secondsSince1970)
    /// Bodies(as: .form(dates: .day))
    /// Encode(dates: .text(.httpDate))
    /// ```
    public struct Dates: Sendable {
        /// The form as a declaration writes it.
        package let name: String

        private let write: @Sendable (Date) -> String?

        /// Creates a form of the app's own.
        ///
        /// - Parameter write: returns the text of a date.
        public init(_ write: @escaping @Sendable (Date) -> String) { self.init("custom", writing: write) }

        private init(_ name: String, writing write: @escaping @Sendable (Date) -> String?) {
            self.name = name
            self.write = write
        }

        /// `2026-05-01T12:00:00Z`, in UTC, with milliseconds if the date has any (RFC 3339).
        ///
        /// A date that only another time zone has in the years 0 to 9999 is written in that zone.
        public static let iso8601 = Dates("iso8601", writing: { ISO8601.zonedText(from: $0) })

        /// Returns `2026-05-01T14:00:00`, the time of day in a zone, which the text does not name.
        ///
        /// Milliseconds are written if the date has any.
        ///
        /// - Parameter zone: the time zone of the text.
        /// - Returns: the form.
        public static func iso8601WithoutZone(in zone: TimeZone) -> Dates {
            Dates("iso8601WithoutZone(in: \(zone.identifier))") { date in
                ISO8601.text(from: date + TimeInterval(zone.secondsFromGMT(for: date))).map { String($0.dropLast()) }
            }
        }

        /// `2026-05-01`, the day in UTC.
        public static let day = Dates("day", writing: { ISO8601.text(from: $0).map { String($0.prefix(10)) } })

        /// `Fri, 01 May 2026 12:00:00 GMT`, as header fields have it (RFC 9110, section 5.6.7).
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

        /// Returns the date's text; nil for one that the form cannot write, and for one whose interval is NaN or
        /// infinite.
        package func text(of date: Date) -> String? { date.timeIntervalSince1970.isFinite ? write(date) : nil }

        private static func whole(_ interval: TimeInterval) -> String? {
            Int64(exactly: interval.rounded(.down)).map { "\($0)" }
        }
    }
}

extension FormStyle.Dates: CustomStringConvertible {
    /// The form as a declaration writes it.
    public var description: String { name }
}
