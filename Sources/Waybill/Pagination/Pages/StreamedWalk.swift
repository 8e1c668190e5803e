/// A walk over pages whose items are returned while they arrive.
///
/// The next page is requested as soon as its cursor is known: from the head, or from what stands before the list. Its
/// body is not read before the page before it has ended.
final class StreamedWalk<Element: Decodable & Sendable> {
    typealias Open = @Sendable (Cursor?) async throws(APIError) -> StreamedPage<Element>

    private typealias Opening = Task<Result<StreamedPage<Element>, APIError>, Never>

    private let open: Open
    private let rules: PageWalkRules
    private var trail: PageTrail
    private var state: PageTrail.Next
    private var page: StreamedPage<Element>?
    /// The request for the next page, if it has been sent.
    private var ahead: (cursor: Cursor, opening: Opening)?
    private var sum: PageSum<Element>
    private var lastSum: PageSum<Element>.Value?

    init(start: Cursor?, rules: PageWalkRules, open: @escaping Open) {
        self.open = open
        self.rules = rules
        trail = PageTrail(start: start, rules: rules)
        state = .page(start)
        sum = PageSum()
    }

    deinit { ahead?.opening.cancel() }

    /// Returns the next item; nil behind the last one.
    func next() async throws(APIError) -> Element? {
        do throws(APIError) {
            while true {
                if page == nil {
                    page = try await nextPage()
                    if let page { openAhead(of: page) }
                }
                guard let page else { return nil }
                if let element = try await page.source.next() {
                    sum.add(element)
                    return element
                }
                state = try end(of: page)
                self.page = nil
            }
        } catch {
            state = .end
            page = nil
            closeAhead()
            throw error
        }
    }

    private func nextPage() async throws(APIError) -> StreamedPage<Element>? {
        let state = state
        self.state = .end
        switch state {
        case .end: return nil
        case .failure(let error): throw error
        case .page(let cursor):
            guard let cursor, let ahead = ahead.take() else { return try await open(cursor) }
            guard cursor.leads(where: ahead.cursor) else {
                ahead.opening.cancel()
                return try await open(cursor)
            }
            let result = await withTaskCancellationHandler {
                await ahead.opening.value
            } onCancel: {
                ahead.opening.cancel()
            }
            return try result.get().with(cursor)
        }
    }

    private func openAhead(of page: StreamedPage<Element>) {
        var trail = trail
        guard let step = page.earlyStep(), case .page(let cursor?) = trail.following(step) else { return }
        let open = open
        let opening = Opening {
            do throws(APIError) {
                return .success(try await open(cursor))
            } catch {
                return .failure(error)
            }
        }
        ahead = (cursor, opening)
    }

    private func closeAhead() { ahead.take()?.opening.cancel() }

    private func end(of page: StreamedPage<Element>) throws(APIError) -> PageTrail.Next {
        let step = try page.step()
        let sum = self.sum.take(bodySum: page.source.bodySum)
        if rules.repeats != .items, let sum, sum == lastSum {
            throw step.failure(.repeatedItems, page.neighbours.cursor)
        }
        lastSum = sum
        let next = trail.following(step)
        // A page without a next one, or with another one than its beginning said.
        guard case .page(let cursor?) = next, let ahead, cursor.leads(where: ahead.cursor) else {
            closeAhead()
            return next
        }
        return next
    }
}

extension Cursor {
    /// Whether two cursors are for the same request.
    fileprivate func leads(where other: Cursor) -> Bool { request == other.request }
}
