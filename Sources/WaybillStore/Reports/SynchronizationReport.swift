import Waybill
import WaybillSystem

/// The result of a synchronization.
public struct SynchronizationReport: Sendable {
    /// The progress of a synchronization for one collection.
    public struct Progress: Sendable, Hashable {
        /// The path template of the collection, with `{}` for each value.
        public let template: String

        /// The number of pages stored.
        public internal(set) var pages = 0

        /// The number of items that are new or have changed.
        public internal(set) var changed = 0

        /// The number of rows removed because the server no longer has them.
        public internal(set) var removed = 0

        /// The number of items that could not be read, each reported by ``StoreEvent/unreadable(_:)``.
        ///
        /// If the id of such an item can be read, its row is left unchanged.
        public internal(set) var unreadable = 0

        /// The number of rows that do not decode and are omitted from queries; see ``StoredCollection/unreadable()``.
        public internal(set) var undecodable = 0

        /// The reason why rows missing from the list were kept; nil if the list was complete, or contained only
        /// changes.
        public internal(set) var incomplete: Incompleteness?
    }

    /// A reason why a list does not prove that missing rows are gone.
    public enum Incompleteness: Sendable, Hashable {
        /// The response indicates further items, for example by `Link: rel="next"` or `total: 319`. Declare
        /// `Paginated`.
        case furtherItems(sign: String)
        /// The number of items differs from the total that the paging declares.
        case otherTotal(String)
        /// The response has no list, or `null`, where the declaration expects one.
        case missingList
        /// The list became empty. Its rows are removed if the next synchronization confirms it.
        case becameEmpty
        /// The list contains items without a readable id, each of which could belong to any row.
        case unreadableItems
        /// The list changed during every attempt to read it.
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

    /// The number of writes that have left the outbox, usually because servers have applied them.
    public internal(set) var sent = 0

    /// The entries still in the outbox, including those of other users and of undeclared collections.
    public internal(set) var waiting: [OutboxEntry] = []

    /// The progress of each collection, in the order of fetching.
    public internal(set) var collections: [Progress] = []

    /// The collections that could not be fetched completely.
    public internal(set) var failures: [Failure] = []

    /// The damaged items, writes and requests that have not been discarded; see ``Store/discardDamagedRecord(_:)``.
    public internal(set) var damaged: [DamagedRecord] = []

    /// Whether all writes of the store's user have reached their servers, and everything was fetched and can be read.
    public var isComplete: Bool {
        waiting.allSatisfy { $0.state == .waiting(.otherUser) } && failures.isEmpty && damaged.isEmpty
            && collections.allSatisfy { $0.unreadable == 0 && $0.undecodable == 0 && $0.incomplete == nil }
    }
}
