import WaybillSystem

/// Any JSON value (RFC 8259), for parts of a document without a dedicated type.
///
/// ```swift
/// let value: JSONValue = ["name": "Lamp", "price": 29.9, "tags": ["new", nil]]
/// value["tags"]?[0]?.stringValue       // "new"
/// value["price"]?.decimalValue         // 29.9, exactly
/// ```
///
/// Two values are equal if they denote the same JSON. Numbers compare by value (`1`, `1.0` and `1e0` are equal,
/// whichever case holds them), strings by Swift's equality, and objects regardless of key order.
///
/// Comparing, hashing, printing and encoding are recursive. Decoding rejects values nested more than 256 levels deep,
/// so no document can exhaust the stack.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits into `Int`.
    case integer(Int)
    /// Any other number that `Decimal` represents exactly, with up to 38 significant digits.
    case number(Decimal)
    /// A number too large or too small for `Decimal`, such as `1e300`.
    case double(Double)
    /// A number that no other case represents exactly, such as π with 50 digits, or `1e400`.
    case numeral(Numeral)
    /// A string.
    case string(String)
    /// An array of values.
    case array([JSONValue])
    /// An object: values by key.
    case object([String: JSONValue])

    /// Creates a number: an ``integer(_:)`` if it has no fraction and fits into `Int`, otherwise a ``number(_:)``.
    ///
    /// `Decimal.nan`, which JSON cannot express, is kept: it prints as `null`, and encoding it throws an error.
    ///
    /// - Parameter value: the number; trailing zeros are insignificant, so 1.0 becomes an integer.
    public init(_ value: Decimal) {
        self = JSONNumber(value)?.integer.map(JSONValue.integer) ?? .number(value)
    }

    /// Creates a number from the shortest decimal text that denotes a `Double`, so `0.1` is exactly 0.1.
    ///
    /// The result is an ``integer(_:)`` or a ``number(_:)`` if `Int` or `Decimal` can represent that number, otherwise
    /// a ``double(_:)``. Infinity and NaN, which JSON cannot express, are kept: they print as `null`, and the encoder
    /// decides how to encode them (`JSONEncoder` throws an error).
    ///
    /// - Parameter value: the number.
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
    ///
    /// - Parameters:
    ///   - left: a value.
    ///   - right: the value to compare it with.
    /// - Returns: whether they are equal.
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

    /// Hashes the value; equal values have equal hashes.
    ///
    /// - Parameter hasher: the hasher that receives the parts.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let values): hasher.combine(values)
        case .object(let members): hasher.combine(members)
        case .integer, .number, .double, .numeral: hasher.combine(numericIdentity)
        }
    }

    /// The identity used to compare numbers across cases; nil for other values.
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
        case .numeral(let value):
            guard let number = JSONNumber(text: value.text) else { return .text(value.text) }
            return number.integer.map(NumericIdentity.integer) ?? .other(number)
        case .null, .bool, .string, .array, .object:
            return nil
        }
    }

    private enum NumericIdentity: Hashable {
        case integer(Int)
        case other(JSONNumber)
        /// A number whose exponent does not fit into `Int`.
        case text(String)
        case infinity(isNegative: Bool)
        case notANumber
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    ///
    /// - Parameter nilLiteral: the literal `nil`.
    public init(nilLiteral: ()) { self = .null }

    /// Creates `true` or `false`.
    ///
    /// - Parameter value: the Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates an integer.
    ///
    /// - Parameter value: the integer.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// Creates a number.
    ///
    /// - Parameter value: the literal, which is limited to the precision of `Double`, about 16 significant digits.
    public init(floatLiteral value: Double) { self.init(value) }

    /// Creates a string.
    ///
    /// - Parameter value: the string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array.
    ///
    /// - Parameter elements: the elements.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object.
    ///
    /// - Parameter elements: the keys and their values; if a key is repeated, the last value wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

extension JSONValue {
    /// Returns the value for a key of an object; nil if the key is missing or this is not an object.
    ///
    /// - Parameter key: the key, as spelled in the document.
    /// - Returns: the value, which is `.null` if the member is `null`.
    public subscript(key: String) -> JSONValue? { objectValue?[key] }

    /// Returns an element of an array; nil if the index is out of range or this is not an array.
    ///
    /// A negative index counts from the end: -1 is the last element.
    ///
    /// - Parameter index: the index, starting at 0; negative to count from the end.
    /// - Returns: the element, which is `.null` if the element is `null`.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self else { return nil }
        let (position, overflow) = index < 0 ? elements.count.addingReportingOverflow(index) : (index, false)
        guard !overflow, elements.indices.contains(position) else { return nil }
        return elements[position]
    }

    /// Whether the value is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The string; nil for any other value.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The Boolean value of `true` and `false`; nil for any other value, including numbers.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number as an `Int`; nil if it has a fraction or does not fit, and for any other value.
    public var intValue: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): JSONNumber(value)?.integer
        case .double(let value): JSONNumber(value)?.integer
        case .numeral(let value): JSONNumber(text: value.text)?.integer
        default: nil
        }
    }

    /// The number as the nearest `Double`; nil for a number that is out of range, `Decimal.nan`, and any other value.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): JSONNumber(value)?.double
        case .double(let value): value
        case .numeral(let value): Double(value.text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// The number as a `Decimal`; nil if `Decimal` cannot represent it exactly, and for any other value.
    public var decimalValue: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .number(let value): value.isNaN ? nil : value
        case .double(let value): JSONNumber(value)?.decimal
        case .numeral(let value): JSONNumber(text: value.text)?.decimal
        default: nil
        }
    }

    /// The elements of an array; nil for any other value.
    public var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object; nil for any other value.
    public var objectValue: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSONValue {
    /// Returns the value at the given path; nil if there is no value at the path.
    package func value(at path: some Sequence<EnvelopeKey>) -> JSONValue? {
        path.reduce(self as JSONValue?) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index): value?[index]
            }
        }
    }
}
