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

        /// The number of items without an id, which could not be kept.
        public internal(set) var unreadable = 0
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

    /// The entries that stay in the outbox.
    public internal(set) var waiting: [OutboxEntry] = []

    /// The collections, in the order in which they were fetched.
    public internal(set) var collections: [Progress] = []

    /// The collections that could not be fetched as a whole.
    public internal(set) var failures: [Failure] = []

    /// Whether servers have all writes, and the store has all that was to be fetched.
    public var isComplete: Bool {
        waiting.isEmpty && failures.isEmpty && collections.allSatisfy { $0.unreadable == 0 }
    }
}
