import WaybillSystem

/// Pagination of endpoints that return a list and declare ``Paginated``.
extension Endpoint where Value: _ListValue, Value.Element: Sendable {
    /// Fetches the first page.
    ///
    /// - Returns: the page.
    /// - Throws: ``APIError``.
    public func page() async throws(APIError) -> Page<Value.Element> { try await pageReader.page(at: nil) }

    /// Fetches the page at a cursor.
    ///
    /// - Parameter cursor: the ``Page/next`` or ``Page/previous`` of a page, or a position such as `.page(3)`.
    /// - Returns: the page.
    /// - Throws: ``APIError``; its ``APIError/cursor`` identifies the same page, for another attempt.
    public func page(at cursor: Cursor) async throws(APIError) -> Page<Value.Element> {
        try await pageReader.page(at: cursor)
    }

    /// Fetches a page by its number, in the server's numbering.
    ///
    /// ```swift
    /// let third = try await shop.products.page(number: 3, size: 20)
    /// ```
    ///
    /// The list must be paged by number. Any other scheme, a number below the first one, and a `size` for a scheme that
    /// declares no page size are declaration errors; nothing is sent. If the server accepts a number past the last
    /// page, the page has no items.
    ///
    /// - Parameters:
    ///   - number: the number of the page.
    ///   - size: the number of items on the page, at least 1; nil for the declared size.
    /// - Returns: the page; `pages(from:)` with its ``Page/next`` keeps the size.
    /// - Throws: ``APIError``; ``APIError/request(_:)`` if the list has no such page number.
    public func page(number: Int, size: Int? = nil) async throws(APIError) -> Page<Value.Element> {
        try await page(at: .page(number, size: size))
    }

    /// Fetches the page that begins at an offset.
    ///
    /// The list must be paged by offset. Any other scheme, an offset below the first one, and a `size` for a scheme
    /// that declares no page size are declaration errors; nothing is sent.
    ///
    /// - Parameters:
    ///   - offset: the offset of the first item.
    ///   - size: the number of items on the page, at least 1; nil for the declared size.
    /// - Returns: the page; `pages(from:)` with its ``Page/next`` keeps the size.
    /// - Throws: ``APIError``; ``APIError/request(_:)`` if the list has no such offset.
    public func page(offset: Int, size: Int? = nil) async throws(APIError) -> Page<Value.Element> {
        try await page(at: .offset(offset, size: size))
    }

    /// Returns the plan of the request for a page without sending it.
    ///
    /// - Parameter cursor: the ``Page/next`` or ``Page/previous`` of a page, or a position such as `.page(3)`; nil for
    ///   the first page.
    /// - Returns: the plan.
    /// - Throws: ``APIError/request(_:)`` with all declaration errors; ``APIError/pagination(_:)`` if the cursor
    ///   belongs to a different list or scheme, or if the endpoint does not declare ``Paginated``.
    public func pagePlan(at cursor: Cursor? = nil) throws(APIError) -> Call.Plan {
        try pageReader.requested(at: cursor, isForCall: false).plan
    }

    /// All pages of the list, each fetched on demand.
    public var pages: Pages<Value.Element> { pages(at: nil, readAhead: 0) }

    /// Returns all pages of the list, fetched ahead of the current one.
    ///
    /// - Parameter pageCount: the number of pages to fetch ahead; a value above 64 counts as 64.
    /// - Returns: the pages.
    public func pages(readAhead pageCount: Int) -> Pages<Value.Element> { pages(at: nil, readAhead: pageCount) }

    /// Returns the pages starting at a cursor, each fetched on demand or ahead of the current one.
    ///
    /// - Parameters:
    ///   - cursor: the ``Page/next`` of a page, or a position such as `.page(3)`.
    ///   - pageCount: the number of pages to fetch ahead; 0 to fetch on demand, and a value above 64 counts as 64.
    /// - Returns: the pages.
    public func pages(from cursor: Cursor, readAhead pageCount: Int = 0) -> Pages<Value.Element> {
        pages(at: cursor, readAhead: pageCount)
    }

    /// The items of all pages, each page fetched on demand.
    public var all: Pages<Value.Element>.Items { Pages.Items(pages: pages) }

    /// Returns the items of all pages, fetched ahead of the current page.
    ///
    /// - Parameter pageCount: the number of pages to fetch ahead; a value above 64 counts as 64.
    /// - Returns: the items.
    public func all(readAhead pageCount: Int) -> Pages<Value.Element>.Items {
        Pages.Items(pages: pages(readAhead: pageCount))
    }

    /// Returns the items of all pages starting at a cursor.
    ///
    /// - Parameters:
    ///   - cursor: the ``Page/next`` of a page, or a position such as `.page(3)`.
    ///   - pageCount: the number of pages to fetch ahead; 0 to fetch on demand, and a value above 64 counts as 64.
    /// - Returns: the items.
    public func all(from cursor: Cursor, readAhead pageCount: Int = 0) -> Pages<Value.Element>.Items {
        Pages.Items(pages: pages(from: cursor, readAhead: pageCount))
    }

    private func pages(at start: Cursor?, readAhead pageCount: Int) -> Pages<Value.Element> {
        let reader = pageReader
        return Pages(start: start ?? reader.start, readAhead: pageCount) { (cursor) async throws(APIError) in
            try await reader.page(at: cursor)
        }
    }

    /// The reader of single pages.
    var pageReader: PageReader<Value> {
        PageReader(
            endpoint: self,
            paginated: scopes.last { $0.settings[Paginated.self] != nil }?.settings[Paginated.self]
                ?? client.scopes.configuration.settings[Paginated.self]
        )
    }
}

// Paging an endpoint whose value is not a list does not compile, and the message says why. The bodies never run; they
// refer to each other so that every use type-checks as it would for a list.
extension Endpoint {
    /// Does not compile: only a list has pages.
    @available(*, unavailable, message: "only a list has pages: declare the endpoint as Endpoint<[…]>")
    public func page() async throws(APIError) -> Page<Value> { try await pages.fetch(nil) }

    /// Does not compile: only a list has pages.
    @available(*, unavailable, message: "only a list has pages: declare the endpoint as Endpoint<[…]>")
    public var pages: Pages<Value> {
        Pages(start: nil, readAhead: 0) { (_) async throws(APIError) in try await page() }
    }

    /// Does not compile: only a list has pages.
    @available(*, unavailable, message: "only a list has pages: declare the endpoint as Endpoint<[…]>")
    public var all: Pages<Value>.Items { Pages.Items(pages: pages) }
}

// WaybillTransfers declares these methods, too. Without its import, the message names it.
extension Endpoint where Value: _ListValue & Sendable, Value.Element: Sendable {
    /// Does not compile without `import WaybillTransfers`, which declares it.
    ///
    /// - Parameters:
    ///   - streaming: whether items arrive before their page is complete.
    ///   - cursor: the position of the first page; nil for the start of the list.
    /// - Returns: the items of all pages.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that streams pages")
    public func all(streaming: Bool, from cursor: Cursor? = nil) -> Pages<Value.Element>.Items { all }

    /// Does not compile without `import WaybillTransfers`, which declares it.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that streams lists")
    public func stream() async throws(APIError) -> Pages<Value.Element>.Items { all }
}
