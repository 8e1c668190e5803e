import Waybill
import WaybillSystem

/// A clause of a collection: a property by which its rows are found without a scan.
///
/// ```swift
/// let products = store.collection(shop.products) {
///     Index(\.category)
///     Index(\.price)
/// }
/// let lamps = products.filter(\.category, equals: "lamp").filter { $0.price < 50 }
/// ```
///
/// An index is made when the collection is opened with it for the first time, from the rows that are there.
public struct Index<Element: Sendable>: Sendable {
    let path: any PartialKeyPath<Element> & Sendable
    let name: String
    let value: @Sendable (Element) -> IndexValue

    /// Declares an index.
    ///
    /// - Parameters:
    ///   - path: the property.
    ///   - name: the index's name in the file; the property's, unless given. A computed property whose meaning changes
    ///     gets a new name, so that its index is made anew.
    public init<Value: Indexable>(_ path: KeyPath<Element, Value> & Sendable, name: String? = nil) {
        self.path = path
        self.name = name ?? "\(path)"
        value = { Value.indexValue(of: $0[keyPath: path]) }
    }
}

/// A value by which rows are found: numbers, texts, dates, UUIDs, Booleans, optionals of them, and raw values.
///
/// A type of yours returns the value of one of these. If that has the order of the type, it says so:
///
/// ```swift
/// struct Priority: RawRepresentable, Codable, Hashable, Comparable, Indexable {
///     let rawValue: Int
///     static let indexOrder = IndexValue.Order.exact
///     static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
/// }
/// ```
public protocol Indexable: Sendable {
    /// Returns the value that the index has: equal values have the same.
    static func indexValue(of value: Self) -> IndexValue

    /// The order of the values in the index; unknown, unless the type says otherwise.
    static var indexOrder: IndexValue.Order { get }
}

extension Indexable {
    /// The unknown order.
    public static var indexOrder: IndexValue.Order { .unknown }
}

/// A value in an index.
public struct IndexValue: Sendable, Hashable {
    let stored: DatabaseValue

    /// No value, before all others.
    public static let null = IndexValue(stored: .null)

    /// Returns an integer, before all texts.
    public static func integer(_ value: Int64) -> IndexValue { IndexValue(stored: .integer(value)) }

    /// Returns a number, among the integers.
    public static func real(_ value: Double) -> IndexValue { IndexValue(stored: .real(value)) }

    /// Returns a text, ordered by its bytes in UTF-8.
    public static func text(_ value: String) -> IndexValue { IndexValue(stored: .text(value)) }
}

extension Indexable where Self: BinaryInteger {
    /// Returns the integer; one that 64 bits do not hold as a `Double`.
    public static func indexValue(of value: Self) -> IndexValue {
        Int64(exactly: value).map { .integer($0) } ?? .real(Double(value))
    }
}

extension Indexable where Self: RawRepresentable, RawValue: Indexable {
    /// Returns the raw value's.
    public static func indexValue(of value: Self) -> IndexValue { RawValue.indexValue(of: value.rawValue) }
}

extension Int: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension Int8: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension Int16: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension Int32: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension Int64: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension UInt8: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension UInt16: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension UInt32: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }
}

extension Bool: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }

    /// Returns 0 or 1.
    public static func indexValue(of value: Bool) -> IndexValue { .integer(value ? 1 : 0) }
}

extension Double: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }

    /// Returns the number.
    public static func indexValue(of value: Double) -> IndexValue { .real(value) }
}

extension Decimal: Indexable {
    /// The order of the nearest `Double`.
    public static var indexOrder: IndexValue.Order { .rounded }

    /// Returns the nearest `Double`: two numbers that differ after their 15th digit may be equal in the index.
    public static func indexValue(of value: Decimal) -> IndexValue { .real(Double(value.description) ?? .nan) }
}

extension String: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }

    /// Returns the text.
    public static func indexValue(of value: String) -> IndexValue { .text(value) }
}

extension Date: Indexable {
    /// The order of seconds since 1970, which are rounded to some 0.2 µs.
    public static var indexOrder: IndexValue.Order { .rounded }

    /// Returns the seconds since 1970.
    public static func indexValue(of value: Date) -> IndexValue { .real(value.timeIntervalSince1970) }
}

extension UUID: Indexable {
    /// The exact order.
    public static var indexOrder: IndexValue.Order { .exact }

    /// Returns the text in lower case.
    public static func indexValue(of value: UUID) -> IndexValue { .text(UUID.pathSegment(of: value)) }
}

extension Optional: Indexable where Wrapped: Indexable {
    /// The order of the wrapped values.
    public static var indexOrder: IndexValue.Order {
        Wrapped.self is any ExpressibleByNilLiteral.Type ? .unknown : Wrapped.indexOrder
    }

    /// Returns the value, or ``IndexValue/null``.
    public static func indexValue(of value: Wrapped?) -> IndexValue {
        value.map { Wrapped.indexValue(of: $0) } ?? .null
    }
}
