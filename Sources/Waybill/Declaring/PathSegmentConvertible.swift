import WaybillSystem

/// A value that can be a segment of a path; all its characters are percent-encoded, except for unreserved ones.
///
/// Integers, strings and UUIDs are such values. A type of an app's own returns its segment; one with a raw value only
/// has to conform:
///
/// ```swift
/// struct SKU: RawRepresentable, Codable, Hashable, Sendable, PathSegmentConvertible { let rawValue: String }
/// ```
public protocol PathSegmentConvertible: Sendable {
    /// Returns the text of the segment, not encoded. Empty text, `.` and `..` are rejected when the request is built.
    static func pathSegment(of value: Self) -> String
}

extension String: PathSegmentConvertible {
    /// Returns the text itself.
    public static func pathSegment(of value: Self) -> String { value }
}

extension Substring: PathSegmentConvertible {
    /// Returns the text itself.
    public static func pathSegment(of value: Self) -> String { String(value) }
}

extension UUID: PathSegmentConvertible {
    /// Returns the UUID in lower case with hyphens (RFC 9562, section 4).
    public static func pathSegment(of value: Self) -> String { value.lowercaseText }
}

extension PathSegmentConvertible where Self: BinaryInteger {
    /// Returns the number in decimal digits.
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
    public static func pathSegment(of value: Self) -> String { RawValue.pathSegment(of: value.rawValue) }
}

extension PathSegmentConvertible {
    /// The text of the value, before it is percent-encoded.
    package var segmentText: String { Self.pathSegment(of: self) }
}
