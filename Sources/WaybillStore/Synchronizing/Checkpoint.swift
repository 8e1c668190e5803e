import Waybill
import WaybillSystem

/// The state of the synchronization of a collection, from which the next one continues.
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

    /// The time from which the next walk asks for changes; nil asks for the whole list.
    var since: ServerTime?

    /// The time by which the server's clock had passed ``since`` when a walk that had all of its items began.
    var lead: Duration = .zero

    /// The server's date at which ``since`` was in the past.
    var seenAt: Date?

    /// The latest time that the items had before the walk: what changes during it is not earlier.
    var seen: ServerTime?

    /// Whether the last walk, over the whole list, misses an item if another one was deleted meanwhile: the next walk
    /// tells.
    var isUnchecked = false

    /// Whether the whole list is needed, although changes could be asked for.
    var needsWhole = false

    /// The date on which the whole list was fetched last.
    var whole: Date?

    /// Whether the last whole list had no items, although there are rows.
    var wasEmpty = false

    var walk = Walk()

    /// The page from which the walk continues; nil for the first one.
    var cursor: Cursor?

    var validator: Validator?

    /// The number of the walk.
    var generation: Int64 = 0

    /// The date on which the last walk came to its end.
    var completed: Date?

    /// Whether the walk asks for the whole list.
    var isWhole: Bool { needsWhole || since == nil }

    /// Begins another walk.
    mutating func begin() {
        generation += 1
        cursor = nil
        if let latest = walk.latest { seen = seen?.later(latest) ?? latest }
        walk = Walk()
    }

    /// Begins to fetch the whole list.
    mutating func beginWhole() {
        begin()
        needsWhole = true
        validator = nil
    }

    /// The time from which a walk asks for changes; nil for the whole list.
    func start(overlap: Duration) -> ServerTime? {
        if isWhole { return nil }
        // Once no further change can have this time, its items, which may be many, are not requested again.
        for step in [1, 60, 86_400].map({ Duration.seconds($0) }) where overlap > .zero && lead >= overlap + step * 2 {
            if let next = since?.moved(by: step), next != since { return next }
        }
        return since?.moved(by: .zero - overlap)
    }

    /// Ends a walk over changes.
    ///
    /// - Parameter isPositional: whether pages are positions in the list.
    /// - Returns: whether another walk has to follow.
    mutating func confirm(isPositional: Bool) -> Bool {
        if walk.hasUnidentified || walk.isPartial { return false }
        if walk.mayMissItems(isPositional: isPositional) { return true }
        if isUnchecked, walk.hasDeletion {
            (since, isUnchecked) = (nil, false)
            return true
        }
        isUnchecked = false
        // Items may have been changed or deleted while the later pages came, and those tell later times.
        let start = walk.pages > 1 ? walk.earliest(after: seen) : walk.latest
        if isWhole, walk.pages > 1 {
            since = start
            isUnchecked = isPositional && since != nil
            note(nil)
            return isUnchecked
        }
        let before = since
        if let start { since = since?.later(start) ?? start }
        note(before)
        return false
    }

    /// Notes by how much the server's clock has passed the time of the last change, by its own dates.
    private mutating func note(_ before: ServerTime?) {
        guard let since, since == before, let seenAt, since.isClockTime(around: seenAt) else {
            (lead, seenAt) = (.zero, walk.lastDate)
            return
        }
        guard walk.pages > 1, let date = walk.firstDate else { return }
        // The dates have whole seconds.
        lead = max(lead, .seconds(Int64(max(0, date.timeIntervalSince(seenAt) - 2))))
    }
}

extension Checkpoint {
    /// The facts that are known of the walk that is under way.
    struct Walk: Sendable {
        /// The latest time on its pages.
        var latest: ServerTime?
        /// The latest time on its first page: what was there when it began is not later.
        var first: ServerTime?
        /// The server's dates of its first and of its last page.
        var (firstDate, lastDate): (Date?, Date?)
        var pages = 0
        var items = 0
        /// The numbers of items on its smallest and on its largest page.
        var sizes: (least: Int, most: Int) = (.max, 0)
        /// Whether the list has changed meanwhile, so that an item may be on none of the pages: it was interrupted, an
        /// item was on two pages, or an earlier page was not full.
        var isShifted = false
        /// Whether it continues one that was interrupted.
        var isResumed = false
        /// Whether an item was deleted.
        var hasDeletion = false
        /// Whether an item was new or had changed.
        var hasChange = false
        /// Whether it repeats the walk before.
        var isRepetition = false
        /// Whether an item without a readable id was on a page: nothing is removed, and it is asked for again.
        var hasUnidentified = false
        /// Whether its last page has signs of further ones.
        var isPartial = false

        /// Whether an item that the list has may be on none of the pages.
        ///
        /// - Parameter isPositional: whether pages are positions in the list: if an item moves away from an earlier
        ///   page, the walk misses another one.
        /// - Returns: whether it may have missed one. Two walks that had the same items missed nothing.
        func mayMissItems(isPositional: Bool) -> Bool {
            isPositional && pages > 1 && isShifted && !(isRepetition && !hasChange)
        }

        /// Notes a page.
        mutating func note(_ page: PageResult, count: Int) {
            if count > 0, pages > 0, sizes.least < max(sizes.most, count) { isShifted = true }
            sizes = (min(sizes.least, count), max(sizes.most, count))
            pages += 1
            items += count
            isShifted = isShifted || page.isShifted
            hasDeletion = hasDeletion || page.hasDeletion
            hasChange = hasChange || page.changed + page.removed > 0
            hasUnidentified = hasUnidentified || page.hasUnidentified
        }

        /// Notes the times of the items of a page, and the server's date.
        mutating func note(_ items: [DocumentResource.ListedDocument], at path: [String], _ date: Date?) {
            for item in items {
                guard let time = ServerTime(path.reduce(Optional(item.members)) { $0?[$1] }) else { continue }
                latest = latest?.later(time) ?? time
            }
            if pages == 0 { (first, firstDate) = (latest, date) }
            lastDate = date
        }

        /// The latest time that no change during the walk can be before; nil if none is known.
        ///
        /// - Parameter seen: the latest time that the items had before the walk.
        /// - Returns: the time: the latest one on the first page, or the latest one of all less the time that the walk
        ///   took by the server's own dates. In a list with its newest items at its end, only that spares a second
        ///   walk over all of it.
        fileprivate func earliest(after seen: ServerTime?) -> ServerTime? {
            let start = first.map { seen?.later($0) ?? $0 } ?? seen
            guard let latest, let firstDate, let lastDate, latest.isClockTime(around: lastDate) else { return start }
            let duration = max(0, lastDate.timeIntervalSince(firstDate)) + 2
            let earliest = latest.moved(by: .zero - .seconds(Int64(duration)))
            return start?.later(earliest) ?? earliest
        }
    }
}

extension DocumentResource.ListedDocument {
    /// The members that can be read.
    var members: JSONValue {
        switch result {
        case .success(let document): document.json
        case .failure(let unreadable): unreadable.members
        }
    }
}

extension Connection {
    func checkpoint(of collection: Int64) throws(StoreError) -> Checkpoint {
        try first(
            "SELECT since, cursor, validator, generation, completed FROM checkpoints WHERE collection = ?",
            [.integer(collection)]
        ) { (row) throws(StoreError) -> Checkpoint in
            let state = try JSONValue(stored: row.text(0) ?? "null")
            let validator = try JSONValue(stored: row.text(2) ?? "null")
            var checkpoint = Checkpoint()
            checkpoint.since = ServerTime(state["since"])
            checkpoint.lead = .seconds(state["lead"]?.intValue ?? 0)
            checkpoint.seenAt = Date(stored: state["seenAt"])
            checkpoint.isUnchecked = state["isUnchecked"] == true
            checkpoint.needsWhole = state["needsWhole"] == true
            checkpoint.whole = Date(stored: state["whole"])
            checkpoint.wasEmpty = state["wasEmpty"] == true
            checkpoint.seen = ServerTime(state["seen"])
            checkpoint.walk.latest = ServerTime(state["latest"])
            checkpoint.walk.first = ServerTime(state["first"])
            checkpoint.walk.pages = state["pages"]?.intValue ?? 0
            checkpoint.walk.items = state["items"]?.intValue ?? 0
            checkpoint.walk.hasDeletion = state["hasDeletion"] == true
            checkpoint.walk.hasUnidentified = state["hasUnidentified"] == true
            // A walk that continues from here was interrupted.
            checkpoint.walk.isResumed = true
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
        let state: JSONValue = [
            "since": checkpoint.since?.value ?? .null, "lead": .integer(Int(checkpoint.lead.components.seconds)),
            "seenAt": checkpoint.seenAt?.stored ?? .null, "isUnchecked": .bool(checkpoint.isUnchecked),
            "needsWhole": .bool(checkpoint.needsWhole), "whole": checkpoint.whole?.stored ?? .null,
            "wasEmpty": .bool(checkpoint.wasEmpty), "seen": checkpoint.seen?.value ?? .null,
            "latest": walk.latest?.value ?? .null, "first": walk.first?.value ?? .null,
            "pages": .integer(walk.pages), "items": .integer(walk.items), "hasDeletion": .bool(walk.hasDeletion),
            "hasUnidentified": .bool(walk.hasUnidentified),
        ]
        let validator = checkpoint.validator.map { validator -> JSONValue in
            ["value": .string(validator.value), "isTag": .bool(validator.isTag)]
        }
        let cursor = checkpoint.cursor.flatMap { try? JSONDefaults.encoder.encode($0) }
            .map { String(decoding: $0, as: UTF8.self) }
        try connection.execute(
            "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, NULL)",
            [
                .integer(collection), .text(state.description),
                DatabaseValue(cursor), DatabaseValue(validator?.description), .integer(checkpoint.generation),
                DatabaseValue(checkpoint.completed),
            ]
        )
    }
}

extension Date {
    fileprivate init?(stored value: JSONValue?) {
        guard let milliseconds = value?.intValue else { return nil }
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    fileprivate var stored: JSONValue { .integer(Int((timeIntervalSince1970 * 1000).rounded(.down))) }
}
