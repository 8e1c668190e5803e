import WaybillSystem

/// A scalar type whose values can be written as the values of query items.
///
/// Strings, numbers, Booleans, UUIDs, URLs and dates conform. A type whose raw value conforms only needs to declare
/// the conformance. Other types return their text:
///
/// ```swift
/// struct Price: QueryValue {
///     let cents: Int
///
///     static func queryText(of price: Price) -> String? { "\(price.cents)" }
/// }
/// ```
///
/// The requirement is static so that it does not add a member to every string, number and date.
public protocol QueryValue: Sendable {
    /// Returns the text of a value, not percent-encoded.
    ///
    /// - Parameter value: the value to convert.
    /// - Returns: the text; nil if the value has no text, as for a non-finite number.
    static func queryText(of value: Self) -> String?
}

extension String: QueryValue {
    /// Returns the string itself.
    ///
    /// - Parameter value: the string.
    /// - Returns: the string.
    public static func queryText(of value: Self) -> String? { value }
}

extension Substring: QueryValue {
    /// Returns the substring as a string.
    ///
    /// - Parameter value: the substring.
    /// - Returns: the string.
    public static func queryText(of value: Self) -> String? { String(value) }
}

extension Bool: QueryValue {
    /// Returns `true` or `false`.
    ///
    /// - Parameter value: the Boolean.
    /// - Returns: the text.
    public static func queryText(of value: Self) -> String? { value ? "true" : "false" }
}

extension UUID: QueryValue {
    /// Returns the UUID in lowercase with hyphens (RFC 9562, section 4).
    ///
    /// - Parameter value: the UUID.
    /// - Returns: the text of the UUID.
    public static func queryText(of value: Self) -> String? { value.lowercaseText }
}

extension URL: QueryValue {
    /// Returns the absolute URL.
    ///
    /// - Parameter value: the URL.
    /// - Returns: the URL's text, resolved against its base URL.
    public static func queryText(of value: Self) -> String? { value.absoluteString }
}

extension Decimal: QueryValue {
    /// Returns the number in decimal digits, with a decimal point regardless of locale.
    ///
    /// - Parameter value: the number.
    /// - Returns: the digits; nil for NaN.
    public static func queryText(of value: Self) -> String? { value.isFinite ? value.description : nil }
}

extension Date: QueryValue {
    /// Returns the date in ISO 8601 format, in UTC if possible.
    ///
    /// If the UTC year is outside the range 0 to 9999, the date is written in the nearest time zone in which the year
    /// is within that range.
    ///
    /// ``Query`` accepts other formats: `Query("since", date, as: .day)`.
    ///
    /// - Parameter value: the date.
    /// - Returns: the text; nil if there is no such time zone.
    public static func queryText(of value: Self) -> String? { ISO8601.zonedText(from: value) }
}

extension QueryValue where Self: BinaryInteger {
    /// Returns the number in decimal digits.
    ///
    /// - Parameter value: the number.
    /// - Returns: the digits, preceded by a minus sign if the number is negative.
    public static func queryText(of value: Self) -> String? { String(value) }
}

extension QueryValue where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// Returns the shortest text that parses as the same number, such as `2` for 2.0.
    ///
    /// - Parameter value: the number.
    /// - Returns: the text; nil if the number is not finite.
    public static func queryText(of value: Self) -> String? { try? LeafFormat.text(of: value) }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    /// Returns the text of the raw value.
    ///
    /// - Parameter value: the value.
    /// - Returns: the text; nil if the raw value has no text.
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
    /// The value's text, not percent-encoded; nil if it has no text.
    package var queryItemText: String? { Self.queryText(of: self) }
}
