import Waybill
import WaybillSystem

extension Store {
    /// A clause of a collection: a limit on the rows kept on the device.
    ///
    /// ```swift
    /// Store.Keep(newest: 500, by: \.createdAt)                        // the rows with the 500 greatest values
    /// Store.Keep(maximumAge: .seconds(30 * 86_400), by: \.createdAt)  // the rows of the last 30 days
    /// ```
    ///
    /// Excess rows are removed from the device in the transaction that exceeds the limit, and rows that have become too
    /// old with the next write or synchronization. Nothing is deleted on the server. Rows with pending writes, and rows
    /// that do not decode, are never removed.
    public struct Keep<Element: Sendable>: Sendable {
        enum Bound: Sendable {
            case count(Int)
            case age(TimeInterval)
        }

        let bound: Bound

        /// The index on the property by which rows are kept.
        let index: Store.Index<Element>

        /// Keeps the rows with the greatest values of a property, and indexes the property.
        ///
        /// Rows without a value for the property are removed first.
        ///
        /// - Parameters:
        ///   - count: the maximum number of rows; negative values count as 0.
        ///   - path: the property.
        public init<Value: Indexable>(newest count: Int, by path: KeyPath<Element, Value> & Sendable) {
            (bound, index) = (.count(max(0, count)), Store.Index(path))
        }

        /// Keeps the rows up to a maximum age, and indexes the property with their date.
        ///
        /// - Parameters:
        ///   - maximumAge: the maximum age of a row, according to the store's date provider.
        ///   - path: the property with the date of an item.
        public init(maximumAge: Duration, by path: KeyPath<Element, Date> & Sendable) {
            (bound, index) = (.age(maximumAge.timeInterval), Store.Index(path))
        }
    }
}

/// A limit on a collection's rows, in terms of index entries.
enum RowBound: Sendable, Equatable {
    /// The maximum number of rows, in the order of an index.
    case count(Int, index: Int64)
    /// The minimum value in an index.
    case value(TimeInterval, index: Int64)
}
