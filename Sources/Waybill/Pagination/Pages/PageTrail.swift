/// The pages that a walk has read: they decide whether it goes on.
struct PageTrail: Sendable {
    /// The next step of a walk.
    enum Next: Sendable {
        /// Another page; the first one without a cursor.
        case page(Cursor?)
        case failure(APIError)
        case end
    }

    /// The facts about a page that a walk uses.
    struct Step: Sendable {
        let next: Cursor?
        let total: Int?
        /// The number of items, dropped ones included.
        let itemCount: Int
        let plan: Plan
        let url: HTTPURL
        let status: HTTPResponse.Status

        /// Returns the failure of a walk at the page.
        func failure(_ reason: APIError.PaginationFailure.Reason, _ cursor: Cursor?) -> APIError {
            var call = plan.failedCall()
            call.cursor = cursor
            return .pagination(APIError.PaginationFailure(call: call, status: status, reason: reason))
        }
    }

    private let rules: PageWalkRules
    private var visited: Set<Pagination.Request> = []
    private var visitedURLs: Set<BytewiseString> = []
    private var count = 0
    /// The items before the next page; nil if that is not known.
    private var itemCount: Int?

    init(start: Cursor?, rules: PageWalkRules) {
        self.rules = rules
        itemCount = start == nil ? 0 : start?.itemsBefore
        if let start { visited.insert(start.request) }
    }

    /// Returns the step that follows a page, which then belongs to the trail.
    ///
    /// A failure that stops the walk there is for the next page: this page is good.
    mutating func following(_ page: Step) -> Next {
        count += 1
        itemCount = itemCount.map { $0 + page.itemCount }
        guard let cursor = page.next else {
            guard rules.totals == .exact, let total = page.total, let itemCount, itemCount < total else { return .end }
            return .failure(page.failure(.missingItems(count: itemCount, total: total), page.plan.cursor))
        }
        guard rules.repeats != .never || leadsOn(cursor, from: page) else {
            return .failure(page.failure(.loop, cursor))
        }
        if let limit = rules.maximumPages, count >= limit {
            return .failure(page.failure(.tooManyPages(limit: limit), cursor))
        }
        return .page(cursor)
    }

    /// Whether a cursor leads to a page that was not read before.
    private mutating func leadsOn(_ cursor: Cursor, from page: Step) -> Bool {
        var isKnownURL = false
        if let url = cursor.request.url {
            // The first page may be known by its URL alone.
            let redaction = CursorRedaction(of: page.plan, sent: page.url.redaction)
            visitedURLs.insert(BytewiseString(redaction.url(page.url.absoluteString)))
            isKnownURL = visitedURLs.contains(BytewiseString(url))
        }
        return !cursor.repeatsItself && !isKnownURL && visited.insert(cursor.request).inserted
    }
}
