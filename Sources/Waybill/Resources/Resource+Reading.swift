// Listing: GET on the collection.
extension Resource.Endpoints where Access: Listable, Element: Decodable {
    /// Returns a GET of the collection, which also has its pages.
    public func list() -> Endpoint<[Element]> { context.endpoint(.list, .get, .decoding()) }
}

extension Resource where Access: Listable, Element: Decodable {
    /// Fetches the collection in one request, without paging: of a paginated one, the server's default page.
    ///
    /// - Throws: ``APIError``.
    public func list() async throws(APIError) -> [Element] { try await endpoints.list().send() }

    /// Fetches the first page.
    ///
    /// - Throws: ``APIError``.
    public func page() async throws(APIError) -> Page<Element> { try await endpoints.list().page() }

    /// Fetches the page at a cursor.
    ///
    /// - Parameter cursor: the ``Page/next`` or ``Page/previous`` of a page, or a position such as `.page(3)`.
    /// - Returns: the page.
    /// - Throws: ``APIError``; its ``APIError/cursor`` leads to that page again.
    public func page(at cursor: Cursor) async throws(APIError) -> Page<Element> {
        try await endpoints.list().page(at: cursor)
    }

    /// Fetches the page with a number, as the server numbers its pages.
    ///
    /// ```swift
    /// let third = try await shop.products.page(number: 3, size: 20)
    /// ```
    ///
    /// The scheme has to be a page number. Otherwise, and for a number below the first one or a size without a declared
    /// place, it is a declaration error, and nothing is sent. A page past the end has no items, if the server sends it.
    ///
    /// - Parameters:
    ///   - number: the number of the page.
    ///   - size: the number of items on the page; nil for the declared number.
    /// - Returns: the page; `pages(from:)` with its ``Page/next`` keeps the size.
    /// - Throws: ``APIError``; ``APIError/request(_:)`` if the list has no such page number.
    public func page(number: Int, size: Int? = nil) async throws(APIError) -> Page<Element> {
        try await page(at: .page(number, size: size))
    }

    /// Fetches the page that begins at an offset.
    ///
    /// The scheme has to be an offset. Otherwise, and for an offset below the first one or a size without a declared
    /// place, it is a declaration error, and nothing is sent.
    ///
    /// - Parameters:
    ///   - offset: the offset of the first item.
    ///   - size: the number of items on the page; nil for the declared number.
    /// - Returns: the page; `pages(from:)` with its ``Page/next`` keeps the size.
    /// - Throws: ``APIError``; ``APIError/request(_:)`` if the list has no such offset.
    public func page(offset: Int, size: Int? = nil) async throws(APIError) -> Page<Element> {
        try await page(at: .offset(offset, size: size))
    }

    /// All pages from the first on, lazily.
    public var pages: Pages<Element> { endpoints.list().pages }

    /// Returns all pages from the first on, fetched ahead of the current one by a number of pages.
    ///
    /// - Parameter pageCount: the number of pages that are fetched ahead, at most 64.
    /// - Returns: the pages.
    public func pages(readAhead pageCount: Int) -> Pages<Element> { endpoints.list().pages(readAhead: pageCount) }

    /// Returns all pages from a cursor on, fetched one by one, or ahead of the current one by a number of pages.
    ///
    /// - Parameters:
    ///   - cursor: the ``Page/next`` of a page, or a position such as `.page(3)`.
    ///   - pageCount: the number of pages that are fetched ahead, at most 64.
    /// - Returns: the pages.
    public func pages(from cursor: Cursor, readAhead pageCount: Int = 0) -> Pages<Element> {
        endpoints.list().pages(from: cursor, readAhead: pageCount)
    }

    /// All items of all pages, lazily.
    public var all: Pages<Element>.Items { endpoints.list().all }

    /// Returns all items of all pages, fetched ahead of the current page by a number of pages.
    ///
    /// - Parameter pageCount: the number of pages that are fetched ahead, at most 64.
    /// - Returns: the items.
    public func all(readAhead pageCount: Int) -> Pages<Element>.Items { endpoints.list().all(readAhead: pageCount) }

    /// Returns all items of all pages after a cursor, fetched one by one, or ahead by a number of pages.
    ///
    /// - Parameters:
    ///   - cursor: the ``Page/next`` of a page, or a position such as `.page(3)`.
    ///   - pageCount: the number of pages that are fetched ahead, at most 64.
    /// - Returns: the items.
    public func all(from cursor: Cursor, readAhead pageCount: Int = 0) -> Pages<Element>.Items {
        endpoints.list().all(from: cursor, readAhead: pageCount)
    }
}

extension Resource where Access: Listable, Element: Decodable {
    /// Fetches the collection in one request and returns its items one by one, while the response arrives.
    ///
    /// ```swift
    /// for try await product in try await shop.products.stream() { print(product.name) }
    /// ```
    ///
    /// Of a paginated collection it is the server's default page.
    ///
    /// - Returns: the head of the response, and the items to read.
    /// - Throws: ``APIError``; ``APIError/status(_:)`` for a declared problem in place of the list.
    public func stream() async throws(APIError) -> ElementStream<Element> { try await endpoints.list().stream() }

    /// Returns all items of all pages, each while its page arrives.
    ///
    /// ```swift
    /// for try await product in shop.products.all(streaming: true) { index(product) }
    /// ```
    ///
    /// The next page is requested as soon as its cursor is known.
    ///
    /// - Parameters:
    ///   - streaming: whether items are returned while their page arrives; if not, they are those of `all(from:)`.
    ///   - cursor: the ``Page/next`` of a page, or a position such as `.page(3)`; nil for the first page.
    /// - Returns: the items.
    public func all(streaming: Bool, from cursor: Cursor? = nil) -> Pages<Element>.Items {
        endpoints.list().all(streaming: streaming, from: cursor)
    }
}

// Reading: GET on one.
extension Resource.Endpoints
where Access: Readable, Element: Decodable & Identifiable, Element.ID: PathSegmentConvertible & Sendable {
    /// Returns a GET of the item with an id.
    ///
    /// - Parameter id: the id of the item.
    /// - Returns: the call, not sent yet.
    public func read(_ id: Element.ID) -> Endpoint<Element> {
        context.endpoint(.read, .get, id: OperationID(id), .decoding())
    }
}

extension Resource
where Access: Readable, Element: Decodable & Identifiable, Element.ID: PathSegmentConvertible & Sendable {
    /// Fetches the item with an id.
    ///
    /// - Parameter id: the id of the item.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``; ``APIError/isNotFound`` if the server has none.
    public func read(_ id: Element.ID) async throws(APIError) -> Element { try await endpoints.read(id).send() }

    /// Fetches a value again; the argument stays as it is.
    ///
    /// - Parameter element: the item, with its id.
    /// - Returns: the server's version.
    /// - Throws: ``APIError``; ``APIError/isNotFound`` if the server no longer has the item.
    public func refresh(_ element: Element) async throws(APIError) -> Element { try await read(element.id) }
}
