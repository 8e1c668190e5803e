import Foundation

/// A scalar that can be the value of a query item.
///
/// Strings, numbers, booleans, UUIDs, URLs, dates and types with such a raw value are; a type of an app's own says
/// what its text is.
public protocol QueryValue {
    /// The value's text, not encoded; nil where the value has none (a number that is not finite).
    var queryText: String? { get }
}

extension String: QueryValue {
    /// The text itself.
    public var queryText: String? { self }
}

extension Substring: QueryValue {
    /// The text itself.
    public var queryText: String? { String(self) }
}

extension Bool: QueryValue {
    /// `true` or `false`.
    public var queryText: String? { self ? "true" : "false" }
}

extension UUID: QueryValue {
    /// The UUID in upper case with hyphens, as Foundation writes it.
    public var queryText: String? { uuidString }
}

extension URL: QueryValue {
    /// The absolute URL.
    public var queryText: String? { absoluteString }
}

extension Decimal: QueryValue {
    /// The number in decimal digits, with a point whatever the locale; nil where it is not a number.
    public var queryText: String? { isFinite ? description : nil }
}

extension Date: QueryValue {
    /// The date as ISO 8601 in UTC; nil outside of the years 0 to 9999.
    ///
    /// Other forms are ``DateText``'s.
    public var queryText: String? { ISO8601.text(from: self) }
}

extension QueryValue where Self: BinaryInteger {
    /// The number in decimal digits.
    public var queryText: String? { String(self) }
}

extension QueryValue where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The shortest text that reads back as the number, `2` for 2.0; nil where it is not finite.
    public var queryText: String? { try? LeafFormat.text(of: self) }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    /// The text of the raw value.
    public var queryText: String? { rawValue.queryText }
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
