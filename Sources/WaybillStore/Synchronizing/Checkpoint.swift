import Waybill
import WaybillSystem

/// The state of a collection's synchronization, from which the next one continues.
struct Checkpoint: Sendable {
    /// The validator of a list, for a conditional request.
    struct Validator: Sendable, Equatable {
        let value: String
        let isTag: Bool

        /// Reads the validator from the header fields of a response; returns nil if they contain no validator.
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

    /// The time to fetch changes from; nil to fetch the whole list.
    var since: ServerTime?

    /// The duration by which the server's clock was past ``since`` at the start of a walk that found all items with
    /// that time.
    var lead: Duration = .zero

    /// A date, by the server's clock, at which ``since`` was in the past.
    var seenAt: Date?

    /// The latest time of any item before the walk; changes during the walk are not earlier.
    var seen: ServerTime?

    /// Whether the last walk over the whole list may have missed an item because another one was deleted during the
    /// walk.
    ///
    /// The next walk resolves this.
    var isUnchecked = false

    /// Whether the whole list must be fetched, even if changes could be fetched.
    var needsWhole = false

    /// The date when the whole list was last fetched.
    var whole: Date?

    /// Whether the list was empty when it was last fetched completely, although there were rows.
    var wasEmpty = false

    var walk = Walk()

    /// The next page of the walk; nil for the first page.
    var cursor: Cursor?

    var validator: Validator?

    /// The number of the current walk.
    var generation: Int64 = 0

    /// The date when the last walk ended.
    var completed: Date?

    /// Whether the walk fetches the whole list.
    var isWhole: Bool { needsWhole || since == nil }

    /// Starts a new walk.
    mutating func begin() {
        generation += 1
        cursor = nil
        if let latest = walk.latest { seen = seen?.later(latest) ?? latest }
        walk = Walk()
    }

    /// Starts a new walk over the whole list.
    mutating func beginWhole() {
        begin()
        needsWhole = true
        validator = nil
    }

    /// Returns the time to fetch changes from; nil to fetch the whole list.
    func start(overlap: Duration) -> ServerTime? {
        if isWhole { return nil }
        // If no further change can have this time, do not request the items with this time again; there may be many.
        for step in [1, 60, 86_400].map({ Duration.seconds($0) }) where overlap > .zero && lead >= overlap + step * 2 {
            if let next = since?.shifted(by: step), next != since { return next }
        }
        return since?.shifted(by: .zero - overlap)
    }

    /// Ends a walk.
    ///
    /// - Parameter isPositional: whether pages are identified by their positions in the list.
    /// - Returns: whether another walk must follow.
    mutating func confirm(isPositional: Bool) -> Bool {
        if walk.hasUnidentified || walk.isPartial { return false }
        if walk.mayMissItems(isPositional: isPositional) { return true }
        if isUnchecked, walk.hasDeletion {
            (since, isUnchecked) = (nil, false)
            return true
        }
        isUnchecked = false
        // Items may have been changed or deleted while later pages, which contain later times, were fetched.
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

    /// Records how far the server's clock is past the time of the last change, according to the server's dates.
    private mutating func note(_ before: ServerTime?) {
        guard let since, since == before, let seenAt, since.isClockTime(around: seenAt) else {
            (lead, seenAt) = (.zero, walk.lastDate)
            return
        }
        guard walk.pages > 1, let date = walk.firstDate else { return }
        // The dates are in whole seconds.
        lead = max(lead, .seconds(Int64(max(0, date.timeIntervalSince(seenAt) - 2))))
    }
}

extension Checkpoint {
    /// The state of a walk through the pages of a list.
    struct Walk: Sendable {
        /// The latest time of any item on its pages.
        var latest: ServerTime?
        /// The latest time of any item on its first page.
        ///
        /// Items present at the start of the walk are not later.
        var first: ServerTime?
        /// The dates of its first and last pages, by the server's clock.
        var (firstDate, lastDate): (Date?, Date?)
        var pages = 0
        var items = 0
        /// The numbers of items on its smallest and largest pages.
        var sizes: (least: Int, most: Int) = (.max, 0)
        /// Whether the list may have changed during the walk, so that an item may be missing from all pages: the walk
        /// was interrupted, an item was on two pages, or an earlier page was not full.
        var isShifted = false
        /// Whether it continues an interrupted walk.
        var isResumed = false
        /// Whether an item was deleted.
        var hasDeletion = false
        /// Whether an item was new or changed.
        var hasChange = false
        /// Whether it repeats the preceding walk.
        var isRepetition = false
        /// Whether a page contained an item without a readable id.
        ///
        /// Nothing is removed, and the items are fetched again.
        var hasUnidentified = false
        /// Whether its last page indicates further pages.
        var isPartial = false

        /// Whether the pages may lack an item of the list.
        ///
        /// - Parameter isPositional: whether pages are identified by their positions in the list. If so, the walk
        ///   misses an item if another one disappears from an earlier page.
        /// - Returns: whether an item may be missing. Two walks with the same items have not missed any.
        func mayMissItems(isPositional: Bool) -> Bool {
            isPositional && pages > 1 && isShifted && !(isRepetition && !hasChange)
        }

        /// Records a page.
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

        /// Records the times of a page's items, and the server's date.
        mutating func note(_ items: [DocumentResource.ListedDocument], at path: [String], _ date: Date?) {
            for item in items {
                guard let time = ServerTime(path.reduce(Optional(item.members)) { $0?[$1] }) else { continue }
                latest = latest?.later(time) ?? time
            }
            if pages == 0 { (first, firstDate) = (latest, date) }
            lastDate = date
        }

        /// Returns a time that no change during the walk can precede; nil if there is no such time.
        ///
        /// - Parameter seen: the latest time of any item before the walk.
        /// - Returns: the latest time on the first page, or the latest time on any page minus the duration of the walk
        ///   by the server's dates, whichever is later. If a list has its newest items at its end, only the latter
        ///   avoids a second walk over the whole list.
        fileprivate func earliest(after seen: ServerTime?) -> ServerTime? {
            let start = first.map { seen?.later($0) ?? $0 } ?? seen
            guard let latest, let firstDate, let lastDate, latest.isClockTime(around: lastDate) else { return start }
            let duration = max(0, lastDate.timeIntervalSince(firstDate)) + 2
            let earliest = latest.shifted(by: .zero - .seconds(Int64(duration)))
            return start?.later(earliest) ?? earliest
        }
    }
}

extension DocumentResource.ListedDocument {
    /// The readable members.
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
            // If this version cannot decode the cursor, the walk starts from the first page.
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
