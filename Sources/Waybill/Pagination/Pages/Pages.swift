/// One page of a list.
public struct Page<Element: Sendable>: Sendable {
    /// The items on the page, in order.
    public let items: [Element]

    /// The number of the page, counted from 1.
    public var number: Int { reading.requested.number }

    /// The cursor of the next page, valid for `page(at:)` in this or another process; nil for the last page.
    public var next: Cursor? { reading.next }

    /// The cursor of the previous page, for `page(at:)`; nil for the first page, or if the scheme cannot go back.
    public var previous: Cursor? { reading.previous }

    /// The total number of items in the list, if the server reports it.
    public var total: Int? { reading.total }

    /// The complete response: head, metadata, bytes, dropped items.
    public let response: Response<[Element]>

    /// The page's status, neighbors and counts, as read by its scheme.
    let reading: PageReading

    /// Whether there is a next page.
    public var hasMore: Bool { next != nil }
}

extension Page: CustomStringConvertible, PartlyShown {
    /// The page's number, the number of items, and the items.
    public var description: String {
        let total = total.map { " of \($0)" } ?? ""
        return "page \(number), \(items.count)\(total) items\(hasMore ? " and more" : ""): \(items)"
    }

    /// The parts of the page, with secrets redacted everywhere except in the items.
    package var shownParts: KeyValuePairs<String, Any> {
        [
            "items": items, "number": number, "next": next as Any, "previous": previous as Any,
            "total": total as Any, "response": response,
        ]
    }
}

/// The pages of a list, each fetched on demand.
///
/// ```swift
/// for try await page in shop.products.pages {
///     show(page.items)
///     save(page.next)             // continue from here another time
/// }
/// ```
///
/// If a page cannot be fetched, the iteration throws after returning the preceding pages, and the error's
/// ``APIError/cursor`` identifies the failed page. The sequence can be iterated any number of times, always from its
/// start.
public struct Pages<Element: Sendable>: AsyncSequence, Sendable {
    typealias Fetch = @Sendable (Cursor?) async throws(APIError) -> Page<Element>

    let start: Cursor?
    let readAhead: Int
    let fetch: Fetch

    /// Returns an iterator that begins at the start of the sequence.
    ///
    /// - Returns: the iterator.
    public func makeAsyncIterator() -> Iterator {
        Iterator(fetcher: PageFetcher(PageWalk(from: start), readAhead: readAhead, fetch))
    }

    /// An iterator over pages.
    public struct Iterator: AsyncIteratorProtocol {
        let fetcher: PageFetcher<Element>

        /// Returns the next page; nil after the last one.
        ///
        /// - Returns: the page; nil after the last one, and after an error.
        /// - Throws: ``APIError`` if the iteration cannot continue.
        public mutating func next() async throws(APIError) -> Page<Element>? { try await fetcher.next() }
    }
}

extension Pages {
    /// The items of all pages of a list; a page is fetched when its first item is needed.
    ///
    /// ```swift
    /// for try await product in shop.products.all { index(product) }
    /// let some = try await shop.products.all.collect(upTo: 500)
    /// ```
    ///
    /// If a page cannot be fetched, the iteration throws after returning the items of the preceding pages, and the
    /// error's ``APIError/cursor`` identifies the failed page.
    public struct Items: AsyncSequence, Sendable {
        /// A closure that starts an iteration and returns a closure that fetches the next item.
        typealias Streaming = @Sendable () -> () async throws(APIError) -> Element?

        private enum Source: Sendable {
            case pages(Pages<Element>)
            case streaming(Streaming)
        }

        private let source: Source

        init(pages: Pages<Element>) { source = .pages(pages) }

        init(streaming: @escaping Streaming) { source = .streaming(streaming) }

        /// Returns an iterator that begins at the start of the sequence.
        ///
        /// - Returns: the iterator.
        public func makeAsyncIterator() -> Iterator {
            switch source {
            case .pages(let pages): Iterator(pages: pages.makeAsyncIterator())
            case .streaming(let start): Iterator(streaming: start())
            }
        }

        /// Collects the items in an array.
        ///
        /// - Parameter limit: the maximum number of items to collect.
        /// - Returns: the items, in order.
        /// - Throws: ``APIError`` if the iteration cannot continue. To keep the items before an error, iterate over the
        ///   sequence instead.
        public func collect(upTo limit: Int = .max) async throws(APIError) -> [Element] {
            var items: [Element] = []
            var iterator = makeAsyncIterator()
            while items.count < limit, let item = try await iterator.next() { items.append(item) }
            return items
        }

        /// An iterator over items.
        public struct Iterator: AsyncIteratorProtocol {
            private var pages: Pages<Element>.Iterator?
            private var items: [Element] = []
            private var position = 0
            private let streaming: (() async throws(APIError) -> Element?)?

            init(pages: Pages<Element>.Iterator) {
                self.pages = pages
                streaming = nil
            }

            init(streaming: @escaping () async throws(APIError) -> Element?) { self.streaming = streaming }

            /// Returns the next item; nil after the last one.
            ///
            /// - Returns: the item; nil after the last one, and after an error.
            /// - Throws: ``APIError`` if the iteration cannot continue.
            public mutating func next() async throws(APIError) -> Element? {
                if let streaming { return try await streaming() }
                while position >= items.count {
                    guard let page = try await pages?.next() else { return nil }
                    items = page.items
                    position = 0
                }
                defer { position += 1 }
                return items[position]
            }
        }
    }
}
