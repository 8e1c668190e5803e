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

    /// The facts that are known of the walk that is under way.
    struct Walk: Sendable {
        /// The latest time on its pages.
        var latest: ServerTime?
        /// The latest time on its first page: what was there when it began is not later.
        var first: ServerTime?
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
        /// Whether an item could not be read: nothing is removed, and it is asked for again.
        var hasUnreadable = false

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
            hasUnreadable = hasUnreadable || !page.unreadable.isEmpty
        }
    }

    /// The time from which the next walk asks for changes; nil asks for the whole list.
    var since: ServerTime?

    /// The latest time that the items had before the walk: what changes during it is not earlier.
    var seen: ServerTime?

    /// Whether the last walk, over the whole list, misses an item if another one was deleted meanwhile: the next walk
    /// tells.
    var isUnchecked = false

    var walk = Walk()

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
        if let latest = walk.latest { seen = seen?.later(latest) ?? latest }
        walk = Walk()
    }

    /// Notes the times of the items of a page.
    mutating func note(_ items: [DocumentResource.Document], at path: [String]) {
        for item in items {
            let value = path.reduce(Optional(item.json)) { $0?[$1] }
            guard let time = ServerTime(value) else { continue }
            walk.latest = walk.latest?.later(time) ?? time
        }
        if walk.pages == 0 { walk.first = walk.latest }
    }

    /// Ends a walk over changes.
    ///
    /// - Parameter isPositional: whether pages are places in the list.
    /// - Returns: whether another walk has to follow.
    mutating func confirm(isPositional: Bool) -> Bool {
        if walk.hasUnreadable { return false }
        // Items of the first page were there before those of later pages could change.
        let start = walk.first.map { seen?.later($0) ?? $0 } ?? seen
        if walk.mayMissItems(isPositional: isPositional) { return true }
        if isUnchecked, walk.hasDeletion {
            (since, isUnchecked) = (nil, false)
            return true
        }
        isUnchecked = false
        if since == nil, walk.pages > 1 {
            // Items may have been deleted while the later pages came, and those tell later times.
            since = start
            isUnchecked = isPositional && since != nil
            return isUnchecked
        }
        if let latest = walk.pages > 1 ? start : walk.latest { since = since?.later(latest) ?? latest }
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
            checkpoint.isUnchecked = times["isUnchecked"] == true
            checkpoint.seen = ServerTime(times["seen"])
            checkpoint.walk.latest = ServerTime(times["latest"])
            checkpoint.walk.first = ServerTime(times["first"])
            checkpoint.walk.pages = times["pages"]?.intValue ?? 0
            checkpoint.walk.hasDeletion = times["hasDeletion"] == true
            checkpoint.walk.hasUnreadable = times["hasUnreadable"] == true
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
        let walk = checkpoint.walk
        let times: JSONValue = [
            "since": checkpoint.since?.value ?? .null, "isUnchecked": .bool(checkpoint.isUnchecked),
            "seen": checkpoint.seen?.value ?? .null, "latest": walk.latest?.value ?? .null,
            "first": walk.first?.value ?? .null, "pages": .integer(walk.pages),
            "hasDeletion": .bool(walk.hasDeletion), "hasUnreadable": .bool(walk.hasUnreadable),
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
