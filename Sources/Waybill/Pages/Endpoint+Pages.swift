import Foundation

/// Paging through an endpoint that answers with a list and declares ``Paginated``.
extension Endpoint where Value: ListValue, Value.Element: Sendable {
    /// The page behind a cursor; the first page without one.
    ///
    /// - Throws: ``APIError``; where it is about a page, its ``APIError/cursor`` leads to that page again.
    public func page(after cursor: Cursor? = nil) async throws(APIError) -> Page<Value.Element> {
        try await pageReader.page(at: cursor)
    }

    /// The page before a cursor, which is the ``Page/previous`` of a page.
    ///
    /// - Throws: ``APIError``; its ``APIError/cursor`` leads to that page again.
    public func page(before cursor: Cursor) async throws(APIError) -> Page<Value.Element> {
        try await pageReader.page(at: cursor)
    }

    /// All pages from the first on, each fetched when it is asked for.
    public var pages: Pages<Value.Element> { pages(after: nil) }

    /// All pages behind a cursor, each fetched when it is asked for, or a number of pages before that.
    ///
    /// - Parameters:
    ///   - cursor: where to start; nil for the first page.
    ///   - pageCount: how many pages are fetched ahead of the one that is being looked at.
    public func pages(after cursor: Cursor?, readAhead pageCount: Int = 0) -> Pages<Value.Element> {
        let reader = pageReader
        return Pages(
            start: cursor, readAhead: pageCount, maximumPages: reader.paginated?.maximumPages,
            fetch: { (cursor) async throws(APIError) in try await reader.page(at: cursor) })
    }

    /// All items of all pages, each page fetched when its first item is asked for.
    public var all: Elements<Value.Element> { Elements(pages: pages) }

    /// All items of all pages behind a cursor.
    ///
    /// - Parameters:
    ///   - cursor: where to start; nil for the first page.
    ///   - pageCount: how many pages are fetched ahead of the one that is being looked at.
    public func all(after cursor: Cursor?, readAhead pageCount: Int = 0) -> Elements<Value.Element> {
        Elements(pages: pages(after: cursor, readAhead: pageCount))
    }

    private var pageReader: PageReader<Value> {
        PageReader(endpoint: self, paginated: scopes.compactMap { $0.settings[Paginated.self] }.last)
    }
}
