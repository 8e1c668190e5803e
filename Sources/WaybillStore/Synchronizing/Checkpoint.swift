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

    /// The latest time of the items that have been seen, as of the end of the last walk.
    var since: ServerTime?

    /// The latest time on the pages of the walk that is under way.
    var latest: ServerTime?

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
        latest = nil
    }

    /// Notes the times of items.
    mutating func note(_ items: [DocumentResource.Document], at path: [String]) {
        for item in items {
            let value = path.reduce(Optional(item.json)) { $0?[$1] }
            guard let time = ServerTime(value) else { continue }
            latest = latest?.later(time) ?? time
        }
    }

    /// Lets the next walk begin at the latest time of this one.
    mutating func confirm() {
        if let latest { since = since?.later(latest) ?? latest }
        latest = nil
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
}

extension StoreWrite {
    func save(_ checkpoint: Checkpoint, of collection: Int64) throws(StoreError) {
        let times: JSONValue = [
            "since": checkpoint.since?.value ?? .null, "latest": checkpoint.latest?.value ?? .null,
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
