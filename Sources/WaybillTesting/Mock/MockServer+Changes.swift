import Foundation
import Waybill
import WaybillDescription

extension MockServer {
    /// A collection whose list can be limited to changes, as required by a store with `Store.Delta(.updatedSince(…))`.
    ///
    /// ```swift
    /// let server = try MockServer(Shop(url), changes: [
    ///     .init(at: "products", updated: "updated_at", since: "since", deleted: "deleted_at")
    /// ]) { Seeds([lamp, rug]) }
    /// ```
    ///
    /// Each entity is stamped with the time of its last change, from a server clock that advances by one second per
    /// change. A list of changes contains the entities changed or deleted at or after the requested time. Other lists
    /// contain the current entities.
    public struct Changes: Sendable, Hashable {
        let path: String
        let updated: String
        let since: String
        let deleted: String?

        /// Declares a collection whose list can be limited to changes.
        ///
        /// - Parameters:
        ///   - path: the path of the collection, including its values, as in ``Seeds``.
        ///   - updated: the member that contains the time of an entity's last change: an ISO 8601 date, or seconds
        ///     since 1970 if the member is a number.
        ///   - since: the name of the query item that contains the time of the earliest change to list.
        ///   - deleted: the member that contains the time of deletion in a list of changes; nil if deletions are not
        ///     listed.
        public init(at path: String, updated: String, since: String, deleted: String? = nil) {
            self.path = path.split(separator: "/").map { String($0) }.joined(separator: "/")
            (self.updated, self.since, self.deleted) = (updated, since, deleted)
        }
    }
}

/// The server clock of a mock collection, and the collection's deleted entities.
struct MockChangeLog: Sendable {
    let declaration: MockServer.Changes

    /// The deleted entities, as they appear in a list of changes.
    private var deleted: [(id: String, value: JSONValue)] = []

    /// The number of changes, which is also the server clock's time in seconds since its start.
    private var count = 0

    init(_ declaration: MockServer.Changes) { self.declaration = declaration }

    private static let start = Date(timeIntervalSince1970: 1_767_225_600)

    /// Advances the server clock, and returns a changed entity stamped with its time.
    mutating func stamp(_ value: JSONValue, _ id: String) -> JSONValue {
        count += 1
        deleted.removeAll { $0.id == id }
        return value.setting(time(like: value[declaration.updated]), at: [.key(declaration.updated)])
    }

    /// Records the deletion of an entity.
    mutating func noteDeletion(of value: JSONValue, _ id: String, idPath: [EnvelopeKey]?) {
        count += 1
        guard let member = declaration.deleted else { return }
        let time = time(like: value[declaration.updated])
        var tombstone: JSONValue = .object([declaration.updated: time, member: time])
        if let idPath { tombstone = tombstone.setting(value.value(at: idPath) ?? .string(id), at: idPath) }
        deleted.removeAll { $0.id == id }
        deleted.append((id, tombstone))
    }

    /// Returns the entities of a list: the current ones, or the changes since a time; nil if the text is not a time.
    func list(_ items: [JSONValue], since text: String?) -> [JSONValue]? {
        guard let text else { return items }
        guard let since = Self.time(text) else { return nil }
        return (items + deleted.map(\.value))
            .compactMap { item in
                item[declaration.updated].flatMap { Self.time($0.plainText) }.map { (time: $0, item: item) }
            }
            .filter { $0.time >= since }
            .sorted { $0.time < $1.time }
            .map(\.item)
    }

    private func time(like value: JSONValue?) -> JSONValue {
        let date = Self.start + TimeInterval(count)
        if value?.decimalValue != nil { return .integer(Int(date.timeIntervalSince1970)) }
        return .string(date.formatted(.iso8601))
    }

    private static func time(_ text: String) -> TimeInterval? {
        TimeInterval(text) ?? (try? Date(text, strategy: .iso8601))?.timeIntervalSince1970
    }
}
