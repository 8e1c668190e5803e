import Waybill
import WaybillSystem

/// A synchronization of one collection, which stores each page together with the next cursor in one transaction.
struct Pull {
    private let collection: any RegisteredCollection
    private let sender: OutboxSender

    /// Whether to fetch the whole list even where only changes could be fetched.
    private let fetchesWhole: Bool
    private var checkpoint = Checkpoint()

    /// Whether the list must be walked again because it changed during the walk.
    private var mustWalkAgain = false

    /// Whether a page of this synchronization contained an item without a readable id.
    private var hasUnidentifiedItems = false

    /// Whether the rest of the walk is deferred to the next synchronization.
    private var isDeferred = false
    private(set) var progress: SynchronizationReport.Progress

    /// The logical time at the start of the walk.
    private var start: UInt64 = 0

    init(collection: any RegisteredCollection, sender: OutboxSender, fetchesWhole: Bool) {
        self.collection = collection
        self.sender = sender
        self.fetchesWhole = fetchesWhole
        progress = .init(template: collection.template)
    }

    private var core: StoreCore { sender.core }

    /// Fetches changes to the collection, or the whole list.
    mutating func run() async throws(StoreError) {
        let (number, address) = (try await collection.number(in: core), collection.address)
        // The server has no list below an item that it has not created yet.
        let isUnresolved = try await core.read { (connection) throws(StoreError) in
            try connection.hasUnresolvedIdentifier(address)
        }
        if isUnresolved { return }
        checkpoint = try await core.read { (connection) throws(StoreError) in try connection.checkpoint(of: number) }
        core.discardRemovals(in: number)
        start = core.logicalTime
        if collection.resource.isSingleton { return try await readSingleton(in: number) }
        let delta = collection.delta
        let isDue = !checkpoint.needsWholeList && delta?.isDue(since: checkpoint.lastWholeFetch, at: core.now) ?? false
        if delta != nil, fetchesWhole || isDue {
            checkpoint.beginWholeWalk()
            return try await walk(in: number)
        }
        let isFeed = delta?.isFeed ?? false
        let cursor = checkpoint.cursor
        if cursor == nil || isFeed && !checkpoint.needsWholeList { checkpoint.beginWalk() }
        checkpoint.cursor = cursor
        let requestsChanges = cursor != nil || !checkpoint.fetchesWholeList && !isFeed
        do throws(StoreError) {
            try await walk(in: number)
        } catch {
            // The server no longer accepts the cursor or the time, for example because it has purged old tombstones.
            guard requestsChanges, progress.pages == 0, error.rejectsStartingPoint else { throw error }
            checkpoint.beginWholeWalk()
            try await walk(in: number)
        }
    }

    /// Walks the pages, starting at the checkpoint.
    private mutating func walk(in number: Int64) async throws(StoreError) {
        switch collection.delta?.form {
        case .updatedSince(let path, let query, let overlap):
            try await walkUntilStable(times: path, overlap: overlap, in: number) { (resource, since) in
                since.map { since in resource.with { Query(query, since.text) } } ?? resource
            }
        case .cursor: try await followFeed(in: number)
        case .entityTag: try await fetchIfChanged(in: number)
        case nil: try await walkUntilStable(in: number) { (resource, _) in resource }
        }
    }

    /// Walks a list or its changes, and repeats the walk if the list changes meanwhile.
    ///
    /// If the list changes during every attempt, the next synchronization continues.
    private mutating func walkUntilStable(
        times path: [String]? = nil,
        overlap: Duration = .zero,
        in number: Int64,
        _ changed: (_ resource: DocumentResource, _ since: ServerTime?) -> DocumentResource
    ) async throws(StoreError) {
        // Pages before the cursor may have changed since they were fetched.
        var wasInterrupted = checkpoint.cursor != nil
        var isCheck = false
        for _ in 0..<4 {
            let since = checkpoint.start(overlap: overlap)
            let list = ListWalk(purpose: since == nil ? .whole : isCheck ? .check : .changes, timePath: path)
            try await walk(changed(collection.resource, since).list(), list, in: number)
            guard mustWalkAgain || wasInterrupted && !hasUnidentifiedItems else { return }
            isCheck = since == nil && !wasInterrupted && checkpoint.mayHaveMissedItem
            wasInterrupted = false
            checkpoint.beginWalk()
            checkpoint.walk.isRepetition = mustWalkAgain
        }
    }

    /// Walks the pages of a list.
    private mutating func walk(
        _ endpoint: Endpoint<[DocumentResource.ListedDocument]>,
        _ list: ListWalk,
        in number: Int64
    ) async throws(StoreError) {
        var moment = core.logicalTime
        guard collection.resource.isPaginated else {
            let response = try await call { () async throws(APIError) in try await endpoint.response() }
            return try await store(FetchedPage(response, isLast: true), list, in: number, since: moment)
        }
        var pages = PageIterator(endpoint, from: checkpoint.cursor)
        while let page = try await call({ () async throws(APIError) in try await pages.next() }) {
            checkpoint.cursor = page.next
            try await store(page, list, in: number, since: moment)
            if page.isLast || isDeferred { return }
            moment = core.logicalTime
        }
    }

    /// Fetches the pages of a feed, and repeats an interrupted walk over the whole feed.
    private mutating func followFeed(in number: Int64) async throws(StoreError) {
        let wasInterrupted = checkpoint.walk.isResumed
        try await followFeedToEnd(in: number)
        // Rows created locally during the first part of the walk may be missing from its pages.
        guard checkpoint.needsWholeList, wasInterrupted, !hasUnidentifiedItems else { return }
        checkpoint.beginWalk()
        try await followFeedToEnd(in: number)
    }

    private mutating func followFeedToEnd(in number: Int64) async throws(StoreError) {
        let isWhole = checkpoint.needsWholeList
        var moment = core.logicalTime
        var cursor = checkpoint.cursor
        var pages = PageIterator(collection.resource.list(), from: cursor, isFeed: true)
        while let page = try await call({ () async throws(APIError) in try await pages.next() }) {
            let current = checkpoint.cursor
            // Do not save a cursor that leads to its own page, which `PageIterator` would reject as a loop.
            if let next = page.next, !next.repeatsItself, next.request != cursor?.request { cursor = next }
            if !checkpoint.walk.hasUnidentifiedItems { checkpoint.cursor = cursor }
            // A page with an unidentified item is requested again next time.
            let list = ListWalk(purpose: isWhole ? .whole : .changes, isFeed: true, retryCursor: current)
            try await store(page, list, in: number, since: moment)
            if page.isLast { return }
            moment = core.logicalTime
        }
    }

    /// Fetches the list if it has changed, using a conditional request.
    private mutating func fetchIfChanged(in number: Int64) async throws(StoreError) {
        let validator = checkpoint.validator
        let resource = collection.resource.with {
            if let validator {
                Header(validator.isTag ? .ifNoneMatch : .ifModifiedSince, validator.value)
            }
        }
        let moment = core.logicalTime
        let response: Response<[DocumentResource.ListedDocument]>
        do throws(StoreError) {
            response = try await call { () async throws(APIError) in try await resource.list().response() }
        } catch {
            if case .call(let error) = error, error.status?.code == 304, validator != nil { return }
            throw error
        }
        checkpoint.validator = Checkpoint.Validator(response.headerFields)
        try await store(FetchedPage(response, isLast: true), ListWalk(purpose: .whole), in: number, since: moment)
    }

    /// Fetches a singleton, removing its row if the server has no value.
    private mutating func readSingleton(in number: Int64) async throws(StoreError) {
        checkpoint.beginWalk()
        let (moment, resource) = (core.logicalTime, collection.resource)
        var document: JSONDocument?
        do throws(StoreError) {
            document = try await call { () async throws(APIError) in try await resource.read(nil).send() }.source
        } catch {
            guard case .call(let failure) = error, failure.isNotFound else { throw error }
        }
        let page = FetchedPage(document: document)
        try await store(page, ListWalk(purpose: .whole), in: number, since: moment)
    }

    private func call<Value>(
        _ body: () async throws(APIError) -> Value
    ) async throws(StoreError) -> Value {
        if Task.isCancelled { throw .cancelled }
        do throws(APIError) {
            return try await body()
        } catch {
            if case .cancelled = error { throw .cancelled }
            throw .call(error)
        }
    }

    /// Stores the items of a page, and the cursor of the next page.
    private mutating func store(
        _ page: FetchedPage,
        _ list: ListWalk,
        in number: Int64,
        since moment: UInt64
    ) async throws(StoreError) {
        // A request that created an item on the page may still be in flight.
        try await sender.waitForRequests(ofCollection: number)
        if let path = list.timePath { checkpoint.walk.recordTimes(of: page.items, at: path, page.date) }
        let (collection, core, now, start) = (collection, core, core.now, start)
        let current = checkpoint
        let result = try await core.write { (write) throws(StoreError) -> PageResult in
            var stored = StoredPage(
                write: write,
                number: number,
                collection: collection,
                core: core,
                now: now,
                checkpoint: current
            )
            try stored.store(page, list, since: moment, start: start)
            return stored.result
        }
        (checkpoint, mustWalkAgain, isDeferred) = (result.checkpoint, result.mustWalkAgain, result.isDeferred)
        hasUnidentifiedItems = hasUnidentifiedItems || result.hasUnidentifiedItems
        progress.pages += 1
        progress.changed += result.changed
        progress.removed += result.removed
        progress.unreadable += result.unreadable.count
        if page.isLast { progress.incomplete = result.incomplete }
        for failure in result.unreadable { core.events.publish(.unreadable(failure)) }
        for report in result.conflicts { core.events.publish(.conflict(report)) }
        core.events.publish(.pulled(progress))
        for row in result.uncertain { try await sender.refresh(row, of: collection) }
        if !result.conflicts.isEmpty { await sender.wake() }
    }
}

extension StoreError {
    /// Whether the server rejected a list request's cursor or time, or the cursor belongs to another query.
    fileprivate var rejectsStartingPoint: Bool {
        if case .call(.pagination(let failure)) = self, case .foreignQuery = failure.reason { return true }
        guard case .call(let error) = self, let status = error.status?.code else { return false }
        return [400, 404, 410, 416, 422].contains(status)
    }
}

extension Store.Delta {
    fileprivate var isFeed: Bool { if case .cursor = form { true } else { false } }

    /// Whether the whole list is due to be fetched.
    fileprivate func isDue(since last: Date?, at now: Date) -> Bool {
        guard let wholeEvery, let last else { return false }
        // If the clock was set back, do not wait longer than the interval.
        return now < last || now >= last + wholeEvery.timeInterval
    }
}
