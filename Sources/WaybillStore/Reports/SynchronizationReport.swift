import Waybill
import WaybillSystem

/// The result of a synchronization.
public struct SynchronizationReport: Sendable {
    /// The progress of synchronizing one collection.
    public struct Progress: Sendable, Hashable {
        /// The path template of the collection, with `{}` for each value.
        public let template: String

        /// The number of pages stored.
        public internal(set) var pages = 0

        /// The number of new and changed items.
        public internal(set) var changed = 0

        /// The number of rows removed because the server no longer has them.
        public internal(set) var removed = 0

        /// The number of unreadable items, each reported by ``StoreEvent/unreadable(_:)``.
        ///
        /// If the id of such an item is readable, its row is left unchanged.
        public internal(set) var unreadable = 0

        /// The number of rows that do not decode and are omitted from queries; see ``StoredCollection/unreadable()``.
        public internal(set) var undecodable = 0

        /// The reason why rows missing from the list were kept; nil if the list was complete or contained only changes.
        public internal(set) var incomplete: Incompleteness?
    }

    /// The reason why rows missing from a list are not removed.
    public enum Incompleteness: Sendable, Hashable {
        /// The response indicates further items, for example with `Link: rel="next"` or `total: 319`. Declare
        /// `Paginated`.
        case furtherItems(sign: String)
        /// The number of items differs from the total indicated by the server.
        case otherTotal(String)
        /// The response has no list, or `null`, where the declaration expects one.
        case missingList
        /// The list is empty, but there are stored rows. They are removed if the next synchronization confirms this.
        case becameEmpty
        /// The list contains items without a readable id, which could belong to any row.
        case unreadableItems
        /// The list changed during each attempt to read it.
        case changing
    }

    /// A collection that could not be fetched completely.
    ///
    /// The next synchronization continues after the last stored page.
    public struct Failure: Sendable {
        /// The path template of the collection, with `{}` for each value.
        public let template: String

        /// The cause of the failure.
        public let error: StoreError
    }

    /// The number of writes that left the outbox, usually because servers applied them.
    public internal(set) var sent = 0

    /// The remaining outbox entries, including those of other users and of undeclared collections.
    public internal(set) var waiting: [OutboxEntry] = []

    /// The progress of each collection, in the order of fetching.
    public internal(set) var collections: [Progress] = []

    /// The collections that could not be fetched completely.
    public internal(set) var failures: [Failure] = []

    /// The damaged items, writes and requests, unless discarded; see ``Store/discardDamagedRecord(_:)``.
    public internal(set) var damaged: [DamagedRecord] = []

    /// Whether the current user has no pending writes, and everything was fetched completely and is readable.
    public var isComplete: Bool {
        waiting.allSatisfy { $0.state == .waiting(.otherUser) } && failures.isEmpty && damaged.isEmpty
            && collections.allSatisfy { $0.unreadable == 0 && $0.undecodable == 0 && $0.incomplete == nil }
    }
}
