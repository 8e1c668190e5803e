import Waybill
import WaybillSystem

/// The result of a synchronization.
public struct SynchronizationReport: Sendable {
    /// The part of a synchronization that one collection is.
    public struct Progress: Sendable, Hashable {
        /// The path of the collection as it was declared, each value replaced by `{}`.
        public let template: String

        /// The number of pages that have been stored.
        public internal(set) var pages = 0

        /// The number of items that were new or had changed.
        public internal(set) var changed = 0

        /// The number of rows that were removed, because the server does not have them any more.
        public internal(set) var removed = 0

        /// The number of items that could not be read, each reported by ``StoreEvent/unreadable(_:)``.
        ///
        /// The row of such an item stays as it was, if the item's id can be read.
        public internal(set) var unreadable = 0

        /// The number of rows that do not decode as the type of the collection, which queries leave out; see
        /// ``StoredCollection/unreadable()``.
        public internal(set) var undecodable = 0

        /// The reason why rows that the list lacks were kept; nil if the list was whole, or had only changes.
        public internal(set) var incomplete: Incompleteness?
    }

    /// A reason why a list does not prove that the rows it lacks are gone.
    public enum Incompleteness: Sendable, Hashable {
        /// The response has a sign of further items, such as `Link: rel="next"` or `total: 319`: declare `Paginated`.
        case furtherItems(sign: String)
        /// The walk has ended with fewer or more items than the total that the paging declares.
        case otherTotal(String)
        /// The response has no list at the declared place, or null.
        case missingList
        /// A list that had items has none any more: its rows are removed if the next synchronization says the same.
        case becameEmpty
        /// An item without a readable id may be that of any row.
        case unreadableItems
        /// The list has changed each time that it was walked.
        case changing
    }

    /// A collection that could not be fetched as a whole; it goes on from the last page that was stored.
    public struct Failure: Sendable {
        /// The path of the collection as it was declared, each value replaced by `{}`.
        public let template: String

        /// The error.
        public let error: StoreError
    }

    /// The number of writes that the servers have taken.
    public internal(set) var sent = 0

    /// The entries that stay in the outbox, those of other users and undeclared collections included.
    public internal(set) var waiting: [OutboxEntry] = []

    /// The collections, in the order in which they were fetched.
    public internal(set) var collections: [Progress] = []

    /// The collections that could not be fetched as a whole.
    public internal(set) var failures: [Failure] = []

    /// The items, writes and requests that were damaged in the file, until ``Store/discardDamagedRecord(_:)``.
    public internal(set) var damaged: [DamagedRecord] = []

    /// Whether servers have all writes of the store's user, and the store has all that was to be fetched and can read
    /// it.
    public var isComplete: Bool {
        waiting.allSatisfy { $0.state == .waiting(.otherUser) } && failures.isEmpty && damaged.isEmpty
            && collections.allSatisfy { $0.unreadable == 0 && $0.undecodable == 0 && $0.incomplete == nil }
    }
}
