import Waybill

/// A conflict and its end, as it is reported once.
public struct StoreConflict: Sendable {
    /// The end of a conflict.
    public enum Outcome: Sendable, Hashable {
        /// The version here is sent again, over the server's.
        case mine
        /// The version here was dropped.
        case theirs
        /// Both were merged.
        case merged
        /// It waits for a decision; see ``Outbox/resolve(_:with:)``.
        case waiting
    }

    /// The path of the collection as it was declared, each value replaced by `{}`.
    public let template: String

    /// The id of the item, as a segment of a path.
    public let itemID: String

    /// The version that was edited.
    public let base: JSONValue

    /// The item as it was seen here; nil if it was deleted here.
    public let mine: JSONValue?

    /// The server's version; nil if the server has deleted it.
    public let theirs: JSONValue?

    /// The end.
    public let outcome: Outcome

    /// The number of the collection.
    let collection: Int64
}

extension StoreConflict {
    /// The versions of a conflict as items; see ``StoredCollection/versions(of:)``.
    public struct Versions<Item: Sendable>: Sendable {
        /// The version that was edited.
        public let base: Item

        /// The item as it was seen here; nil if it was deleted here.
        public let mine: Item?

        /// The server's version; nil if the server has deleted it.
        public let theirs: Item?
    }
}

extension StoreConflict.Versions: Equatable where Item: Equatable {}
