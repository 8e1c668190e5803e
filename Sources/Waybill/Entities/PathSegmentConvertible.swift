import Foundation

/// A value that can stand in a path: it becomes one segment, percent-encoded whatever is in it.
///
/// Integers, strings and UUIDs are such values. A type of an app's own says what its segment is; one with a raw value
/// only has to conform:
///
/// ```swift
/// struct SKU: RawRepresentable, Codable, Hashable, Sendable, PathSegmentConvertible { let rawValue: String }
/// ```
public protocol PathSegmentConvertible {
    /// The segment's text, not encoded. Empty text, `.` and `..` are refused when the request is built.
    var pathSegment: String { get }
}

extension String: PathSegmentConvertible {
    /// The text itself.
    public var pathSegment: String { self }
}

extension Substring: PathSegmentConvertible {
    /// The text itself.
    public var pathSegment: String { String(self) }
}

extension UUID: PathSegmentConvertible {
    /// The UUID in upper case with hyphens, as Foundation writes it.
    public var pathSegment: String { uuidString }
}

extension PathSegmentConvertible where Self: BinaryInteger {
    /// The number in decimal digits.
    public var pathSegment: String { String(self) }
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
    /// The segment of the raw value.
    public var pathSegment: String { rawValue.pathSegment }
}
