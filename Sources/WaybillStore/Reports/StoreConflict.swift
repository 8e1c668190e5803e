import Waybill

/// A conflict between a local version and the server's version, with its outcome.
public struct StoreConflict: Sendable {
    /// The outcome of a conflict.
    public enum Outcome: Sendable, Hashable {
        /// The local version is sent, and overwrites the server's.
        case mine
        /// The local version was dropped.
        case theirs
        /// The two versions were merged.
        case merged
        /// A decision is needed; see ``Store/Outbox/resolve(_:with:)``.
        case waiting
    }

    /// The path template of the collection, with `{}` for each value.
    public let template: String

    /// The id of the item as a path segment.
    public let itemID: String

    /// The server's version on which the local changes are based.
    public let base: JSONValue

    /// The local version; nil if the item was deleted locally.
    public let mine: JSONValue?

    /// The server's version; nil if the server has deleted the item.
    public let theirs: JSONValue?

    /// The outcome of the conflict.
    public let outcome: Outcome

    /// The number of the collection.
    let collection: Int64
}

extension StoreConflict {
    /// The versions of a conflict, decoded as items; see ``StoredCollection/versions(of:)``.
    public struct Versions<Item: Sendable>: Sendable {
        /// The server's version on which the local changes are based.
        public let base: Item

        /// The local version; nil if the item was deleted locally.
        public let mine: Item?

        /// The server's version; nil if the server has deleted the item.
        public let theirs: Item?
    }
}

extension StoreConflict.Versions: Equatable where Item: Equatable {}
