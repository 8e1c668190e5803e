// Listing: GET on the collection.
extension Resource.Endpoints where Access: Listable, Element: Decodable {
    /// Returns a GET request for the collection, which can also fetch individual pages.
    ///
    /// - Returns: the endpoint; nothing is sent yet.
    public func list() -> Endpoint<[Element]> { context.endpoint(.list, .get, .decoding()) }
}

extension Resource where Access: Listable, Element: Decodable {
    /// Fetches the collection in one request, without paging.
    ///
    /// For a paginated collection, the result is the server's default page.
    ///
    /// - Returns: the items, in the server's order.
    /// - Throws: ``APIError``.
    public func list() async throws(APIError) -> [Element] { try await endpoints.list().send() }

    /// Fetches a page: the first one, the page at a cursor, or the page at a position.
    ///
    /// ```swift
    /// let first = try await shop.products.page()
    /// if let next = first.next { let second = try await shop.products.page(at: next) }
    /// let third = try await shop.products.page(at: .page(3, size: 20))
    /// ```
    ///
    /// - Parameter cursor: the ``Page/next`` or ``Page/previous`` cursor of another page, or a position such as
    ///   `.page(3)`.
    /// - Returns: the page.
    /// - Throws: ``APIError``; pass its ``APIError/cursor`` to this method to retry. ``APIError/request(_:)`` if the
    ///   list has no such position.
    public func page(at cursor: Cursor = .start) async throws(APIError) -> Page<Element> {
        try await endpoints.list().page(at: cursor)
    }

    /// All pages, each fetched on demand.
    public var pages: Pages<Element> { endpoints.list().pages }

    /// Returns the pages from a cursor onward, each fetched on demand or ahead of the current one.
    ///
    /// - Parameters:
    ///   - cursor: the ``Page/next`` cursor of a page, or a position such as `.page(3)`.
    ///   - pageCount: the number of pages to fetch ahead, at most 64.
    /// - Returns: the pages.
    public func pages(from cursor: Cursor = .start, readAhead pageCount: Int = 0) -> Pages<Element> {
        endpoints.list().pages(from: cursor, readAhead: pageCount)
    }

    /// All items of all pages, each page fetched on demand.
    public var all: Pages<Element>.Items { endpoints.list().all }

    /// Returns the items of the pages from a cursor onward, each page fetched on demand or ahead of the current one.
    ///
    /// - Parameters:
    ///   - cursor: the ``Page/next`` cursor of a page, or a position such as `.page(3)`.
    ///   - pageCount: the number of pages to fetch ahead, at most 64.
    /// - Returns: the items.
    public func all(from cursor: Cursor = .start, readAhead pageCount: Int = 0) -> Pages<Element>.Items {
        endpoints.list().all(from: cursor, readAhead: pageCount)
    }
}

// WaybillTransfers also declares this method. If it is not imported, this overload's message names it.
extension Resource where Access: Listable, Element: Decodable {
    /// Unavailable without `import WaybillTransfers`, which declares this method.
    ///
    /// - Parameters:
    ///   - streaming: whether to return items before their page is complete.
    ///   - cursor: the ``Page/next`` cursor of a page, or a position such as `.page(3)`.
    /// - Returns: the items.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that streams pages")
    public func all(streaming: Bool, from cursor: Cursor = .start) -> Pages<Element>.Items { all }
}

// Reading: GET on one item.
extension Resource.Endpoints
where Access: Readable, Element: Decodable & Identifiable, Element.ID: PathSegmentConvertible & Sendable {
    /// Returns a GET request for the item with the given id.
    ///
    /// - Parameter id: the item's id.
    /// - Returns: the endpoint; nothing is sent yet.
    public func read(_ id: Element.ID) -> Endpoint<Element> {
        context.endpoint(.read, .get, id: OperationID(id), .decoding())
    }
}

extension Resource
where Access: Readable, Element: Decodable & Identifiable, Element.ID: PathSegmentConvertible & Sendable {
    /// Fetches the item with the given id.
    ///
    /// - Parameter id: the item's id.
    /// - Returns: the server's version of the item.
    /// - Throws: ``APIError``; ``APIError/isNotFound`` is true if the server has no such item.
    public func read(_ id: Element.ID) async throws(APIError) -> Element { try await endpoints.read(id).send() }

    /// Fetches the current version of an item; the argument is left unchanged.
    ///
    /// - Parameter element: the item to fetch again.
    /// - Returns: the server's version of the item.
    /// - Throws: ``APIError``; ``APIError/isNotFound`` is true if the server no longer has the item.
    public func refresh(_ element: Element) async throws(APIError) -> Element { try await read(element.id) }
}
