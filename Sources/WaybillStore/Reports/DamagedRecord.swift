extension SynchronizationReport {
    /// An item, write or request that was found damaged in the file, and set aside.
    ///
    /// It is neither returned nor sent, and stays in the file until ``Store/discardDamagedRecord(_:)`` removes it.
    public struct DamagedRecord: Sendable, Hashable, Identifiable {
        /// The kind of a damaged record.
        public enum Kind: String, Sendable, Hashable {
            /// An item; the next synchronization fetches it again.
            case item
            /// A pending write.
            case write
            /// A request that may have reached its server. Its outbox entries have the state
            /// ``OutboxEntry/State/unknown``; call ``Store/Outbox/confirm(_:as:)`` or ``Store/Outbox/retry(_:)`` for
            /// each.
            case request
        }

        /// The number of the record.
        public let id: Int64

        /// The kind of the record.
        public let kind: Kind

        /// The path template of the collection, with `{}` for each value; nil if unknown.
        public let template: String?

        /// The id of the item as a path segment, which may itself be damaged; nil if unknown.
        public let itemID: String?

        /// The columns of the damaged row, as SQL literals.
        public let content: String
    }
}
