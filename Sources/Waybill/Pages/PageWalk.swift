/// A walk from page to page: where it is, where it has been, and when it is over.
struct PageWalk<Element: Sendable>: Sendable {
    private enum Place {
        case at(Cursor?)
        case failed(APIError)
        case over
    }

    private let fetch: Pages<Element>.Fetch
    private let rules: PageWalkRules
    private var place: Place
    private var visited: Set<PageRequest> = []
    private var visitedURLs: Set<BytewiseString> = []
    private var count = 0
    /// The items before the next page; nil if that is not known.
    private var itemCount: Int?
    private var last: Page<Element>?

    init(start: Cursor?, rules: PageWalkRules, fetch: @escaping Pages<Element>.Fetch) {
        self.fetch = fetch
        self.rules = rules
        place = .at(start)
        itemCount = start == nil ? 0 : start?.itemsBefore
        if let start { visited.insert(start.request) }
    }

    mutating func next() async throws(APIError) -> Page<Element>? {
        let place = place
        self.place = .over
        switch place {
        case .over: return nil
        case .failed(let error): throw error
        case .at(let cursor):
            let page = try await fetch(cursor)
            if rules.repeats != .items, let last, page.repeatsItems(of: last) {
                throw failure(.repeatedItems, page, cursor)
            }
            count += 1
            itemCount = itemCount.map { $0 + page.items.count + page.response.droppedItems.count }
            last = page
            self.place = following(page)
            return page
        }
    }

    /// The place behind a page.
    ///
    /// What stops the walk there is thrown only when the next page is asked for: this page is good.
    private mutating func following(_ page: Page<Element>) -> Place {
        guard let cursor = page.next else {
            guard rules.totals == .exact, let total = page.total, let itemCount, itemCount < total else { return .over }
            return .failed(failure(.missingItems(count: itemCount, total: total), page, page.plan.cursor))
        }
        guard rules.repeats != .never || leadsOn(cursor, from: page) else {
            return .failed(failure(.loop, page, cursor))
        }
        if let limit = rules.maximumPages, count >= limit {
            return .failed(failure(.tooManyPages(limit: limit), page, cursor))
        }
        return .at(cursor)
    }

    /// Whether a cursor leads to a page that was not read before.
    private mutating func leadsOn(_ cursor: Cursor, from page: Page<Element>) -> Bool {
        var isKnownURL = false
        if let url = cursor.request.url {
            // The first page may be known by its URL alone.
            let redaction = CursorRedaction(of: page.plan, sent: page.response.url.secrets)
            visitedURLs.insert(BytewiseString(redaction.url(page.response.url.absoluteString)))
            isKnownURL = visitedURLs.contains(BytewiseString(url))
        }
        return !cursor.repeatsItself && !isKnownURL && visited.insert(cursor.request).inserted
    }

    private func failure(_ reason: PaginationFailure.Reason, _ page: Page<Element>, _ cursor: Cursor?) -> APIError {
        var call = page.plan.failedCall()
        call.cursor = cursor
        return .pagination(PaginationFailure(call: call, status: page.response.status, reason: reason))
    }
}

extension Page {
    /// Whether a page has the items of the one before: by their ids, or if they have none, by the bytes of the body.
    fileprivate func repeatsItems(of other: Page) -> Bool {
        guard !items.isEmpty, items.count == other.items.count else { return false }
        if let type = Element.self as? any Identifiable.Type { return Self.haveSameIDs(type, items, other.items) }
        return response.body == other.response.body
    }

    private static func haveSameIDs<Item: Identifiable>(_ type: Item.Type, _ left: Any, _ right: Any) -> Bool {
        guard let left = left as? [Item], let right = right as? [Item] else { return false }
        return left.elementsEqual(right) { $0.id == $1.id }
    }
}
