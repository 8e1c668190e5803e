import Waybill
import WaybillSystem

extension Store {
    /// A clause of a collection: a strategy for fetching only what has changed since the last synchronization.
    ///
    /// ```swift
    /// Store.Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted_at")
    /// Store.Delta(.updatedSince("last_modified", as: "_since"), deleted: "deleted")  // Kinto
    /// Store.Delta(.cursor)                                      // continues after the last page
    /// Store.Delta(.entityTag)                                   // the whole list, unless unchanged
    /// Store.Delta(.cursor, wholeEvery: .seconds(7 * 86_400))    // and the whole list once a week
    /// ```
    ///
    /// Without the clause, the whole list is fetched each time, and rows that it does not contain are removed unless
    /// they have pending writes. With `.updatedSince` and `.cursor`, a row is removed only if the list marks its item
    /// as deleted, or when the whole list is fetched. Declare `deleted`; if the server does not mark deleted items,
    /// omit the clause or pass `wholeEvery`.
    public struct Delta: Sendable {
        /// A method for fetching the changes to a list.
        public struct Strategy: Sendable {
            enum Form: Sendable {
                case updatedSince(path: [String], query: String, overlap: Duration)
                case cursor
                case entityTag
            }

            let form: Form

            /// Returns a strategy that requests the items changed since the latest time in the items received so far.
            ///
            /// Only the server's times are used, and they are sent back in the same format: the same digits, separators
            /// and zone. A time can be an ISO 8601 date with or without a time of day, a fraction and a zone; an HTTP
            /// date; or a number of seconds, milliseconds, microseconds or nanoseconds since 1970, also as a string. A
            /// revision number of up to 11 digits is treated as a number of seconds, so an overlap of one second
            /// subtracts 1. Any other string is sent unchanged and without an overlap, so the server must also return
            /// the items with exactly that value.
            ///
            /// - Parameters:
            ///   - member: the member that contains the time of an item's last change; several names form a path.
            ///   - query: the name of the query item for the time.
            ///   - overlap: the duration to subtract from the time. One second covers items that change in the same
            ///     second as the last one received, even if the server returns only later ones. Increase it if items
            ///     appear late, for example after long transactions, or if times come from several machines. With zero,
            ///     the server must also return items with exactly that time. Negative values count as zero.
            /// - Returns: the strategy.
            public static func updatedSince(
                _ member: String...,
                as query: String,
                overlap: Duration = .seconds(1)
            ) -> Strategy {
                Strategy(form: .updatedSince(path: member, query: query, overlap: max(.zero, overlap)))
            }

            /// A strategy that continues after the cursor of the last page, for a server with a change feed.
            ///
            /// The feed ends at an empty page or at a page whose next cursor equals its own. If the server rejects the
            /// cursor, the feed is read from its start, and rows that it does not contain are removed, as after
            /// fetching the whole list.
            public static let cursor = Strategy(form: .cursor)

            /// A strategy that sends `If-None-Match` or `If-Modified-Since`, and fetches the whole list if it has
            /// changed.
            ///
            /// Declaring it for a paginated list is an error.
            public static let entityTag = Strategy(form: .entityTag)
        }

        let form: Strategy.Form
        let deleted: String?
        let wholeEvery: Duration?

        /// Declares a strategy.
        ///
        /// - Parameters:
        ///   - strategy: the method for fetching the changes to the list.
        ///   - deleted: the member that marks an item as deleted. An item is removed if the member is present and
        ///     neither `null` nor `false`.
        ///   - wholeEvery: the interval after which the whole list is fetched again, according to the store's date
        ///     provider. This covers changes that a list of changes does not report, such as items to which the user
        ///     has gained or lost access. If nil, only `synchronize(whole: true)` fetches the whole list.
        public init(_ strategy: Strategy, deleted: String? = nil, wholeEvery: Duration? = nil) {
            form = strategy.form
            self.deleted = deleted
            self.wholeEvery = wholeEvery
        }

        /// Whether the strategy is `entityTag`.
        var usesEntityTag: Bool { if case .entityTag = form { true } else { false } }

        /// Whether one version of an item is later than another; nil if either has no time, or for another strategy.
        func isLater(_ version: JSONValue, than other: JSONValue) -> Bool? {
            guard case .updatedSince(let path, _, _) = form,
                let time = ServerTime(path.reduce(Optional(version)) { $0?[$1] }),
                let otherTime = ServerTime(path.reduce(Optional(other)) { $0?[$1] })
            else { return nil }
            return time != otherTime && otherTime.later(time) == time
        }

        /// Whether an item is marked as deleted.
        func isDeleted(_ item: JSONValue) -> Bool {
            guard let deleted, let value = item[deleted] else { return false }
            return !value.isNull && value != .bool(false)
        }
    }
}
