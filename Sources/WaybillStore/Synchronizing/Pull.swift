import Waybill
import WaybillSystem

/// A synchronization of one collection, which stores each page and the next cursor in one transaction.
struct Pull {
    private let collection: any RegisteredCollection
    private let sender: OutboxSender

    /// Whether to fetch the whole list even where only changes could be fetched.
    private let fetchesWhole: Bool
    private var checkpoint = Checkpoint()

    /// Whether the list changed during the walk, so that it must be walked again.
    private var mustWalkAgain = false

    /// Whether a page of this synchronization contained an item without a readable id.
    private var hasUnidentified = false

    /// Whether the rest of the walk is left to the next synchronization.
    private var isLeft = false
    private(set) var progress: SynchronizationReport.Progress

    /// The logical time at which the walk began.
    private var start: UInt64 = 0

    init(collection: any RegisteredCollection, sender: OutboxSender, fetchesWhole: Bool) {
        self.collection = collection
        self.sender = sender
        self.fetchesWhole = fetchesWhole
        progress = .init(template: collection.template)
    }

    private var core: StoreCore { sender.core }

    /// Fetches the changes of the collection.
    mutating func run() async throws(StoreError) {
        let (number, address) = (try await collection.number(in: core), collection.address)
        // The server has no list below an item that has not been created yet.
        let isOpen = try await core.read { (connection) throws(StoreError) in try connection.hasOpenIdentifier(address)
        }
        if isOpen { return }
        checkpoint = try await core.read { (connection) throws(StoreError) in try connection.checkpoint(of: number) }
        core.discardRemovals(in: number)
        start = core.logicalTime
        if collection.resource.isSingleton { return try await readSingleton(in: number) }
        let delta = collection.delta
        let isDue = !checkpoint.needsWhole && delta?.isDue(since: checkpoint.whole, at: core.now) ?? false
        if delta != nil, fetchesWhole || isDue {
            checkpoint.beginWhole()
            return try await walk(in: number)
        }
        let isFeed = delta?.isFeed ?? false
        let place = checkpoint.cursor
        if place == nil || isFeed && !checkpoint.needsWhole { checkpoint.begin() }
        checkpoint.cursor = place
        let asksForChanges = place != nil || !checkpoint.isWhole && !isFeed
        do throws(StoreError) {
            try await walk(in: number)
        } catch {
            // The server no longer accepts the cursor or the time, for example because it has purged its tombstones.
            guard asksForChanges, progress.pages == 0, error.isOfPlace else { throw error }
            checkpoint.beginWhole()
            try await walk(in: number)
        }
    }

    /// Walks the pages, starting from the checkpoint.
    private mutating func walk(in number: Int64) async throws(StoreError) {
        switch collection.delta?.form {
        case .updatedSince(let path, let query, let overlap):
            try await walkUntilStable(times: path, overlap: overlap, in: number) { (resource, since) in
                since.map { since in resource.with { Query(query, since.text) } } ?? resource
            }
        case .cursor: try await follow(in: number)
        case .entityTag: try await compare(in: number)
        case nil: try await walkUntilStable(in: number) { (resource, _) in resource }
        }
    }

    /// Walks a list or its changes, and repeats the walk if the list has changed in the meantime.
    ///
    /// If the list changes during every attempt, the next synchronization continues.
    private mutating func walkUntilStable(
        times path: [String]? = nil,
        overlap: Duration = .zero,
        in number: Int64,
        _ changed: (_ resource: DocumentResource, _ since: ServerTime?) -> DocumentResource
    ) async throws(StoreError) {
        // The pages before the cursor may have changed since they were fetched.
        var wasInterrupted = checkpoint.cursor != nil
        var isCheck = false
        for _ in 0..<4 {
            let since = checkpoint.start(overlap: overlap)
            let list = ListWalk(purpose: since == nil ? .whole : isCheck ? .check : .changes, times: path)
            try await walk(changed(collection.resource, since).list(), list, in: number)
            guard mustWalkAgain || wasInterrupted && !hasUnidentified else { return }
            isCheck = since == nil && !wasInterrupted && checkpoint.isUnchecked
            wasInterrupted = false
            checkpoint.begin()
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
            if page.isLast || isLeft { return }
            moment = core.logicalTime
        }
    }

    /// Follows a feed, whose last page contains the cursor for later changes.
    private mutating func follow(in number: Int64) async throws(StoreError) {
        let wasInterrupted = checkpoint.walk.isResumed
        try await followToEnd(in: number)
        // The feed may not contain rows that were created locally during its first part.
        guard checkpoint.needsWhole, wasInterrupted, !hasUnidentified else { return }
        checkpoint.begin()
        try await followToEnd(in: number)
    }

    private mutating func followToEnd(in number: Int64) async throws(StoreError) {
        let isWhole = checkpoint.needsWhole
        var moment = core.logicalTime
        var place = checkpoint.cursor
        var pages = PageIterator(collection.resource.list(), from: place, isFeed: true)
        while let page = try await call({ () async throws(APIError) in try await pages.next() }) {
            let before = checkpoint.cursor
            // `PageIterator` would reject a cursor that leads to its own page as a loop.
            if let next = page.next, !next.repeatsItself, next.request != place?.request { place = next }
            if !checkpoint.walk.hasUnidentified { checkpoint.cursor = place }
            // A page with an item that could not be read is requested again next time.
            let list = ListWalk(purpose: isWhole ? .whole : .changes, isFeed: true, place: before)
            try await store(page, list, in: number, since: moment)
            if page.isLast { return }
            moment = core.logicalTime
        }
    }

    /// Fetches the list if it has changed since the last synchronization.
    private mutating func compare(in number: Int64) async throws(StoreError) {
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

    /// Fetches a singleton, and removes its row if the server has no value.
    private mutating func readSingleton(in number: Int64) async throws(StoreError) {
        checkpoint.begin()
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
        // The request that creates an item on the page may still be in flight.
        try await sender.waitForRequests(ofCollection: number)
        if let path = list.times { checkpoint.walk.note(page.items, at: path, page.date) }
        let (collection, core, now, start) = (collection, core, core.now, start)
        let current = checkpoint
        let result = try await core.write { (write) throws(StoreError) -> PageResult in
            var step = StoredPage(
                write: write,
                number: number,
                collection: collection,
                core: core,
                now: now,
                checkpoint: current
            )
            try step.store(page, list, since: moment, start: start)
            return step.result
        }
        (checkpoint, mustWalkAgain, isLeft) = (result.checkpoint, result.mustWalkAgain, result.isLeft)
        hasUnidentified = hasUnidentified || result.hasUnidentified
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
    /// Whether the server rejected the cursor or the time of a list request, or the cursor belongs to another query.
    fileprivate var isOfPlace: Bool {
        if case .call(.pagination(let failure)) = self, case .foreignQuery = failure.reason { return true }
        guard case .call(let error) = self, let status = error.status?.code else { return false }
        return [400, 404, 410, 416, 422].contains(status)
    }
}

extension Delta {
    fileprivate var isFeed: Bool { if case .cursor = form { true } else { false } }

    /// Whether fetching the whole list is due.
    fileprivate func isDue(since last: Date?, at now: Date) -> Bool {
        guard let wholeEvery, let last else { return false }
        // If the clock was set back, fetch now instead of waiting longer.
        return now < last || now >= last + wholeEvery.timeInterval
    }
}
