import Waybill
import WaybillSystem

extension Store {
    /// A clause of a collection: an index for finding rows by a property without a scan.
    ///
    /// ```swift
    /// let products = store.collection(shop.products) {
    ///     Store.Index(\.category)
    ///     Store.Index(\.price)
    /// }
    /// let lamps = products.filter(\.category, equals: "lamp").filter { $0.price < 50 }
    /// ```
    ///
    /// The index is built from the existing rows when the collection is first opened with it.
    public struct Index<Element: Sendable>: Sendable {
        let path: any PartialKeyPath<Element> & Sendable
        let name: String
        let value: @Sendable (Element) -> IndexValue

        /// Declares an index.
        ///
        /// - Parameters:
        ///   - path: the property.
        ///   - name: the name of the index in the file; nil to use the key path's description. If the meaning of a
        ///     computed property changes, rename the index to rebuild it.
        public init<Value: Indexable>(_ path: KeyPath<Element, Value> & Sendable, name: String? = nil) {
            self.path = path
            self.name = name ?? "\(path)"
            value = { Value.indexValue(of: $0[keyPath: path]) }
        }
    }
}

/// A type whose values can be indexed.
///
/// Signed integers, unsigned ones of up to 32 bits, `Double`, `Decimal`, strings, dates, UUIDs, Booleans and optionals
/// of these conform. A type with such a raw value only needs to declare the conformance; any other type returns an
/// index value. If the index orders the values as `<` does, declare this in the type:
///
/// ```swift
/// struct Priority: RawRepresentable, Codable, Hashable, Comparable, Indexable {
///     let rawValue: Int
///     static let indexOrder = IndexValue.Order.exact
///     static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
/// }
/// ```
public protocol Indexable: Sendable {
    /// Returns the value to store in the index.
    ///
    /// - Parameter value: the value of the property.
    /// - Returns: the index value, which must be equal for equal values.
    static func indexValue(of value: Self) -> IndexValue

    /// The relation between the order of the values and their order in the index; `unknown` by default.
    static var indexOrder: IndexValue.Order { get }
}

extension Indexable {
    /// The default: the order in the index is unknown.
    public static var indexOrder: IndexValue.Order { .unknown }
}

/// A value in an index.
public struct IndexValue: Sendable, Hashable {
    let stored: DatabaseValue

    /// The absence of a value, ordered before all others.
    public static let null = IndexValue(stored: .null)

    /// Returns an index value for an integer, ordered before all strings.
    ///
    /// - Parameter value: the integer.
    /// - Returns: the index value.
    public static func integer(_ value: Int64) -> IndexValue { IndexValue(stored: .integer(value)) }

    /// Returns an index value for a floating-point number, ordered numerically among the integers.
    ///
    /// - Parameter value: the number.
    /// - Returns: the index value.
    public static func real(_ value: Double) -> IndexValue { IndexValue(stored: .real(value)) }

    /// Returns an index value for a string, ordered by its UTF-8 bytes.
    ///
    /// - Parameter value: the string.
    /// - Returns: the index value.
    public static func text(_ value: String) -> IndexValue { IndexValue(stored: .text(value)) }
}

extension Indexable where Self: BinaryInteger {
    /// Returns the integer, or the nearest `Double` if it does not fit in an `Int64`.
    ///
    /// - Parameter value: the integer.
    /// - Returns: the index value.
    public static func indexValue(of value: Self) -> IndexValue {
        Int64(exactly: value).map { .integer($0) } ?? .real(Double(value))
    }
}

extension Indexable where Self: RawRepresentable, RawValue: Indexable {
    /// Returns the index value of the raw value.
    ///
    /// - Parameter value: the value.
    /// - Returns: the index value.
    public static func indexValue(of value: Self) -> IndexValue { RawValue.indexValue(of: value.rawValue) }
}

extension Int: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension Int8: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension Int16: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension Int32: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension Int64: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension UInt8: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension UInt16: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension UInt32: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension Bool: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }

    /// Returns 0 or 1.
    ///
    /// - Parameter value: the Boolean.
    /// - Returns: the index value.
    public static func indexValue(of value: Bool) -> IndexValue { .integer(value ? 1 : 0) }
}

extension Double: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }

    /// Returns the number.
    ///
    /// - Parameter value: the number.
    /// - Returns: the index value.
    public static func indexValue(of value: Double) -> IndexValue { .real(value) }
}

extension Decimal: Indexable {
    /// The order of the nearest `Double`.
    public static var indexOrder: IndexValue.Order { .rounded }

    /// Returns the nearest `Double`.
    ///
    /// Numbers that differ only after the 15th digit can be equal in the index.
    ///
    /// - Parameter value: the number.
    /// - Returns: the index value.
    public static func indexValue(of value: Decimal) -> IndexValue { .real(Double(value.description) ?? .nan) }
}

extension String: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }

    /// Returns the string.
    ///
    /// - Parameter value: the string.
    /// - Returns: the index value.
    public static func indexValue(of value: String) -> IndexValue { .text(value) }
}

extension Date: Indexable {
    /// The order of the seconds since 1970, rounded to about 0.2 µs.
    public static var indexOrder: IndexValue.Order { .rounded }

    /// Returns the seconds since 1970.
    ///
    /// - Parameter value: the date.
    /// - Returns: the index value.
    public static func indexValue(of value: Date) -> IndexValue { .real(value.timeIntervalSince1970) }
}

extension UUID: Indexable {
    /// The index orders these values exactly.
    public static var indexOrder: IndexValue.Order { .exact }

    /// Returns the UUID as a lowercase string.
    ///
    /// - Parameter value: the UUID.
    /// - Returns: the index value.
    public static func indexValue(of value: UUID) -> IndexValue { .text(UUID.pathSegment(of: value)) }
}

extension Optional: Indexable where Wrapped: Indexable {
    /// The order of the wrapped values; unknown if they are themselves optional.
    public static var indexOrder: IndexValue.Order {
        Wrapped.self is any ExpressibleByNilLiteral.Type ? .unknown : Wrapped.indexOrder
    }

    /// Returns the index value of the wrapped value, or ``IndexValue/null``.
    ///
    /// - Parameter value: the optional value.
    /// - Returns: the index value.
    public static func indexValue(of value: Wrapped?) -> IndexValue {
        value.map { Wrapped.indexValue(of: $0) } ?? .null
    }
}
