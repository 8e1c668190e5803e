import WaybillSystem

/// A scalar that can be the value of a query item.
///
/// Strings, numbers, booleans, UUIDs, URLs, dates and types with such a raw value are; a type of an app's own returns
/// its text:
///
/// ```swift
/// struct Price: QueryValue {
///     let cents: Int
///
///     static func queryText(of price: Price) -> String? { "\(price.cents)" }
/// }
/// ```
///
/// The requirement is static so that strings, numbers and dates have no member more.
public protocol QueryValue: Sendable {
    /// Returns the text of a value, not encoded; nil if the value has none (a number that is not finite).
    static func queryText(of value: Self) -> String?
}

extension String: QueryValue {
    /// Returns the text itself.
    public static func queryText(of value: Self) -> String? { value }
}

extension Substring: QueryValue {
    /// Returns the text itself.
    public static func queryText(of value: Self) -> String? { String(value) }
}

extension Bool: QueryValue {
    /// Returns `true` or `false`.
    public static func queryText(of value: Self) -> String? { value ? "true" : "false" }
}

extension UUID: QueryValue {
    /// Returns the UUID in lower case with hyphens (RFC 9562, section 4).
    public static func queryText(of value: Self) -> String? { value.lowercaseText }
}

extension URL: QueryValue {
    /// Returns the absolute URL.
    public static func queryText(of value: Self) -> String? { value.absoluteString }
}

extension Decimal: QueryValue {
    /// Returns the number in decimal digits, with a point in every locale; nil if it is not a number.
    public static func queryText(of value: Self) -> String? { value.isFinite ? value.description : nil }
}

extension Date: QueryValue {
    /// Returns the date as ISO 8601 in UTC, or in the nearest zone in which it is in the years 0 to 9999; nil without
    /// such a zone.
    ///
    /// Other forms are ``FormStyle/Dates``'s.
    public static func queryText(of value: Self) -> String? { ISO8601.zonedText(from: value) }
}

extension QueryValue where Self: BinaryInteger {
    /// Returns the number in decimal digits.
    public static func queryText(of value: Self) -> String? { String(value) }
}

extension QueryValue where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// Returns the shortest text that reads back as the number, `2` for 2.0; nil if it is not finite.
    public static func queryText(of value: Self) -> String? { try? LeafFormat.text(of: value) }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    /// Returns the text of the raw value.
    public static func queryText(of value: Self) -> String? { RawValue.queryText(of: value.rawValue) }
}

extension Int: QueryValue {}
extension Int8: QueryValue {}
extension Int16: QueryValue {}
extension Int32: QueryValue {}
extension Int64: QueryValue {}
extension UInt: QueryValue {}
extension UInt8: QueryValue {}
extension UInt16: QueryValue {}
extension UInt32: QueryValue {}
extension UInt64: QueryValue {}
extension Double: QueryValue {}
extension Float: QueryValue {}

extension QueryValue {
    /// The text of the value, as the URL has it before it is percent-encoded; nil if it has none.
    package var queryItemText: String? { Self.queryText(of: self) }
}
