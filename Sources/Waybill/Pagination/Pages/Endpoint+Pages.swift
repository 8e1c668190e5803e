import WaybillSystem

/// Pagination of endpoints that return a list and declare ``Paginated``.
extension Endpoint where Value: _ListValue, Value.Element: Sendable {
    /// Fetches a page: the first one, the page at a cursor, or the page at a position.
    ///
    /// ```swift
    /// let first = try await shop.products.page()
    /// if let next = first.next { let second = try await shop.products.page(at: next) }
    /// let third = try await shop.products.page(at: .page(3, size: 20))
    /// ```
    ///
    /// - Parameter cursor: the ``Page/next`` or ``Page/previous`` of a page, or a position such as `.page(3)`.
    /// - Returns: the page.
    /// - Throws: ``APIError``, with an ``APIError/cursor`` for retrying the same page; ``APIError/request(_:)`` if the
    ///   list has no such position.
    public func page(at cursor: Cursor = .start) async throws(APIError) -> Page<Value.Element> {
        try await pageReader.page(at: cursor.afterStart)
    }

    /// Returns the plan of a page's request, without sending it.
    ///
    /// - Parameter cursor: the ``Page/next`` or ``Page/previous`` of a page, or a position such as `.page(3)`.
    /// - Returns: the plan.
    /// - Throws: ``APIError/request(_:)`` with all declaration errors; ``APIError/pagination(_:)`` if the cursor
    ///   belongs to a different list or scheme, or if the endpoint does not declare ``Paginated``.
    public func pagePlan(at cursor: Cursor = .start) throws(APIError) -> Call.Plan {
        try pageReader.requested(at: cursor.afterStart, isForCall: false).plan
    }

    /// All pages of the list, each fetched on demand.
    public var pages: Pages<Value.Element> { pages(from: .start) }

    /// Returns the pages of the list, each fetched on demand or ahead of the current one.
    ///
    /// - Parameters:
    ///   - cursor: the ``Page/next`` of a page, or a position such as `.page(3)`.
    ///   - pageCount: the number of pages to fetch ahead, limited to 64; 0 to fetch on demand.
    /// - Returns: the pages.
    public func pages(from cursor: Cursor = .start, readAhead pageCount: Int = 0) -> Pages<Value.Element> {
        let reader = pageReader
        return Pages(start: cursor.afterStart ?? reader.start, readAhead: pageCount) {
            (cursor) async throws(APIError) in
            try await reader.page(at: cursor)
        }
    }

    /// The items of all pages, each page fetched on demand.
    public var all: Pages<Value.Element>.Items { Pages.Items(pages: pages) }

    /// Returns the items of all pages, each page fetched on demand or ahead of the current one.
    ///
    /// - Parameters:
    ///   - cursor: the ``Page/next`` of a page, or a position such as `.page(3)`.
    ///   - pageCount: the number of pages to fetch ahead, limited to 64; 0 to fetch on demand.
    /// - Returns: the items.
    public func all(from cursor: Cursor = .start, readAhead pageCount: Int = 0) -> Pages<Value.Element>.Items {
        Pages.Items(pages: pages(from: cursor, readAhead: pageCount))
    }

    /// A reader that fetches single pages of the list.
    var pageReader: PageReader<Value> {
        PageReader(
            endpoint: self,
            paginated: scopes.last { $0.settings[Paginated.self] != nil }?.settings[Paginated.self]
                ?? client.scopes.configuration.settings[Paginated.self]
        )
    }
}

// Paging an endpoint whose value is not a list does not compile, and the error message explains why. The bodies never
// run; they refer to each other so that every use type-checks as it would for a list.
extension Endpoint {
    /// Does not compile: only a list has pages.
    ///
    /// - Parameter cursor: the cursor of the page.
    /// - Returns: the page.
    /// - Throws: `APIError`.
    @available(*, unavailable, message: "only a list has pages: declare the endpoint as Endpoint<[…]>")
    public func page(at cursor: Cursor = .start) async throws(APIError) -> Page<Value> { try await pages.fetch(cursor) }

    /// Does not compile: only a list has pages.
    @available(*, unavailable, message: "only a list has pages: declare the endpoint as Endpoint<[…]>")
    public var pages: Pages<Value> {
        Pages(start: nil, readAhead: 0) { (_) async throws(APIError) in try await page() }
    }

    /// Does not compile: only a list has pages.
    @available(*, unavailable, message: "only a list has pages: declare the endpoint as Endpoint<[…]>")
    public var all: Pages<Value>.Items { Pages.Items(pages: pages) }
}

// WaybillTransfers also declares these methods. If it is not imported, the error message names it.
extension Endpoint where Value: _ListValue & Sendable, Value.Element: Sendable {
    /// Does not compile without `import WaybillTransfers`, which declares this method.
    ///
    /// - Parameters:
    ///   - streaming: whether to return items before their page is complete.
    ///   - cursor: the cursor of the first page to request.
    /// - Returns: the items of all pages.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that streams pages")
    public func all(streaming: Bool, from cursor: Cursor = .start) -> Pages<Value.Element>.Items { all }

    /// Does not compile without `import WaybillTransfers`, which declares this method.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that streams lists")
    public func stream() async throws(APIError) -> Pages<Value.Element>.Items { all }
}
