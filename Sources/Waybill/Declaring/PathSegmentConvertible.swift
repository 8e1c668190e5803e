import WaybillSystem

/// A type whose values can be written as path segments.
///
/// All characters in a segment except unreserved ones (RFC 3986, section 2.3) are percent-encoded.
///
/// Integers, strings and UUIDs conform. Other types return the text of their segment. A type whose raw value conforms
/// only needs to declare the conformance:
///
/// ```swift
/// struct SKU: RawRepresentable, Codable, Hashable, Sendable, PathSegmentConvertible { let rawValue: String }
/// ```
public protocol PathSegmentConvertible: Sendable {
    /// Returns the text of the segment, not percent-encoded.
    ///
    /// Empty text, `.` and `..` are rejected when the request is built.
    ///
    /// - Parameter value: the value to convert.
    /// - Returns: the segment.
    static func pathSegment(of value: Self) -> String
}

extension String: PathSegmentConvertible {
    /// Returns the string itself.
    ///
    /// - Parameter value: the string.
    /// - Returns: the string.
    public static func pathSegment(of value: Self) -> String { value }
}

extension Substring: PathSegmentConvertible {
    /// Returns the substring as a string.
    ///
    /// - Parameter value: the substring.
    /// - Returns: the string.
    public static func pathSegment(of value: Self) -> String { String(value) }
}

extension UUID: PathSegmentConvertible {
    /// Returns the UUID in lowercase with hyphens (RFC 9562, section 4).
    ///
    /// - Parameter value: the UUID.
    /// - Returns: the text of the UUID.
    public static func pathSegment(of value: Self) -> String { value.lowercaseText }
}

extension PathSegmentConvertible where Self: BinaryInteger {
    /// Returns the number in decimal digits.
    ///
    /// - Parameter value: the number.
    /// - Returns: the digits, preceded by a minus sign if the number is negative.
    public static func pathSegment(of value: Self) -> String { String(value) }
}

extension Int: PathSegmentConvertible {}
extension Int8: PathSegmentConvertible {}
extension Int16: PathSegmentConvertible {}
extension Int32: PathSegmentConvertible {}
extension Int64: PathSegmentConvertible {}
extension UInt: PathSegmentConvertible {}
extension UInt8: PathSegmentConvertible {}
extension UInt16: PathSegmentConvertible {}
extension UInt32: PathSegmentConvertible {}
extension UInt64: PathSegmentConvertible {}

extension PathSegmentConvertible where Self: RawRepresentable, RawValue: PathSegmentConvertible {
    /// Returns the segment of the raw value.
    ///
    /// - Parameter value: the value.
    /// - Returns: the segment.
    public static func pathSegment(of value: Self) -> String { RawValue.pathSegment(of: value.rawValue) }
}

extension PathSegmentConvertible {
    /// The value's text, not percent-encoded.
    package var segmentText: String { Self.pathSegment(of: self) }
}
