import WaybillSystem

/// A format that converts the leaves of an ``EncodedValue`` to text.
package struct LeafFormat: Sendable {
    /// The error for a value that the format cannot represent.
    ///
    /// The caller adds the coding path.
    package struct Unsupported: Error, CustomStringConvertible {
        /// The reason, such as `NaN is not a number that can be written`.
        package let description: String

        /// Creates the error.
        package init(_ description: String) { self.description = description }
    }

    private let format: @Sendable (any Encodable & Sendable) throws -> String

    /// Creates a format from a function that throws ``Unsupported`` for values it cannot represent.
    package init(_ format: @escaping @Sendable (any Encodable & Sendable) throws -> String) { self.format = format }

    /// Returns the text of a leaf.
    package func text(of leaf: any Encodable & Sendable) throws -> String { try format(leaf) }

    /// The default format: `true` and `false`, numbers in their shortest form, RFC 3339 dates, Base64 data and
    /// lowercase UUIDs.
    ///
    /// ```text
    /// 30.0        → 30
    /// 0.1         → 0.1
    /// 1e21        → 1e21
    /// Date        → 2024-12-31T23:59:59Z, with milliseconds if it has any: 2024-12-31T23:59:59.250Z
    /// Data        → SGVsbG8=
    /// ```
    ///
    /// Infinity, NaN, dates outside the years 0 to 9999 in every time zone, and leaves of other types are unsupported.
    package static let standard = LeafFormat { leaf in
        switch leaf {
        case let value as String: return value
        case let value as Bool: return value ? "true" : "false"
        case let value as Double: return try text(of: value)
        case let value as Float: return try text(of: value)
        case let value as Decimal:
            guard !value.isNaN else { throw Unsupported("NaN is not a number that can be written") }
            return value.description
        case let value as Date: return try text(of: value)
        case let value as Data: return value.base64EncodedString()
        case let value as URL: return value.absoluteString
        case let value as UUID: return value.lowercaseText
        case let value as any FixedWidthInteger: return "\(value)"
        default: throw Unsupported("a value of type \(type(of: leaf)) has no text")
        }
    }

    package static func text(of value: some BinaryFloatingPoint & LosslessStringConvertible) throws -> String {
        guard value.isFinite else { throw Unsupported("\(value) is not a number that can be written") }
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text.replacing("e+", with: "e")
    }

    private static func text(of date: Date) throws -> String {
        guard let text = ISO8601.zonedText(from: date) else {
            throw Unsupported(ISO8601.reason(against: date))
        }
        return text
    }
}
