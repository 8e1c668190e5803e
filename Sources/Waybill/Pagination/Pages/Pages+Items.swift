extension Pages {
    /// The items of all pages of a list, lazily: a page is fetched when its first item is needed.
    ///
    /// ```swift
    /// for try await product in shop.products.all { index(product) }
    /// let some = try await shop.products.all.collect(upTo: 500)
    /// ```
    ///
    /// A walk that cannot go on throws after every item before it was given; the error's ``APIError/cursor`` leads to
    /// the page that failed.
    public struct Items: AsyncSequence, Sendable {
        /// Returns the function that gives the items of a walk one by one.
        typealias Streaming = @Sendable () -> () async throws(APIError) -> Element?

        private enum Source: Sendable {
            case pages(Pages<Element>)
            case streaming(Streaming)
        }

        private let source: Source

        init(pages: Pages<Element>) { source = .pages(pages) }

        init(streaming: @escaping Streaming) { source = .streaming(streaming) }

        /// Starts a walk.
        public func makeAsyncIterator() -> Iterator {
            switch source {
            case .pages(let pages): Iterator(pages: pages.makeAsyncIterator())
            case .streaming(let start): Iterator(streaming: start())
            }
        }

        /// Collects all items in memory.
        ///
        /// - Parameter limit: the most items to read.
        /// - Returns: the items, in order.
        /// - Throws: ``APIError`` if the walk cannot go on; to keep the items before that, iterate.
        public func collect(upTo limit: Int = .max) async throws(APIError) -> [Element] {
            var items: [Element] = []
            var iterator = makeAsyncIterator()
            while items.count < limit, let item = try await iterator.next() { items.append(item) }
            return items
        }

        /// Walks from item to item.
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

            /// Returns the next item; nil behind the last one.
            ///
            /// - Throws: ``APIError`` if the walk cannot go on; it is over then.
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
