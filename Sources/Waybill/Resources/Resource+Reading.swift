// Listing: GET on the collection.
extension Resource.Endpoints where Access: Listable, Element: Decodable {
    /// GET on the collection; its pages are asked of it too.
    public func list() -> Endpoint<[Element]> { site.endpoint(.list, .get, .decoding()) }
}

extension Resource where Access: Listable, Element: Decodable {
    /// Fetches the collection in one request, without paging: of a paginated one, what the server gives unasked.
    ///
    /// - Throws: ``APIError``.
    public func list() async throws(APIError) -> [Element] { try await endpoints.list().send() }

    /// The first page.
    ///
    /// - Throws: ``APIError``.
    public func page() async throws(APIError) -> Page<Element> { try await endpoints.list().page() }

    /// The page behind a cursor, which is the ``Page/next`` of a page.
    ///
    /// - Throws: ``APIError``; its ``APIError/cursor`` leads to that page again.
    public func page(after cursor: Cursor) async throws(APIError) -> Page<Element> {
        try await endpoints.list().page(after: cursor)
    }

    /// The page before a cursor, which is the ``Page/previous`` of a page.
    ///
    /// - Throws: ``APIError``; its ``APIError/cursor`` leads to that page again.
    public func page(before cursor: Cursor) async throws(APIError) -> Page<Element> {
        try await endpoints.list().page(before: cursor)
    }

    /// All pages from the first on, lazily.
    public var pages: Pages<Element> { endpoints.list().pages }

    /// All pages from the first on, fetched a number of pages ahead.
    public func pages(readAhead pageCount: Int) -> Pages<Element> { endpoints.list().pages(readAhead: pageCount) }

    /// All pages behind a cursor, lazily or fetched a number of pages ahead.
    public func pages(after cursor: Cursor, readAhead pageCount: Int = 0) -> Pages<Element> {
        endpoints.list().pages(after: cursor, readAhead: pageCount)
    }

    /// All items of all pages, lazily.
    public var all: Elements<Element> { endpoints.list().all }

    /// All items of all pages, fetched a number of pages ahead.
    public func all(readAhead pageCount: Int) -> Elements<Element> { endpoints.list().all(readAhead: pageCount) }

    /// All items of all pages behind a cursor, lazily or fetched a number of pages ahead.
    public func all(after cursor: Cursor, readAhead pageCount: Int = 0) -> Elements<Element> {
        endpoints.list().all(after: cursor, readAhead: pageCount)
    }
}

// Reading: GET on one.
extension Resource.Endpoints
where Access: Readable, Element: Decodable & Identifiable, Element.ID: PathSegmentConvertible {
    /// GET on the item with an id.
    public func read(_ id: Element.ID) -> Endpoint<Element> {
        site.endpoint(.read, .get, id: id.pathSegment, .decoding())
    }
}

extension Resource
where Access: Readable, Element: Decodable & Identifiable, Element.ID: PathSegmentConvertible {
    /// Fetches the item with an id.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` where the server has none.
    public func read(_ id: Element.ID) async throws(APIError) -> Element { try await endpoints.read(id).send() }

    /// Fetches a value again; the one given stays as it is.
    ///
    /// - Throws: ``APIError``; ``APIError/isNotFound`` where the server has it no more.
    public func refresh(_ element: Element) async throws(APIError) -> Element { try await read(element.id) }
}
