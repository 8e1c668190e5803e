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
public protocol Indexable: Sendable {
    /// Returns the value that the index has.
    static func indexValue(of value: Self) -> IndexValue
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

extension Int: Indexable {}
extension Int8: Indexable {}
extension Int16: Indexable {}
extension Int32: Indexable {}
extension Int64: Indexable {}
extension UInt8: Indexable {}
extension UInt16: Indexable {}
extension UInt32: Indexable {}

extension Bool: Indexable {
    /// Returns 0 or 1.
    public static func indexValue(of value: Bool) -> IndexValue { .integer(value ? 1 : 0) }
}

extension Double: Indexable {
    /// Returns the number.
    public static func indexValue(of value: Double) -> IndexValue { .real(value) }
}

extension Decimal: Indexable {
    /// Returns the nearest `Double`: two numbers that differ after their 15th digit may be equal in the index.
    public static func indexValue(of value: Decimal) -> IndexValue { .real(Double(value.description) ?? .nan) }
}

extension String: Indexable {
    /// Returns the text.
    public static func indexValue(of value: String) -> IndexValue { .text(value) }
}

extension Date: Indexable {
    /// Returns the seconds since 1970.
    public static func indexValue(of value: Date) -> IndexValue { .real(value.timeIntervalSince1970) }
}

extension UUID: Indexable {
    /// Returns the text in lower case.
    public static func indexValue(of value: UUID) -> IndexValue { .text(UUID.pathSegment(of: value)) }
}

extension Optional: Indexable where Wrapped: Indexable {
    /// Returns the value, or ``IndexValue/null``.
    public static func indexValue(of value: Wrapped?) -> IndexValue {
        value.map { Wrapped.indexValue(of: $0) } ?? .null
    }
}
