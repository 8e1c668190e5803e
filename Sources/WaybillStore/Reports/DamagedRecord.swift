extension SynchronizationReport {
    /// An item, a write or a request that was damaged in the file, and that the store has set aside.
    ///
    /// It is neither shown nor sent. It stays in the file until ``Store/discardDamagedRecord(_:)``.
    public struct DamagedRecord: Sendable, Hashable, Identifiable {
        /// The kind of a record.
        public enum Kind: String, Sendable, Hashable {
            /// An item; the next synchronization fetches it again.
            case item
            /// A write that its server does not have.
            case write
            /// A request that may have reached its server. The entries of its writes have the state
            /// ``OutboxEntry/State/unknown``: ``Outbox/confirm(_:as:)`` or ``Outbox/retry(_:)`` decides.
            case request
        }

        /// The number of the record.
        public let id: Int64

        /// The kind.
        public let kind: Kind

        /// The path of the collection as it was declared, each value replaced by `{}`; nil if it cannot be told.
        public let template: String?

        /// The id of the item, as a segment of a path, which may be damaged itself; nil if it cannot be told.
        public let itemID: String?

        /// The columns of the row, as SQL writes their values; one of them is not what was written.
        public let content: String
    }
}
