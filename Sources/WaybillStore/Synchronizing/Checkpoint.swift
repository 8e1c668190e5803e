import Waybill
import WaybillSystem

/// The place from which the synchronization of a collection goes on.
struct Checkpoint: Sendable {
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

    /// What is known of the walk that is under way.
    struct Walk: Sendable {
        var pages = 0
        /// The numbers of items on its smallest and on its largest page.
        var sizes: (least: Int, most: Int) = (.max, 0)
        /// Whether the list has changed meanwhile, so that an item may be on none of the pages: it was interrupted, an
        /// item was on two pages, or an earlier page was not full.
        var isShifted = false
        /// Whether an item was deleted.
        var hasDeletion = false
        /// Whether an item was new or had changed.
        var hasChange = false
        /// Whether it repeats the walk before.
        var isRepetition = false

        /// Whether an item that the list has may be on none of the pages.
        ///
        /// - Parameter isPositional: whether pages are places in the list: if an item moves away from an earlier page,
        ///   the walk misses another one.
        /// - Returns: whether it may have missed one. Two walks that had the same items missed nothing.
        func mayMissItems(isPositional: Bool) -> Bool {
            isPositional && pages > 1 && isShifted && !(isRepetition && !hasChange)
        }

        /// Notes a page.
        mutating func note(_ page: PageResult, count: Int) {
            if count > 0, pages > 0, sizes.least < max(sizes.most, count) { isShifted = true }
            sizes = (min(sizes.least, count), max(sizes.most, count))
            pages += 1
            isShifted = isShifted || page.isShifted
            hasDeletion = hasDeletion || page.hasDeletion
            hasChange = hasChange || page.changed + page.removed > 0
        }
    }

    /// The time from which the next walk asks: of the items that had been seen after the first page of the last walk;
    /// nil asks for the whole list.
    ///
    /// What changes while later pages are fetched may stand on earlier ones, and its time is not before this one.
    var since: ServerTime?

    /// The latest time of the items that have been seen.
    var latest: ServerTime?

    /// Whether the last walk, over the whole list, misses an item if another one was deleted meanwhile: the next walk
    /// tells.
    var isUnchecked = false

    var walk = Walk()

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
        walk = Walk()
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
    ///
    /// - Parameters:
    ///   - now: the date.
    ///   - isPositional: whether pages are places in the list.
    /// - Returns: whether another walk has to follow.
    mutating func complete(_ now: Date, isPositional: Bool) -> Bool {
        completed = now
        defer { next = nil }
        if hasUnreadable { return false }
        if since == nil {
            if walk.mayMissItems(isPositional: isPositional) { return true }
            since = next
            isUnchecked = isPositional && walk.pages > 1 && since != nil
            return isUnchecked
        }
        if isUnchecked, walk.hasDeletion {
            (since, isUnchecked) = (nil, false)
            return true
        }
        (since, isUnchecked) = (next ?? since, false)
        return false
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
            checkpoint.isUnchecked = times["isUnchecked"] == true
            checkpoint.walk.pages = times["pages"]?.intValue ?? 0
            checkpoint.walk.hasDeletion = times["hasDeletion"] == true
            // A walk that goes on from here was interrupted.
            checkpoint.walk.isShifted = true
            checkpoint.walk.hasChange = true
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
            "isUnchecked": .bool(checkpoint.isUnchecked), "pages": .integer(checkpoint.walk.pages),
            "hasDeletion": .bool(checkpoint.walk.hasDeletion),
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
