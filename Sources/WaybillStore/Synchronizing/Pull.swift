import Waybill
import WaybillSystem

/// Fetches a collection, page by page: each page in one transaction with the place from which it goes on.
struct Pull {
    private let collection: any RegisteredCollection
    private let sender: OutboxSender
    private var checkpoint = Checkpoint()

    /// Whether the list has changed during the walk, so that it has to be walked again.
    private var mustWalkAgain = false
    private(set) var progress: SynchronizationReport.Progress

    /// The moment at which the walk began.
    private var start: UInt64 = 0

    init(collection: any RegisteredCollection, sender: OutboxSender) {
        self.collection = collection
        self.sender = sender
        progress = .init(template: collection.template)
    }

    private var core: StoreCore { sender.core }

    /// Fetches what has changed.
    mutating func run() async throws(StoreError) {
        let (number, url) = (try await collection.number(in: core), collection.url)
        // No server has what lies below an item that is not created yet.
        let isOpen = try await core.read { (connection) throws(StoreError) in try connection.hasOpenIdentifier(url) }
        if isOpen { return }
        checkpoint = try await core.read { (connection) throws(StoreError) in try connection.checkpoint(of: number) }
        start = core.moment
        let place = checkpoint.cursor
        if place == nil || collection.delta?.isFeed ?? false { checkpoint.begin() }
        checkpoint.cursor = place
        if collection.resource.isSingleton { return try await readSingleton(in: number) }
        do throws(StoreError) {
            try await walk(in: number)
        } catch {
            // The server does not know the place any more, as when the list has become shorter.
            guard place != nil, progress.pages == 0, error.isOfPlace else { throw error }
            checkpoint.begin()
            try await walk(in: number)
        }
    }

    /// Walks over the pages from the place of the checkpoint on.
    private mutating func walk(in number: Int64) async throws(StoreError) {
        switch collection.delta?.form {
        case .updatedSince(let path, let query, let overlap):
            try await walkUntilStable(times: path, in: number) { (resource, since) in
                since.map { since in resource.with { Query(query, since.text(minus: overlap)) } } ?? resource
            }
        case .cursor: try await follow(in: number)
        case .entityTag: try await compare(in: number)
        case nil: try await walkUntilStable(in: number) { (resource, _) in resource }
        }
    }

    /// Walks over a list, or over what has changed since the last walk; again if the list has changed meanwhile.
    ///
    /// If it does each time, the next synchronization goes on.
    private mutating func walkUntilStable(
        times path: [String]? = nil,
        in number: Int64,
        _ changed: (_ resource: DocumentResource, _ since: ServerTime?) -> DocumentResource
    ) async throws(StoreError) {
        // The pages before the place may have changed since they were fetched.
        var wasInterrupted = checkpoint.cursor != nil
        for _ in 0..<4 {
            let since = checkpoint.since
            let list = changed(collection.resource, since).list()
            try await walk(list, in: number, isWhole: since == nil, times: path)
            guard mustWalkAgain || wasInterrupted && progress.unreadable == 0 else { return }
            wasInterrupted = false
            checkpoint.begin()
            checkpoint.walk.isRepetition = mustWalkAgain
        }
    }

    /// Walks over the pages of a list.
    ///
    /// - Parameters:
    ///   - endpoint: the list.
    ///   - number: the number of the collection.
    ///   - isWhole: whether the list has all items: rows that are not in it are removed at its end.
    ///   - path: the member of an item with the time of its last change.
    /// - Throws: the error of a page, or of the database.
    private mutating func walk(
        _ endpoint: Endpoint<[DocumentResource.Document]>,
        in number: Int64,
        isWhole: Bool,
        times path: [String]? = nil
    ) async throws(StoreError) {
        var cursor = checkpoint.cursor
        repeat {
            let moment = core.moment
            let page = try await page(of: endpoint, after: cursor)
            if let path { checkpoint.note(page.items, at: path) }
            cursor = page.next
            checkpoint.cursor = cursor
            let isLast = cursor == nil
            try await store(page.items, in: number, since: moment, isLast: isLast, sweeps: isWhole)
        } while cursor != nil
    }

    /// Follows a feed, whose last page has the cursor of what comes later.
    private mutating func follow(in number: Int64) async throws(StoreError) {
        let endpoint = collection.resource.list()
        var cursor = checkpoint.cursor
        while true {
            let moment = core.moment
            let page = try await page(of: endpoint, after: cursor)
            let isLast = page.items.isEmpty || page.next == nil || page.next?.request == cursor?.request
            if let next = page.next { cursor = next }
            // A page with an item that could not be read is asked for again the next time.
            let place = checkpoint.cursor
            if !checkpoint.walk.hasUnreadable { checkpoint.cursor = cursor }
            try await store(page.items, in: number, since: moment, isLast: isLast, sweeps: false, ifUnreadable: place)
            if isLast { return }
        }
    }

    /// Fetches the list if it has changed since the last time.
    private mutating func compare(in number: Int64) async throws(StoreError) {
        let validator = checkpoint.validator
        let resource = collection.resource.with {
            if let validator {
                Header(validator.isTag ? .ifNoneMatch : .ifModifiedSince, validator.value)
            }
        }
        let moment = core.moment
        let response: Response<[DocumentResource.Document]>
        do throws(APIError) {
            response = try await resource.list().response()
        } catch {
            if error.status?.code == 304, validator != nil { return }
            throw .call(error)
        }
        checkpoint.validator = Checkpoint.Validator(response.headerFields)
        try await store(response.value, in: number, since: moment, isLast: true, sweeps: true)
    }

    /// Fetches a resource that exists once; it is removed if the server has none.
    private mutating func readSingleton(in number: Int64) async throws(StoreError) {
        if Task.isCancelled { throw .cancelled }
        let moment = core.moment
        var items: [DocumentResource.Document] = []
        do throws(APIError) {
            items = [try await collection.resource.read(nil).send()]
        } catch {
            if case .cancelled = error { throw .cancelled }
            guard error.isNotFound else { throw .call(error) }
        }
        try await store(items, in: number, since: moment, isLast: true, sweeps: true)
    }

    private func page(
        of endpoint: Endpoint<[DocumentResource.Document]>,
        after cursor: Cursor?
    ) async throws(StoreError) -> (items: [DocumentResource.Document], next: Cursor?) {
        if Task.isCancelled { throw .cancelled }
        do throws(APIError) {
            guard collection.resource.isPaginated else { return (try await endpoint.send(), nil) }
            let page = if let cursor { try await endpoint.page(at: cursor) } else { try await endpoint.page() }
            return (page.items, page.next)
        } catch {
            if case .cancelled = error { throw .cancelled }
            throw .call(error)
        }
    }

    /// Stores the items of a page, and the place from which the walk goes on.
    private mutating func store(
        _ items: [DocumentResource.Document],
        in number: Int64,
        since moment: UInt64,
        isLast: Bool,
        sweeps: Bool,
        ifUnreadable place: Cursor?? = nil
    ) async throws(StoreError) {
        // A new item is on the page, and perhaps its creation is under way here.
        await sender.settle()
        let (collection, core, now, start) = (collection, core, core.now, start)
        if isLast { checkpoint.completed = now }
        let current = checkpoint
        let result = try await core.write { (write) throws(StoreError) -> PageResult in
            var result = PageResult()
            for item in items {
                try write.pull(item.json, in: number, collection, (current.generation, now, moment), core, &result)
            }
            var checkpoint = current
            checkpoint.walk.note(result, count: items.count)
            if !result.unreadable.isEmpty {
                checkpoint.validator = nil
                if let place { checkpoint.cursor = place }
            }
            let isPositional = collection.resource.pagesByPosition
            let isWhole = !checkpoint.walk.hasUnreadable && !checkpoint.walk.mayMissItems(isPositional: isPositional)
            if isLast, sweeps, isWhole {
                // A row that a write has changed during the walk may be newer than the pages.
                try write.sweep(
                    number,
                    collection,
                    before: current.generation,
                    except: { core.wasSettled($0, since: start) },
                    &result
                )
            }
            if isLast { result.mustWalkAgain = checkpoint.confirm(isPositional: isPositional) }
            // Time may have passed without a change.
            if isLast { try write.removeBeyondBound(of: number, at: now) }
            try write.save(checkpoint, of: number)
            result.checkpoint = checkpoint
            return result
        }
        (checkpoint, mustWalkAgain) = (result.checkpoint, result.mustWalkAgain)
        progress.pages += 1
        progress.changed += result.changed
        progress.removed += result.removed
        progress.unreadable += result.unreadable.count
        for failure in result.unreadable { core.events.send(.unreadable(failure)) }
        for report in result.conflicts { core.events.send(.conflict(report)) }
        core.events.send(.pulled(progress))
        try await refresh(result.uncertain, in: number)
        if !result.conflicts.isEmpty { await sender.wake() }
    }

    /// Reads rows one by one that a write changed while their page was on its way: the page may have had older ones.
    private func refresh(_ rows: [Int64], in number: Int64) async throws(StoreError) {
        for row in rows {
            guard let stored = try await core.read({ (connection) throws(StoreError) in try connection.row(row) }),
                stored.pending == 0
            else { continue }
            try await sender.refresh(stored, of: collection)
        }
    }
}

/// The result of storing a page.
struct PageResult: Sendable {
    var checkpoint = Checkpoint()
    var mustWalkAgain = false

    /// Whether an item was on an earlier page of the walk.
    var isShifted = false

    /// Whether an item was deleted.
    var hasDeletion = false
    var changed = 0
    var removed = 0
    var unreadable: [StoreError.ItemFailure] = []
    var conflicts: [StoreConflict] = []

    /// The rows whose versions on the page may be older than those of the store.
    var uncertain: [Int64] = []
}

extension StoreError {
    /// Whether a server says that it does not know the place from which a list is asked for.
    fileprivate var isOfPlace: Bool {
        guard case .call(let error) = self, let status = error.status?.code else { return false }
        return [400, 404, 410, 416, 422].contains(status)
    }
}

extension Delta {
    fileprivate var isFeed: Bool { if case .cursor = form { true } else { false } }
}
