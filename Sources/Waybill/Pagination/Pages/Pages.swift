/// The pages of a list, lazily: a page is fetched when it is needed.
///
/// ```swift
/// for try await page in shop.products.pages {
///     show(page.items)
///     save(page.next)             // continue from here another time
/// }
/// ```
///
/// A walk that cannot continue throws after the pages before it were given, and the error's ``APIError/cursor`` leads
/// to the page that failed. It can be iterated any number of times, each from the start.
public struct Pages<Element: Sendable>: AsyncSequence, Sendable {
    typealias Fetch = @Sendable (Cursor?) async throws(APIError) -> Page<Element>

    let start: Cursor?
    let readAhead: Int
    let rules: PageWalkRules
    let fetch: Fetch

    /// Starts a walk.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            source: readAhead > 0
                ? .ahead(PageReadAhead(start: start, count: readAhead, rules: rules, fetch: fetch))
                : .direct(PageWalk(start: start, rules: rules, fetch: fetch))
        )
    }

    /// Walks from page to page.
    public struct Iterator: AsyncIteratorProtocol {
        enum Source {
            case direct(PageWalk<Element>)
            case ahead(PageReadAhead<Element>)
        }

        var source: Source

        /// Returns the next page; nil after the last one.
        ///
        /// - Throws: ``APIError`` if the walk cannot continue; it is over then.
        public mutating func next() async throws(APIError) -> Page<Element>? {
            switch source {
            case .direct(var walk):
                // Stored back in any case: a walk that threw is over.
                defer { source = .direct(walk) }
                return try await walk.next()
            case .ahead(let reader):
                return try await reader.next()
            }
        }
    }
}
