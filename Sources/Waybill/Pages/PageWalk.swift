/// A walk from page to page: where it is, where it has been, and when it is over.
struct PageWalk<Element: Sendable>: Sendable {
    private enum Place {
        case at(Cursor?)
        case failed(APIError)
        case over
    }

    private let fetch: Pages<Element>.Fetch
    private let limit: Int?
    private var place: Place
    private var visited: Set<PageRequest> = []
    private var visitedURLs: Set<BytewiseString> = []
    private var count = 0

    init(start: Cursor?, limit: Int?, fetch: @escaping Pages<Element>.Fetch) {
        self.fetch = fetch
        self.limit = limit
        place = .at(start)
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
            count += 1
            self.place = following(page)
            return page
        }
    }

    /// The place behind a page.
    ///
    /// What stops the walk there is thrown only when the next page is asked for: this page is good.
    private mutating func following(_ page: Page<Element>) -> Place {
        guard let cursor = page.next else { return .over }
        var isKnownURL = false
        if let url = cursor.request.url {
            // The first page may be known by its URL alone.
            let redaction = CursorRedaction(of: page.plan, sent: page.response.url.secrets)
            visitedURLs.insert(BytewiseString(redaction.url(page.response.url.absoluteString)))
            isKnownURL = visitedURLs.contains(BytewiseString(url))
        }
        guard !cursor.repeatsItself, !isKnownURL, visited.insert(cursor.request).inserted else {
            return .failed(failure(.loop, page, cursor))
        }
        if let limit, count >= limit { return .failed(failure(.tooManyPages(limit: limit), page, cursor)) }
        return .at(cursor)
    }

    private func failure(_ reason: PaginationFailure.Reason, _ page: Page<Element>, _ cursor: Cursor) -> APIError {
        var call = page.plan.failedCall()
        call.cursor = cursor
        return .pagination(PaginationFailure(call: call, status: page.response.status, reason: reason))
    }
}
