import Waybill
import WaybillSystem

/// The saved state of a collection's synchronization, from which the next one continues.
struct Checkpoint: Sendable {
    /// The validator of a list, for a conditional request.
    struct Validator: Sendable, Equatable {
        let value: String
        let isTag: Bool

        /// Creates a validator from the header fields of a response; returns nil if they contain none.
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

    /// The time from which to fetch changes; nil to fetch the whole list.
    var since: ServerTime?

    /// The minimum time between ``since`` and the start of a walk that found all items with that time, by the server's
    /// clock.
    var lead: Duration = .zero

    /// A date after ``since``, by the server's clock.
    var dateAfterSince: Date?

    /// The latest time of any item before the walk; changes during the walk are not earlier.
    var latestBeforeWalk: ServerTime?

    /// Whether the last walk over the whole list may have missed an item because another item was deleted meanwhile.
    ///
    /// The next walk checks this.
    var mayHaveMissedItem = false

    /// Whether to fetch the whole list even if ``since`` is set.
    var needsWholeList = false

    /// The date when the whole list was last fetched; nil if it was never fetched.
    var lastWholeFetch: Date?

    /// Whether the last complete list was empty although there were stored rows.
    var wasEmpty = false

    var walk = Walk()

    /// The next page of the walk; nil for the first page.
    var cursor: Cursor?

    var validator: Validator?

    /// The number of the current walk.
    var generation: Int64 = 0

    /// The date when the last walk ended; nil if none has.
    var completed: Date?

    /// Whether the walk fetches the whole list.
    var fetchesWholeList: Bool { needsWholeList || since == nil }

    /// Begins a new walk.
    mutating func beginWalk() {
        generation += 1
        cursor = nil
        if let latest = walk.latest { latestBeforeWalk = latestBeforeWalk?.later(latest) ?? latest }
        walk = Walk()
    }

    /// Begins a new walk over the whole list.
    mutating func beginWholeWalk() {
        beginWalk()
        needsWholeList = true
        validator = nil
    }

    /// Returns the time from which to request changes; nil to request the whole list.
    func start(overlap: Duration) -> ServerTime? {
        if fetchesWholeList { return nil }
        // If no further changes can have this time, skip the items with this time; there may be many.
        for step in [1, 60, 86_400].map({ Duration.seconds($0) }) where overlap > .zero && lead >= overlap + step * 2 {
            if let next = since?.shifted(by: step), next != since { return next }
        }
        return since?.shifted(by: .zero - overlap)
    }

    /// Ends a walk.
    ///
    /// - Parameter isPositional: whether pages are addressed by position.
    /// - Returns: whether another walk is needed.
    mutating func endWalk(isPositional: Bool) -> Bool {
        if walk.hasUnidentifiedItems || walk.isPartial { return false }
        if walk.mayMissItems(isPositional: isPositional) { return true }
        if mayHaveMissedItem, walk.hasDeletion {
            (since, mayHaveMissedItem) = (nil, false)
            return true
        }
        mayHaveMissedItem = false
        // Items may have changed while later pages were fetched, so the latest time of all pages may be too late.
        let start = walk.pages > 1 ? walk.earliestChange(after: latestBeforeWalk) : walk.latest
        if fetchesWholeList, walk.pages > 1 {
            since = start
            mayHaveMissedItem = isPositional && since != nil
            updateLead(previousSince: nil)
            return mayHaveMissedItem
        }
        let previous = since
        if let start { since = since?.later(start) ?? start }
        updateLead(previousSince: previous)
        return false
    }

    /// Updates the lead if ``since`` is unchanged, and resets it otherwise.
    private mutating func updateLead(previousSince: ServerTime?) {
        guard let since, since == previousSince, let dateAfterSince, since.isClockTime(around: dateAfterSince) else {
            (lead, dateAfterSince) = (.zero, walk.lastDate)
            return
        }
        guard walk.pages > 1, let date = walk.firstDate else { return }
        // HTTP dates have a resolution of one second.
        lead = max(lead, .seconds(Int64(max(0, date.timeIntervalSince(dateAfterSince) - 2))))
    }
}

extension Checkpoint {
    /// The state of a walk through the pages of a list.
    struct Walk: Sendable {
        /// The latest time of any item on the pages.
        var latest: ServerTime?
        /// The latest time of any item on the first page; changes during the walk are not earlier.
        var latestOnFirstPage: ServerTime?
        /// The dates of the first and last pages, by the server's clock.
        var (firstDate, lastDate): (Date?, Date?)
        var pages = 0
        var items = 0
        /// The numbers of items on the smallest and largest pages.
        var sizes: (least: Int, most: Int) = (.max, 0)
        /// Whether items may have moved between pages during the walk: it was interrupted, an item was on two pages, or
        /// a page before the last was not full.
        var isShifted = false
        /// Whether the walk continues an interrupted one.
        var isResumed = false
        /// Whether an item was deleted.
        var hasDeletion = false
        /// Whether an item was new, changed or deleted.
        var hasChange = false
        /// Whether the walk repeats the previous one.
        var isRepetition = false
        /// Whether a page contained an item without a readable id.
        ///
        /// If so, no rows are removed, and the items are fetched again next time.
        var hasUnidentifiedItems = false
        /// Whether the fetched list is known to be incomplete.
        var isPartial = false

        /// Whether an item of the list may be missing from the pages.
        ///
        /// - Parameter isPositional: whether pages are addressed by position. If so, the walk misses an item if another
        ///   one disappears from an earlier page.
        /// - Returns: whether an item may be missing. If a repeated walk finds no changes, no item is missing.
        func mayMissItems(isPositional: Bool) -> Bool {
            isPositional && pages > 1 && isShifted && !(isRepetition && !hasChange)
        }

        /// Records a page.
        mutating func record(_ page: PageResult, count: Int) {
            if count > 0, pages > 0, sizes.least < max(sizes.most, count) { isShifted = true }
            sizes = (min(sizes.least, count), max(sizes.most, count))
            pages += 1
            items += count
            isShifted = isShifted || page.isShifted
            hasDeletion = hasDeletion || page.hasDeletion
            hasChange = hasChange || page.changed + page.removed > 0
            hasUnidentifiedItems = hasUnidentifiedItems || page.hasUnidentifiedItems
        }

        /// Records the latest time of a page's items, and the server's date.
        mutating func recordTimes(of items: [DocumentResource.ListedDocument], at path: [String], _ date: Date?) {
            for item in items {
                guard let time = ServerTime(path.reduce(Optional(item.members)) { $0?[$1] }) else { continue }
                latest = latest?.later(time) ?? time
            }
            if pages == 0 { (latestOnFirstPage, firstDate) = (latest, date) }
            lastDate = date
        }

        /// Returns a lower bound on the times of changes during the walk; nil if unknown.
        ///
        /// - Parameter previous: the latest time of any item before the walk.
        /// - Returns: the latest time on the first page or before the walk, or the latest time on any page minus the
        ///   duration of the walk by the server's dates, whichever is later. If the newest items are at the end of the
        ///   list, only the latter avoids a second walk over the whole list.
        fileprivate func earliestChange(after previous: ServerTime?) -> ServerTime? {
            let start = latestOnFirstPage.map { previous?.later($0) ?? $0 } ?? previous
            guard let latest, let firstDate, let lastDate, latest.isClockTime(around: lastDate) else { return start }
            let duration = max(0, lastDate.timeIntervalSince(firstDate)) + 2
            let earliest = latest.shifted(by: .zero - .seconds(Int64(duration)))
            return start?.later(earliest) ?? earliest
        }
    }
}

extension DocumentResource.ListedDocument {
    /// The members of the document, or the readable members of an unreadable element.
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
            checkpoint.dateAfterSince = Date(stored: state["seenAt"])
            checkpoint.mayHaveMissedItem = state["isUnchecked"] == true
            checkpoint.needsWholeList = state["needsWhole"] == true
            checkpoint.lastWholeFetch = Date(stored: state["whole"])
            checkpoint.wasEmpty = state["wasEmpty"] == true
            checkpoint.latestBeforeWalk = ServerTime(state["seen"])
            checkpoint.walk.latest = ServerTime(state["latest"])
            checkpoint.walk.latestOnFirstPage = ServerTime(state["first"])
            checkpoint.walk.pages = state["pages"]?.intValue ?? 0
            checkpoint.walk.items = state["items"]?.intValue ?? 0
            checkpoint.walk.hasDeletion = state["hasDeletion"] == true
            checkpoint.walk.hasUnidentifiedItems = state["hasUnidentified"] == true
            // A walk continued from here was interrupted.
            checkpoint.walk.isResumed = true
            checkpoint.walk.isShifted = true
            checkpoint.walk.hasChange = true
            // If the cursor does not decode in this version of the library, the walk starts at the first page.
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
            "seenAt": checkpoint.dateAfterSince?.stored ?? .null, "isUnchecked": .bool(checkpoint.mayHaveMissedItem),
            "needsWhole": .bool(checkpoint.needsWholeList), "whole": checkpoint.lastWholeFetch?.stored ?? .null,
            "wasEmpty": .bool(checkpoint.wasEmpty), "seen": checkpoint.latestBeforeWalk?.value ?? .null,
            "latest": walk.latest?.value ?? .null, "first": walk.latestOnFirstPage?.value ?? .null,
            "pages": .integer(walk.pages), "items": .integer(walk.items), "hasDeletion": .bool(walk.hasDeletion),
            "hasUnidentified": .bool(walk.hasUnidentifiedItems),
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
