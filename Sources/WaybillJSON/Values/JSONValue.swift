import WaybillSystem

/// Any JSON value (RFC 8259): for the parts of a document that have no type of their own.
///
/// ```swift
/// let value: JSONValue = ["name": "Lamp", "price": 29.9, "tags": ["new", nil]]
/// value["tags"]?[0]?.stringValue       // "new"
/// value["price"]?.decimalValue         // 29.9, exactly
/// ```
///
/// Two values are equal when they denote the same JSON: numbers by their value (`1`, `1.0` and `1e0` are equal,
/// whichever case holds them), strings by Swift's equality, objects whatever the order of their keys.
///
/// Comparing, hashing, printing and encoding walk the value recursively; decoding rejects what is nested more than
/// 256 levels deep, so that no document can exhaust the stack.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that `Int` can hold.
    case integer(Int)
    /// Any other number that `Decimal` can hold: exact up to 38 significant digits, further ones are rounded off.
    case number(Decimal)
    /// A number too large or too small for `Decimal`, such as `1e300`.
    case double(Double)
    /// Text.
    case string(String)
    /// Values in their order.
    case array([JSONValue])
    /// Values by key.
    case object([String: JSONValue])

    /// Creates a number: an ``integer(_:)`` if it has no fraction and `Int` can hold it, else a ``number(_:)``.
    ///
    /// `Decimal.nan`, which JSON cannot express, is kept as it is: it prints as `null` and encoding it throws.
    public init(_ value: Decimal) {
        self = JSONNumber(value)?.integer.map(JSONValue.integer) ?? .number(value)
    }

    /// Creates a number of the shortest decimal text that denotes this `Double`, so that `0.1` is exactly 0.1.
    ///
    /// It is an ``integer(_:)`` or a ``number(_:)`` if `Int` or `Decimal` can hold that number, else a ``double(_:)``.
    /// Infinity and NaN, which JSON cannot express, are kept as they are: they print as `null`, and encoding them is up
    /// to the encoder (`JSONEncoder` throws).
    public init(_ value: Double) {
        if let decimal = JSONNumber(value)?.decimal {
            self.init(decimal)
        } else {
            self = .double(value)
        }
    }
}

extension JSONValue: Hashable {
    /// Whether two values denote the same JSON.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        default: left.numericIdentity.map { $0 == right.numericIdentity } ?? false
        }
    }

    /// Hashes equal values equally.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let values): hasher.combine(values)
        case .object(let members): hasher.combine(members)
        case .integer, .number, .double: hasher.combine(numericIdentity)
        }
    }

    /// The identity by which numbers are compared, in any case of this type; nil for a value that is not a number.
    private var numericIdentity: NumericIdentity? {
        switch self {
        case .integer(let value):
            return .integer(value)
        case .number(let value):
            guard let number = JSONNumber(value) else { return .notANumber }
            return number.integer.map(NumericIdentity.integer) ?? .other(number)
        case .double(let value):
            guard let number = JSONNumber(value) else {
                return value.isNaN ? .notANumber : .infinity(isNegative: value < 0)
            }
            return number.integer.map(NumericIdentity.integer) ?? .other(number)
        case .null, .bool, .string, .array, .object:
            return nil
        }
    }

    private enum NumericIdentity: Hashable {
        case integer(Int)
        case other(JSONNumber)
        case infinity(isNegative: Bool)
        case notANumber
    }
}
