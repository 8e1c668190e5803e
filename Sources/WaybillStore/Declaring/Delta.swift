import Waybill
import WaybillSystem

/// A clause of a collection: how a synchronization asks only for what has changed since the last one.
///
/// ```swift
/// Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted_at")
/// Delta(.updatedSince("last_modified", as: "_since"), deleted: "deleted")     // Kinto
/// Delta(.cursor)                                                              // the last page leads to the news
/// Delta(.entityTag)                                                           // the whole list, unless unchanged
/// ```
///
/// Without the clause the whole list is fetched each time, and rows that it no longer has are removed, unless they have
/// pending writes. With `.updatedSince` and `.cursor` rows are removed only by what the list says of them: declare
/// `deleted`, or, for a server that does not tell, leave the clause out.
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
        /// Only times of the server are used. A time is a number, or a date by ISO 8601.
        ///
        /// - Parameters:
        ///   - member: the member of an item with the time of its last change; several are a path.
        ///   - query: the query item of the list that takes a time.
        ///   - overlap: the time by which is asked for more, for servers whose times arrive late or in another order. A
        ///     number counts seconds if it is below 10¹¹, else milliseconds.
        /// - Returns: the strategy.
        public static func updatedSince(_ member: String..., as query: String, overlap: Duration = .zero) -> Strategy {
            Strategy(form: .updatedSince(path: member, query: query, overlap: overlap))
        }

        /// The list goes on after the cursor of its last page, which a server with a feed of changes gives.
        public static let cursor = Strategy(form: .cursor)

        /// The list is asked for with `If-None-Match` or `If-Modified-Since`, and fetched as a whole if it has changed.
        ///
        /// A list with pages has no such version.
        public static let entityTag = Strategy(form: .entityTag)
    }

    let form: Strategy.Form
    let deleted: String?

    /// Declares a strategy.
    ///
    /// - Parameters:
    ///   - strategy: the way in which a list is asked for changes.
    ///   - deleted: the member of an item that has been deleted: an item in which it is neither missing, `null` nor
    ///     `false` is removed.
    public init(_ strategy: Strategy, deleted: String? = nil) {
        form = strategy.form
        self.deleted = deleted
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
