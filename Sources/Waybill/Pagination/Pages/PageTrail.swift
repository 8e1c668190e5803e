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
        /// The declared flags and counts that the page does not have.
        let missing: [Paginated.Scheme.Place]
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
    private var visited: Set<Paginated.Scheme.Request> = []
    private var visitedURLs: Set<BytewiseString> = []
    private var count = 0
    /// The items before the next page; nil if that is not known.
    private var itemCount: Int?
    /// The largest total that a page has given.
    private var largestTotal: Int?
    /// The declared flags and counts that no page has had; nil before the first page.
    private var missing: [Paginated.Scheme.Place]?
    /// Whether the walk has begun at the first page.
    private let hasBeginning: Bool
    /// The number of pages with items.
    private var filledCount = 0

    init(start: Cursor?, rules: PageWalkRules) {
        self.rules = rules
        itemCount = start == nil ? 0 : start?.itemsBefore
        hasBeginning = start == nil
        if let start { visited.insert(start.request) }
    }

    /// Returns the step that follows a page, which then belongs to the trail.
    ///
    /// A failure that stops the walk there is for the next page: this page is good.
    mutating func following(_ page: Step) -> Next {
        count += 1
        itemCount = itemCount.map { $0 + page.itemCount }
        if page.itemCount > 0 { filledCount += 1 }
        if let total = page.total { largestTotal = max(total, largestTotal ?? total) }
        missing = missing?.filter(page.missing.contains) ?? page.missing
        guard let cursor = page.next else {
            return reasonAgainstEnd(after: page).map { .failure(page.failure($0, page.plan.cursor)) } ?? .end
        }
        guard rules.repeats != .never || leadsOn(cursor, from: page) else {
            return .failure(page.failure(.loop, cursor))
        }
        if let limit = rules.maximumPages, count >= limit {
            return .failure(page.failure(.tooManyPages(limit: limit), cursor))
        }
        return .page(cursor)
    }

    /// Returns the reason for which a page without a next one cannot be the end of the list; nil if it can.
    private func reasonAgainstEnd(after page: Step) -> APIError.PaginationFailure.Reason? {
        if let flag = missing?.first(where: { $0.role == .flag }), filledCount > 1 {
            // A server may leave out a flag that is false, but not on a page that another one with items follows.
            return .unreadable(absence(of: flag))
        }
        guard rules.totals == .exact else { return nil }
        if let itemCount, let total = page.total {
            if itemCount < total { return .missingItems(count: itemCount, total: total) }
            // Items that were removed during the walk, or before one from a stored cursor, are in no later total.
            if hasBeginning, let largestTotal, itemCount > largestTotal {
                return .excessItems(count: itemCount, total: largestTotal)
            }
        }
        // A server may leave out the total of an empty list, and may have sent it with a page before the first one.
        guard hasBeginning, filledCount > 0, let count = missing?.first(where: \.isCount) else { return nil }
        return .unreadable(
            "\(absence(of: count)); if the server does not always send it, declare Paginated(…, totals: .estimated)"
        )
    }

    private func absence(of place: Paginated.Scheme.Place) -> String {
        "Paginated declares \(place.declaration), but no page has had such a value; correct its place, or leave it out"
    }

    /// Whether a cursor leads to a page that was not read before.
    private mutating func leadsOn(_ cursor: Cursor, from page: Step) -> Bool {
        var isKnownURL = false
        if let url = cursor.request.url {
            // The first page may be known by its URL alone.
            let redaction = CursorRedaction(of: page.plan, sent: page.url.redaction)
            visitedURLs.insert(BytewiseString(redaction.url(page.url.value.absoluteString)))
            isKnownURL = visitedURLs.contains(BytewiseString(url))
        }
        return !cursor.repeatsItself && !isKnownURL && visited.insert(cursor.request).inserted
    }
}
