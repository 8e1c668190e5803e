import Waybill
import WaybillSystem

/// A clause of a collection: the most rows that it keeps on the device.
///
/// ```swift
/// Keep(newest: 500, by: \.createdAt)                      // those with the greatest values of a property
/// Keep(within: .seconds(30 * 86_400), by: \.createdAt)    // those of the last 30 days
/// ```
///
/// The others are removed from the device with the write that makes them too many, and with the next synchronization
/// if they have become too old. The server keeps them. Rows with pending writes, and rows that do not decode, are never
/// removed.
public struct Keep<Element: Sendable>: Sendable {
    enum Bound: Sendable {
        case count(Int)
        case age(TimeInterval)
    }

    let bound: Bound

    /// The property that tells which rows are newer.
    let index: Index<Element>

    /// Keeps the rows with the greatest values of a property, for which there is an index then.
    ///
    /// Rows without a value of the property go first.
    ///
    /// - Parameters:
    ///   - count: the number of rows; at least 0.
    ///   - path: the property.
    public init<Value: Indexable>(newest count: Int, by path: KeyPath<Element, Value> & Sendable) {
        (bound, index) = (.count(max(0, count)), Index(path))
    }

    /// Keeps the rows whose date is not further back than a time, for which there is an index then.
    ///
    /// - Parameters:
    ///   - age: the time, compared by the store's dates.
    ///   - path: the date of an item.
    public init(within age: Duration, by path: KeyPath<Element, Date> & Sendable) {
        (bound, index) = (.age(age.timeInterval), Index(path))
    }
}

/// A bound of a collection, as the tables see it.
enum RowBound: Sendable, Equatable {
    /// The most rows, in the order of an index.
    case count(Int, index: Int64)
    /// The least value of an index.
    case value(TimeInterval, index: Int64)
}
