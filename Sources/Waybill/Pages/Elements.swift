/// The items of all pages of a list, lazily: a page is fetched when its first item is asked for.
///
/// ```swift
/// for try await product in shop.products.all { index(product) }
/// let some = try await shop.products.all.collect(upTo: 500)
/// ```
///
/// A walk that cannot go on throws after every item before it was given; the error's ``APIError/cursor`` leads to the
/// page that failed.
public struct Elements<Element: Sendable>: AsyncSequence, Sendable {
    let pages: Pages<Element>

    /// Starts a walk.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// All items in memory.
    ///
    /// - Parameter limit: how many items to read at most.
    /// - Throws: ``APIError`` where the walk cannot go on; to keep what was read before that, iterate.
    public func collect(upTo limit: Int = .max) async throws(APIError) -> [Element] {
        var items: [Element] = []
        var iterator = makeAsyncIterator()
        while items.count < limit, let item = try await iterator.next() { items.append(item) }
        return items
    }

    /// Walks from item to item.
    public struct Iterator: AsyncIteratorProtocol {
        var pages: Pages<Element>.Iterator
        private var items: [Element] = []
        private var position = 0

        init(pages: Pages<Element>.Iterator) { self.pages = pages }

        /// The next item, or nil behind the last one.
        ///
        /// - Throws: ``APIError`` where the walk cannot go on; it is over then.
        public mutating func next() async throws(APIError) -> Element? {
            while position >= items.count {
                guard let page = try await pages.next() else { return nil }
                items = page.items
                position = 0
            }
            defer { position += 1 }
            return items[position]
        }
    }
}
