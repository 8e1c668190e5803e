import Waybill

extension Endpoint where Value: _ListValue & Sendable, Value.Element: Decodable & Sendable {
    /// Returns the items of all pages, each one as soon as it arrives.
    ///
    /// ```swift
    /// for try await product in shop.products.all(streaming: true) { index(product) }
    /// ```
    ///
    /// Each page is read as by `stream()`, without keeping its items in memory. The next page is requested as soon as
    /// its cursor is known: immediately if the cursor is in the head of the response or precedes the list, otherwise
    /// at the end of the page. Its `Timeout` may therefore start while the previous page is still being read, and both
    /// pages count toward a `Limit`. Its body is not read until the previous page ends.
    ///
    /// A scheme that reads an item of the page, such as `Paginated.Scheme.after(lastItem:as:hasMore:size:total:)`,
    /// and `missingList` in `Paginated` or `Envelope` are declaration errors; nothing is sent. If a page repeats the
    /// previous one, the error is thrown after its last item.
    ///
    /// - Parameters:
    ///   - streaming: whether to return items before their page is complete; false is equivalent to `all(from:)`.
    ///   - cursor: the `Page.next` of a page, or a position such as `.page(3)`.
    /// - Returns: the items.
    public func all(streaming: Bool, from cursor: Cursor = .start) -> Pages<Value.Element>.Items {
        guard streaming else { return all(from: cursor) }
        return arrivingItems(from: cursor) { (plan, keepsSum) async throws(APIError) in
            try await ElementSource.open(plan, with: client, keepsOutline: true, keepsSum: keepsSum)
        }
    }
}

extension Resource where Access: Listable, Element: Decodable {
    /// Fetches the collection in one request, and returns its items one by one as the response arrives.
    ///
    /// ```swift
    /// for try await product in try await shop.products.stream() { print(product.name) }
    /// ```
    ///
    /// For a paginated collection, the items are those of the server's default page.
    ///
    /// - Returns: the head of the response, and the items to iterate over.
    /// - Throws: `APIError`; `APIError.status` if the response is a declared problem instead of the list.
    public func stream() async throws(APIError) -> ElementStream<Element> { try await endpoints.list().stream() }

    /// Returns the items of all pages, each one as soon as it arrives.
    ///
    /// ```swift
    /// for try await product in shop.products.all(streaming: true) { index(product) }
    /// ```
    ///
    /// The next page is requested as soon as its cursor has been read.
    ///
    /// - Parameters:
    ///   - streaming: whether to return items before their page is complete; if false, each page is decoded as a whole.
    ///   - cursor: the `Page.next` cursor of a page, or a position such as `.page(3)`.
    /// - Returns: the items.
    public func all(streaming: Bool, from cursor: Cursor = .start) -> Pages<Element>.Items {
        endpoints.list().all(streaming: streaming, from: cursor)
    }
}
