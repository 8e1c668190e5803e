import Foundation

/// Paging through an endpoint that answers with a list and declares ``Paginated``.
extension Endpoint where Value: ListValue, Value.Element: Sendable {
    /// The first page.
    ///
    /// - Throws: ``APIError``.
    public func page() async throws(APIError) -> Page<Value.Element> { try await pageReader.page(at: nil) }

    /// The page behind a cursor, which is the ``Page/next`` of a page.
    ///
    /// - Throws: ``APIError``; its ``APIError/cursor`` leads to that page again.
    public func page(after cursor: Cursor) async throws(APIError) -> Page<Value.Element> {
        try await pageReader.page(at: cursor)
    }

    /// The page before a cursor, which is the ``Page/previous`` of a page.
    ///
    /// - Throws: ``APIError``; its ``APIError/cursor`` leads to that page again.
    public func page(before cursor: Cursor) async throws(APIError) -> Page<Value.Element> {
        try await pageReader.page(at: cursor)
    }

    /// What is decided about the request for the first page, or for the one at a cursor; nothing is sent.
    ///
    /// - Throws: ``APIError/request(_:)`` with every mistake in the declaration, ``APIError/pagination(_:)`` where the
    ///   cursor leads nowhere.
    public func pagePlan(at cursor: Cursor? = nil) throws(APIError) -> Plan { try pageReader.plan(at: cursor) }

    /// All pages from the first on, each fetched when it is asked for.
    public var pages: Pages<Value.Element> { pages(at: nil, readAhead: 0) }

    /// All pages from the first on, fetched a number of pages, at most 64, ahead of the one that is being looked at.
    public func pages(readAhead pageCount: Int) -> Pages<Value.Element> { pages(at: nil, readAhead: pageCount) }

    /// All pages behind a cursor, each fetched when it is asked for, or a number of pages before that.
    public func pages(after cursor: Cursor, readAhead pageCount: Int = 0) -> Pages<Value.Element> {
        pages(at: cursor, readAhead: pageCount)
    }

    /// All items of all pages, each page fetched when its first item is asked for.
    public var all: Elements<Value.Element> { Elements(pages: pages) }

    /// All items of all pages, fetched a number of pages ahead of the one that is being looked at.
    public func all(readAhead pageCount: Int) -> Elements<Value.Element> {
        Elements(pages: pages(readAhead: pageCount))
    }

    /// All items of all pages behind a cursor.
    public func all(after cursor: Cursor, readAhead pageCount: Int = 0) -> Elements<Value.Element> {
        Elements(pages: pages(after: cursor, readAhead: pageCount))
    }

    private func pages(at start: Cursor?, readAhead pageCount: Int) -> Pages<Value.Element> {
        let reader = pageReader
        return Pages(
            start: start,
            readAhead: pageCount,
            rules: PageWalkRules(reader.paginated),
            fetch: { (cursor) async throws(APIError) in try await reader.page(at: cursor) }
        )
    }

    private var pageReader: PageReader<Value> {
        PageReader(
            endpoint: self,
            paginated: scopes.last { $0.settings[Paginated.self] != nil }?.settings[Paginated.self]
                ?? client.scopes.resolution.settings[Paginated.self]
        )
    }
}
