import Waybill
import WaybillSystem

/// The place from which the synchronization of a collection goes on.
struct Checkpoint: Sendable, Equatable {
    /// The version of a list, which a conditional request names.
    struct Validator: Sendable, Equatable {
        let value: String
        let isTag: Bool

        /// Reads the version from a response's fields; nil if it has none.
        init?(_ fields: HTTPFields) {
            if let tag = fields.entityTag {
                (value, isTag) = ("\(tag)", true)
            } else if let date = fields[.lastModified] {
                (value, isTag) = (date, false)
            } else {
                return nil
            }
        }

        fileprivate init(value: String, isTag: Bool) { (self.value, self.isTag) = (value, isTag) }
    }

    /// The time from which the next walk asks: of the items that had been seen after the first page of the last walk.
    ///
    /// What changes while later pages are fetched may stand on earlier ones, and its time is not before this one.
    var since: ServerTime?

    /// The latest time of the items that have been seen.
    var latest: ServerTime?

    /// The value of `since` after the walk that is under way.
    var next: ServerTime?

    /// Whether the walk that is under way has met an item that could not be read.
    var hasUnreadable = false

    /// The page from which the walk goes on; nil for the first one.
    var cursor: Cursor?

    var validator: Validator?

    /// The number of the walk.
    var generation: Int64 = 0

    /// The date on which the last walk came to its end.
    var completed: Date?

    /// Begins another walk.
    mutating func begin() {
        generation += 1
        cursor = nil
        next = nil
        hasUnreadable = false
    }

    /// Notes the times of the items of a page.
    mutating func note(_ items: [DocumentResource.Document], at path: [String], isFirst: Bool) {
        latest = latest ?? since
        for item in items {
            let value = path.reduce(Optional(item.json)) { $0?[$1] }
            guard let time = ServerTime(value) else { continue }
            latest = latest?.later(time) ?? time
        }
        if isFirst { next = latest }
    }

    /// Notes that an item of the walk could not be read: it is asked for again.
    mutating func noteUnreadable() {
        hasUnreadable = true
        validator = nil
    }

    /// Ends the walk.
    mutating func complete(_ now: Date) {
        if !hasUnreadable { since = next ?? since }
        next = nil
        completed = now
    }
}

extension Connection {
    func checkpoint(of collection: Int64) throws(StoreError) -> Checkpoint {
        try first(
            "SELECT since, cursor, validator, generation, completed FROM checkpoints WHERE collection = ?",
            [.integer(collection)]
        ) { (row) throws(StoreError) -> Checkpoint in
            let times = try JSONValue(stored: row.text(0) ?? "null")
            let validator = try JSONValue(stored: row.text(2) ?? "null")
            var checkpoint = Checkpoint()
            checkpoint.since = ServerTime(times["since"])
            checkpoint.latest = ServerTime(times["latest"])
            checkpoint.next = ServerTime(times["next"])
            checkpoint.hasUnreadable = times["unreadable"] == true
            // A cursor that this version does not know any more begins the walk anew.
            checkpoint.cursor = row.text(1).flatMap {
                try? JSONDefaults.decoder.decode(Cursor.self, from: Data($0.utf8))
            }
            checkpoint.validator = validator["value"]?.stringValue.map {
                Checkpoint.Validator(value: $0, isTag: validator["isTag"] == true)
            }
            checkpoint.generation = row.integer(3) ?? 0
            checkpoint.completed = row.real(4).map { Date(timeIntervalSince1970: $0) }
            return checkpoint
        } ?? Checkpoint()
    }

    /// Returns the number of the last walk over a collection that has stored a page.
    func generation(of collection: Int64) throws(StoreError) -> Int64 {
        try first("SELECT generation FROM checkpoints WHERE collection = ?", [.integer(collection)]) { $0.integer(0) }
            ?? 0
    }
}

extension StoreWrite {
    func save(_ checkpoint: Checkpoint, of collection: Int64) throws(StoreError) {
        let times: JSONValue = [
            "since": checkpoint.since?.value ?? .null, "latest": checkpoint.latest?.value ?? .null,
            "next": checkpoint.next?.value ?? .null, "unreadable": .bool(checkpoint.hasUnreadable),
        ]
        let validator = checkpoint.validator.map { validator -> JSONValue in
            ["value": .string(validator.value), "isTag": .bool(validator.isTag)]
        }
        let cursor = checkpoint.cursor.flatMap { try? JSONDefaults.encoder.encode($0) }
            .map { String(decoding: $0, as: UTF8.self) }
        try connection.execute(
            "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(collection), .text(times.description),
                DatabaseValue(cursor), DatabaseValue(validator?.description), .integer(checkpoint.generation),
                DatabaseValue(checkpoint.completed),
            ]
        )
    }
}
