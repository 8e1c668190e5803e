import Waybill
import WaybillSystem

/// The purpose of a walk over a list.
struct ListWalk: Sendable {
    enum Purpose: Sendable {
        /// It has all items: rows that it lacks are removed at its end, if it proves to be whole.
        case whole
        /// It has what has changed.
        case changes
        /// It has what has changed during a walk over the whole list. It is left to the next synchronization if its
        /// first page shows nothing new and is not the only one.
        case check
    }

    let purpose: Purpose

    /// The path of an item's member with the time of its last change.
    var times: [String]?

    /// Whether the list is a feed, whose last page leads to what comes later.
    var isFeed = false

    /// The cursor to which a feed goes back if an item without a readable id is on the page.
    var place: Cursor?
}

/// A page of a list as it was fetched.
struct FetchedPage: Sendable {
    var items: [DocumentResource.ListedDocument] = []

    /// The document of a singleton, which is not in a list.
    var document: JSONDocument?
    var next: Cursor?

    /// Whether no page follows.
    var isLast = false

    /// The server's date.
    var date: Date?

    /// The response; nil for a singleton.
    var response: Response<[DocumentResource.ListedDocument]>?

    /// The failure of the walk after its last page: its end does not agree with a total.
    var failure: APIError?

    init(_ response: Response<[DocumentResource.ListedDocument]>, isLast: Bool) {
        items = response.value
        self.isLast = isLast
        self.response = response
        date = response.headerFields[.date].flatMap { HTTPDate.date(from: $0) }
    }

    init(_ page: Page<DocumentResource.ListedDocument>) {
        self.init(page.response, isLast: page.next == nil)
        // Without those that an earlier page had, after the list has become shorter.
        items = page.items
        next = page.next
    }

    init(document: JSONDocument?) {
        self.document = document
        isLast = true
    }
}

/// The pages of a list, with the guards of every walk in this package: a server that ignores the parameters of a page,
/// or leads in a circle, ends it with an error.
struct PageIterator {
    private var pages: Pages<DocumentResource.ListedDocument>.Iterator
    private let isFeed: Bool
    private var last: FetchedPage?
    private var isAtEnd = false

    init(_ endpoint: Endpoint<[DocumentResource.ListedDocument]>, from cursor: Cursor?, isFeed: Bool = false) {
        pages = (cursor.map { endpoint.pages(from: $0) } ?? endpoint.pages).makeAsyncIterator()
        self.isFeed = isFeed
    }

    /// Returns the next page; nil after the last one.
    ///
    /// - Throws: the error of the page, or of the walk if it cannot continue.
    mutating func next() async throws(APIError) -> FetchedPage? {
        if isAtEnd { return nil }
        guard let page = try await pages.next() else {
            isAtEnd = true
            // The last pages had nothing but items of earlier ones.
            guard var last else { return nil }
            (last.items, last.next, last.response, last.isLast) = ([], nil, nil, true)
            return last
        }
        var fetched = FetchedPage(page)
        if isFeed, page.items.isEmpty || page.next?.repeatsItself ?? false { fetched.isLast = true }
        if fetched.isLast {
            isAtEnd = true
            // Nothing is requested: the walk compares what it has found with the totals.
            if page.next == nil { fetched.failure = await end() }
        }
        last = fetched
        return fetched
    }

    private mutating func end() async -> APIError? {
        do throws(APIError) {
            _ = try await pages.next()
            return nil
        } catch {
            return error
        }
    }
}
