import WaybillSystem

extension JSONValue {
    /// Returns the value of a key of an object; nil if there is no such key, or if this is not an object.
    public subscript(key: String) -> JSONValue? { objectValue?[key] }

    /// Returns the element of an array; nil if the index is out of range, or if this is not an array.
    ///
    /// A negative index counts from the end: -1 is the last element.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self else { return nil }
        let (position, overflow) = index < 0 ? elements.count.addingReportingOverflow(index) : (index, false)
        guard !overflow, elements.indices.contains(position) else { return nil }
        return elements[position]
    }

    /// Whether it is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The text of a string; nil for any other value.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The truth value of `true` and `false`; nil for any other value, numbers included.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number as an `Int`; nil if it has a fraction or `Int` cannot hold it, and for any other value.
    public var intValue: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): JSONNumber(value)?.integer
        case .double(let value): JSONNumber(value)?.integer
        default: nil
        }
    }

    /// The number as the nearest `Double`; nil for any other value, `Decimal.nan` included.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): JSONNumber(value)?.double
        case .double(let value): value
        default: nil
        }
    }

    /// The number as a `Decimal`; nil if `Decimal` cannot hold it, and for any other value.
    public var decimalValue: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .number(let value): value.isNaN ? nil : value
        case .double(let value): JSONNumber(value)?.decimal
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
