/// The state of a walk: the next step, and the data from earlier pages that determines it.
struct PageWalk: Sendable {
    /// The next step of a walk.
    private enum Step: Sendable {
        /// Fetch the page at a cursor, or the first page.
        case page(Cursor?)
        case failure(APIError)
        case end
    }

    private var step: Step
    private var visited: Set<Paginated.Scheme.Request> = []
    private var visitedURLs: Set<BytewiseString> = []
    private var pageCount = 0
    /// The number of items before the next page; nil if unknown.
    private var itemCount: Int?
    /// The largest total reported by any page.
    private var largestTotal: Int?
    /// The declared flags and counts that have been absent from every page so far; nil before the first page.
    private var missing: [Paginated.Scheme.Place]?
    /// Whether the walk started at the first page.
    private var hasBeginning: Bool
    private var nonemptyPageCount = 0
    /// The checksum of the latest page; nil if that page has no items.
    private var lastChecksum: UInt64?
    private var history = PageHistory()
    private var shrinking = ShrinkingList()

    init(from start: Cursor?) {
        step = .page(start)
        itemCount = start == nil ? 0 : start?.itemsBefore
        hasBeginning = start == nil
        if let start { visited.insert(start.request) }
    }

    /// Fetches the next page; returns nil after the last one.
    ///
    /// The walk ends after this page unless the page is then passed to ``add(_:)``.
    mutating func next<Page>(
        _ fetch: (Cursor?) async throws(APIError) -> Page
    ) async throws(APIError) -> Page? {
        let step = step
        self.step = .end
        switch step {
        case .end: return nil
        case .failure(let error): throw error
        case .page(let cursor): return try await fetch(cursor)
        }
    }

    /// Adds the most recently fetched page.
    ///
    /// If the walk cannot continue after this page, the error is thrown when the next page is requested, because this
    /// page is valid.
    ///
    /// - Throws: ``APIError/pagination(_:)`` if the page repeats the items of an earlier one.
    mutating func add(_ page: PageReading) throws(APIError) {
        if page.requested.paginated.repeats != .items, let checksum = page.checksum {
            if checksum == lastChecksum { throw page.failure(.repeatedItems, at: page.requested.cursor) }
            if let number = history.add(checksum, identifiesItems: page.identifiesItems) {
                let startedOver = number == 1 && hasBeginning && page.requested.isNumbered
                throw page.failure(startedOver ? .startedOver : .itemsOfEarlierPage(number), at: page.requested.cursor)
            }
        }
        lastChecksum = page.checksum
        step = step(after: page)
    }

    /// Steps back instead of adding the most recently fetched page if the list has shrunk since the previous one.
    ///
    /// Later items may have moved to earlier pages.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - hasIDs: whether items have ids, which are needed to recognize those already returned.
    ///   - returnedCount: the number of the page's items already returned by streaming.
    /// - Returns: whether the walk has stepped back.
    /// - Throws: ``APIError/pagination(_:)`` if the walk cannot step back.
    mutating func goBack(from page: PageReading, hasIDs: Bool, returnedCount: Int = 0) throws(APIError) -> Bool {
        guard page.requested.paginated.totals == .exact, let count = shrinking.count(at: page) else { return false }
        let back: Cursor?
        do throws(PaginationProblem) {
            back = try shrinking.cursor(back: count, from: page)
        } catch {
            throw page.failure(.unreadable(error.description), at: page.requested.cursor)
        }
        guard let back else { return false }
        guard hasIDs else { throw page.failure(.removedItems(count: count), at: page.requested.cursor) }
        itemCount = itemCount.map { $0 + returnedCount }
        // From here on, requests and items may repeat.
        (visited, visitedURLs, lastChecksum) = ([], [], nil)
        step = .page(back)
        return true
    }

    /// Records an item; returns false if it was already returned before the walk stepped back.
    mutating func take(_ hash: UInt64) -> Bool { shrinking.take(hash) }

    /// Fetches and adds the next page; returns nil after the last one.
    mutating func nextPage<Element>(_ fetch: Pages<Element>.Fetch) async throws(APIError) -> Page<Element>? {
        let hash = ItemID.hash(of: Element.self)
        while let page = try await next(fetch) {
            if try goBack(from: page.reading, hasIDs: hash != nil) { continue }
            guard let hash, page.reading.requested.isNumbered else {
                try add(page.reading)
                return page
            }
            let new = page.items.filter { take(hash($0)) }
            guard shrinking.hasGoneBack, new.count < page.items.count else {
                try add(page.reading)
                return page
            }
            let rest = Page(
                items: new,
                response: page.response,
                reading: page.reading.leavingOut(page.items.count - new.count)
            )
            try add(rest.reading)
            if !new.isEmpty { return rest }
        }
        return nil
    }

    /// Returns the cursor of the page after the given one; nil if the walk ends or fails there.
    func cursor(after page: PageReading) -> Cursor? {
        var walk = self
        guard case .page(let cursor) = walk.step(after: page) else { return nil }
        return cursor
    }

    private mutating func step(after page: PageReading) -> Step {
        pageCount += 1
        if page.requested.beginsWithinList { (itemCount, hasBeginning) = (nil, false) }
        itemCount = itemCount.map { $0 + page.itemCount }
        if page.itemCount > 0 { nonemptyPageCount += 1 }
        if let total = page.total { largestTotal = max(total, largestTotal ?? total) }
        missing = missing?.filter(page.missing.contains) ?? page.missing
        let paginated = page.requested.paginated
        guard let cursor = page.next else {
            let reason = reasonAgainstEnd(after: page)
            return reason.map { .failure(page.failure($0, at: page.requested.plan.cursor)) } ?? .end
        }
        guard paginated.repeats != .never || leadsToNewPage(cursor, from: page) else {
            return .failure(page.failure(.loop, at: cursor))
        }
        if paginated.scheme?.startsOver == true, cursor.beginning == nil {
            return .failure(page.failure(.unknownBeginning, at: cursor))
        }
        if let limit = paginated.maximumPages, pageCount >= limit {
            return .failure(page.failure(.tooManyPages(limit: limit), at: cursor))
        }
        return .page(cursor)
    }

    /// Returns the reason why a page without a next page cannot be the last one; nil if it can.
    private func reasonAgainstEnd(after page: PageReading) -> APIError.PaginationFailure.Reason? {
        if let flag = missing?.first(where: { $0.role == .flag }), nonemptyPageCount > 1 {
            // Servers may omit a false flag, but every page followed by a nonempty one must contain a true flag.
            return .unreadable(absence(of: flag))
        }
        guard page.requested.paginated.totals == .exact else { return nil }
        if let itemCount, let total = page.total {
            if itemCount < total { return .missingItems(count: itemCount, total: total) }
            // Later totals exclude items removed during the walk or, for a stored cursor, before it resumed.
            if hasBeginning, let largestTotal, itemCount > largestTotal {
                return .excessItems(count: itemCount, total: largestTotal)
            }
        }
        // Servers may omit the total of an empty list, or send it only with a page before the start of this walk.
        guard hasBeginning, nonemptyPageCount > 0, let count = missing?.first(where: \.isCount) else { return nil }
        return .unreadable(
            "\(absence(of: count)); if the server does not always send it, declare Paginated(…, totals: .estimated)"
        )
    }

    private func absence(of place: Paginated.Scheme.Place) -> String {
        "Paginated declares \(place.declaration), but no page has had such a value; correct its place, or leave it out"
    }

    /// Records a cursor's request, and returns whether its page has not been read yet.
    private mutating func leadsToNewPage(_ cursor: Cursor, from page: PageReading) -> Bool {
        var isKnownURL = false
        if let url = cursor.request.url {
            // The request for the first page has no URL, so a link back to it can match only the URL of its response.
            let redaction = CursorRedaction(of: page.requested.plan, sent: page.secrets)
            visitedURLs.insert(BytewiseString(redaction.url(page.url.absoluteString)))
            isKnownURL = visitedURLs.contains(BytewiseString(url))
        }
        return !cursor.repeatsItself && !isKnownURL && visited.insert(cursor.request).inserted
    }
}

/// A page fetcher for a walk, with optional read-ahead.
///
/// Pages are fetched sequentially, because each page determines the next request.
final class PageFetcher<Element: Sendable> {
    /// The result of a fetch, and the state of the walk after it.
    private struct Fetched: Sendable {
        let page: Result<Page<Element>?, APIError>
        let walk: PageWalk
    }

    private var walk: PageWalk
    private let readAhead: Int
    private let fetch: Pages<Element>.Fetch
    /// The fetch tasks for the next page and those after it; each waits for the previous one.
    private var tasks: [Task<Fetched, Never>] = []

    init(_ walk: PageWalk, readAhead: Int, _ fetch: @escaping Pages<Element>.Fetch) {
        self.walk = walk
        // More tasks would only wait for one another.
        self.readAhead = min(readAhead, 64)
        self.fetch = fetch
    }

    deinit { for task in tasks { task.cancel() } }

    /// Returns the next page; nil after the last one.
    func next() async throws(APIError) -> Page<Element>? {
        guard readAhead > 0 else {
            return try await walk.nextPage(fetch)
        }
        while tasks.count <= readAhead { tasks.append(Self.task(walk, after: tasks.last, fetch)) }
        let running = tasks
        let fetched = await withTaskCancellationHandler {
            await running[0].value
        } onCancel: {
            for task in running { task.cancel() }
        }
        walk = fetched.walk
        tasks.removeFirst()
        if case .success(.some) = fetched.page { return try fetched.page.get() }
        for task in tasks { task.cancel() }
        tasks = []
        return try fetched.page.get()
    }

    private static func task(
        _ walk: PageWalk,
        after last: Task<Fetched, Never>?,
        _ fetch: @escaping Pages<Element>.Fetch
    ) -> Task<Fetched, Never> {
        Task<Fetched, Never> {
            guard let last else { return await next(walk, fetch) }
            let before = await last.value
            // There is nothing to fetch after a failure or the last page.
            guard case .success(.some) = before.page else { return Fetched(page: .success(nil), walk: before.walk) }
            return await next(before.walk, fetch)
        }
    }

    private static func next(_ walk: PageWalk, _ fetch: Pages<Element>.Fetch) async -> Fetched {
        var walk = walk
        do throws(APIError) {
            return Fetched(page: .success(try await walk.nextPage(fetch)), walk: walk)
        } catch {
            return Fetched(page: .failure(error), walk: walk)
        }
    }
}

/// The checksum of a page's items, used to detect a repeated page.
///
/// It covers the items' ids, regardless of order, or the bytes of the body if items have no ids.
struct PageChecksum<Element: Sendable> {
    private let hash = ItemID.hash(of: Element.self)
    private var sum: UInt64 = 0
    private var count = 0

    /// Whether the checksum covers ids.
    var identifiesItems: Bool { hash != nil }

    /// Adds an item.
    mutating func add(_ element: Element) {
        count += 1
        if let hash { sum &+= hash(element) }
    }

    /// Returns the checksum of the items.
    ///
    /// - Parameter bodySum: returns the checksum of the body, for items without ids; nil if unknown.
    /// - Returns: the checksum; nil for a page without items.
    func value(bodySum: () -> UInt64?) -> UInt64? {
        guard count > 0 else { return nil }
        return hash == nil ? bodySum() : sum
    }
}
