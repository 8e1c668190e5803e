import WaybillSystem

/// Paging through an endpoint that returns a list and declares ``Paginated``.
extension Endpoint where Value: _ListValue, Value.Element: Sendable {
    /// Fetches the first page.
    ///
    /// - Throws: ``APIError``.
    public func page() async throws(APIError) -> Page<Value.Element> { try await pageReader.page(at: nil) }

    /// Fetches the page at a cursor.
    ///
    /// - Parameter cursor: the ``Page/next`` or ``Page/previous`` of a page, or a position such as `.page(3)`.
    /// - Returns: the page.
    /// - Throws: ``APIError``; its ``APIError/cursor`` leads to that page again.
    public func page(at cursor: Cursor) async throws(APIError) -> Page<Value.Element> {
        try await pageReader.page(at: cursor)
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
    public func page(number: Int, size: Int? = nil) async throws(APIError) -> Page<Value.Element> {
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
    public func page(offset: Int, size: Int? = nil) async throws(APIError) -> Page<Value.Element> {
        try await page(at: .offset(offset, size: size))
    }

    /// Returns the plan of the request for a page; nothing is sent.
    ///
    /// - Parameter cursor: the ``Page/next`` or ``Page/previous`` of a page, or a position such as `.page(3)`; nil for
    ///   the first page.
    /// - Returns: the plan.
    /// - Throws: ``APIError/request(_:)`` with every declaration error, ``APIError/pagination(_:)`` for a cursor of
    ///   another list or scheme, and without ``Paginated``.
    public func pagePlan(at cursor: Cursor? = nil) throws(APIError) -> Plan {
        try pageReader.requested(at: cursor, isForCall: false).plan
    }

    /// All pages from the first on, each fetched on demand.
    public var pages: Pages<Value.Element> { pages(at: nil, readAhead: 0) }

    /// Returns all pages from the first on, fetched ahead of the current one.
    ///
    /// - Parameter pageCount: the number of pages that are fetched ahead, at most 64.
    /// - Returns: the pages.
    public func pages(readAhead pageCount: Int) -> Pages<Value.Element> { pages(at: nil, readAhead: pageCount) }

    /// Returns all pages from a cursor on, fetched one by one, or ahead of the current one by a number of pages.
    ///
    /// - Parameters:
    ///   - cursor: the ``Page/next`` of a page, or a position such as `.page(3)`.
    ///   - pageCount: the number of pages that are fetched ahead, at most 64.
    /// - Returns: the pages.
    public func pages(from cursor: Cursor, readAhead pageCount: Int = 0) -> Pages<Value.Element> {
        pages(at: cursor, readAhead: pageCount)
    }

    /// All items of all pages, each page fetched on demand.
    public var all: Pages<Value.Element>.Items { Pages.Items(pages: pages) }

    /// Returns all items of all pages, which are fetched ahead of the current page.
    ///
    /// - Parameter pageCount: the number of pages that are fetched ahead, at most 64.
    /// - Returns: the items.
    public func all(readAhead pageCount: Int) -> Pages<Value.Element>.Items {
        Pages.Items(pages: pages(readAhead: pageCount))
    }

    /// Returns all items of all pages from a cursor on.
    ///
    /// - Parameters:
    ///   - cursor: the ``Page/next`` of a page, or a position such as `.page(3)`.
    ///   - pageCount: the number of pages that are fetched ahead, at most 64.
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

    fileprivate var pageReader: PageReader<Value> {
        PageReader(
            endpoint: self,
            paginated: scopes.last { $0.settings[Paginated.self] != nil }?.settings[Paginated.self]
                ?? client.scopes.configuration.settings[Paginated.self]
        )
    }
}

extension Endpoint where Value: _ListValue & Sendable, Value.Element: Decodable & Sendable {
    /// Returns all items of all pages, each while its page arrives.
    ///
    /// ```swift
    /// for try await product in shop.products.all(streaming: true) { index(product) }
    /// ```
    ///
    /// Memory holds one item. The rules of `stream()` hold for every page. The next page is requested as soon
    /// as its cursor is known: at once, if it is in the head of the response or before the list, or else when the page
    /// has ended. So its ``Timeout`` may begin while the page before it is still being read, and a ``Limit`` counts
    /// both. Its body is not read before its turn.
    ///
    /// A scheme that reads an item of the page, as ``Paginated/Scheme/after(lastItem:as:hasMore:size:total:)`` does,
    /// and ``Paginated/MissingList/isEmpty`` are declaration errors: nothing is sent. A page that repeats the one
    /// before is an error after its last item.
    ///
    /// - Parameters:
    ///   - streaming: whether items are returned while their page arrives; if not, they are those of `all(from:)`.
    ///   - cursor: the ``Page/next`` of a page, or a position such as `.page(3)`; nil for the first page.
    /// - Returns: the items.
    public func all(streaming: Bool, from cursor: Cursor? = nil) -> Pages<Value.Element>.Items {
        guard streaming else { return cursor.map { all(from: $0) } ?? all }
        let reader = pageReader
        return Pages.Items {
            let items = StreamedItems(PageWalk(from: cursor ?? reader.start)) { (cursor) async throws(APIError) in
                try await reader.streamedPage(at: cursor)
            }
            return { () async throws(APIError) in try await items.next() }
        }
    }
}

// Paging of an endpoint whose value is no list. It does not compile, and the message says why. The bodies never run;
// they refer to each other so that every use has the type that it would have for a list.
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
