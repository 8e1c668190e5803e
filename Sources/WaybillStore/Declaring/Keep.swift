import Waybill
import WaybillSystem

/// A clause of a collection: a limit on the rows kept on the device.
///
/// ```swift
/// Keep(newest: 500, by: \.createdAt)                      // the rows with the 500 greatest values of a property
/// Keep(within: .seconds(30 * 86_400), by: \.createdAt)    // the rows of the last 30 days
/// ```
///
/// Excess rows are removed from the device in the transaction that exceeds the limit, and rows that have become too old
/// with the next write or synchronization. Nothing is deleted on the server. Rows with pending writes, and rows that do
/// not decode, are never removed.
public struct Keep<Element: Sendable>: Sendable {
    enum Bound: Sendable {
        case count(Int)
        case age(TimeInterval)
    }

    let bound: Bound

    /// The index on the property by which rows are kept.
    let index: Index<Element>

    /// Keeps the rows with the greatest values of a property, and indexes the property.
    ///
    /// Rows without a value for the property are removed first.
    ///
    /// - Parameters:
    ///   - count: the maximum number of rows; negative values count as 0.
    ///   - path: the property.
    public init<Value: Indexable>(newest count: Int, by path: KeyPath<Element, Value> & Sendable) {
        (bound, index) = (.count(max(0, count)), Index(path))
    }

    /// Keeps the rows up to a maximum age, and indexes the property with their date.
    ///
    /// - Parameters:
    ///   - age: the maximum age, according to the store's date provider.
    ///   - path: the property that contains an item's date.
    public init(within age: Duration, by path: KeyPath<Element, Date> & Sendable) {
        (bound, index) = (.age(age.timeInterval), Index(path))
    }
}

/// A limit on a collection's rows, in terms of index entries.
enum RowBound: Sendable, Equatable {
    /// The maximum number of rows, in the order of an index.
    case count(Int, index: Int64)
    /// The minimum value in an index.
    case value(TimeInterval, index: Int64)
}
