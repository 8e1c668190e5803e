import Waybill
import WaybillSystem

/// A clause of a collection: how a synchronization asks only for what has changed since the last one.
///
/// ```swift
/// Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted_at")
/// Delta(.updatedSince("last_modified", as: "_since"), deleted: "deleted")     // Kinto
/// Delta(.cursor)                                                              // the last page leads to the news
/// Delta(.entityTag)                                                           // the whole list, unless unchanged
/// Delta(.cursor, wholeEvery: .seconds(7 * 86_400))                            // and once a week from its start
/// ```
///
/// Without the clause the whole list is fetched each time, and rows that it no longer has are removed, unless they have
/// pending writes. With `.updatedSince` and `.cursor` rows are removed by what the list says of them, and when the
/// whole list is fetched: declare `deleted`, and for a server that does not tell, leave the clause out or give
/// `wholeEvery`.
public struct Delta: Sendable {
    /// The way in which a list is asked for changes.
    public struct Strategy: Sendable {
        enum Form: Sendable {
            case updatedSince(path: [String], query: String, overlap: Duration)
            case cursor
            case entityTag
        }

        let form: Form

        /// Returns a strategy that asks for the items from a time on: the latest that the items themselves have had.
        ///
        /// Only times of the server are used, and they are sent in the server's own form: the same digits, separators
        /// and zone. A time is a date of ISO 8601, with or without a time of day, a fraction and a zone, a date of
        /// HTTP, or a number of seconds, milliseconds, microseconds or nanoseconds since 1970, also as a text. For a
        /// number that is a revision and no time, a second of the overlap is 1. Any other text is sent as it is,
        /// without an overlap: its server has to return the items that have it too.
        ///
        /// - Parameters:
        ///   - member: the member of an item with the time of its last change; several are a path.
        ///   - query: the query item of the list that takes a time.
        ///   - overlap: the time by which is asked for more. One second finds the items that change in the same second
        ///     as the last one that was seen, also on a server that returns only what is later than the time. Give
        ///     more for a server whose items appear late, such as after long transactions, or whose times are those of
        ///     several machines. With zero, the server has to return the items of that very time, too.
        /// - Returns: the strategy.
        public static func updatedSince(
            _ member: String...,
            as query: String,
            overlap: Duration = .seconds(1)
        ) -> Strategy {
            Strategy(form: .updatedSince(path: member, query: query, overlap: max(.zero, overlap)))
        }

        /// The list continues after the cursor of its last page, which a server with a feed of changes gives.
        ///
        /// The feed is at its end at a page without items, or whose cursor is that of the page itself. If the server
        /// rejects the cursor, the feed is followed from its start, and rows that it does not bring are removed as
        /// after a whole list.
        public static let cursor = Strategy(form: .cursor)

        /// The list is asked for with `If-None-Match` or `If-Modified-Since`, and fetched as a whole if it has changed.
        ///
        /// A list with pages has no such version.
        public static let entityTag = Strategy(form: .entityTag)
    }

    let form: Strategy.Form
    let deleted: String?
    let wholeEvery: Duration?

    /// Declares a strategy.
    ///
    /// - Parameters:
    ///   - strategy: the way in which a list is asked for changes.
    ///   - deleted: the member of an item that has been deleted: an item in which it is neither missing, `null` nor
    ///     `false` is removed.
    ///   - wholeEvery: the time after which the whole list is fetched again, by the date of the store: it finds what no
    ///     list of changes tells, such as items that this user may no longer see, or may see now. Nil for
    ///     `synchronize(whole: true)` alone.
    public init(_ strategy: Strategy, deleted: String? = nil, wholeEvery: Duration? = nil) {
        form = strategy.form
        self.deleted = deleted
        self.wholeEvery = wholeEvery
    }

    /// Whether the list is compared by its tag.
    var isTagged: Bool { if case .entityTag = form { true } else { false } }

    /// Whether one version of an item is later than another one; nil if the items have no times.
    func isLater(_ version: JSONValue, than other: JSONValue) -> Bool? {
        guard case .updatedSince(let path, _, _) = form,
            let time = ServerTime(path.reduce(Optional(version)) { $0?[$1] }),
            let otherTime = ServerTime(path.reduce(Optional(other)) { $0?[$1] })
        else { return nil }
        return time != otherTime && otherTime.later(time) == time
    }

    /// Whether an item says that it has been deleted.
    func isDeleted(_ item: JSONValue) -> Bool {
        guard let deleted, let value = item[deleted] else { return false }
        return !value.isNull && value != .bool(false)
    }
}
