import Waybill
import WaybillSystem

/// A walk over a list, to fetch either all items or changes.
struct ListWalk: Sendable {
    enum Purpose: Sendable {
        /// To fetch all items.
        ///
        /// Rows that the list does not contain are removed at the end, if the list is complete.
        case whole
        /// To fetch changes.
        case changes
        /// To fetch changes made during a walk over the whole list.
        ///
        /// If the list has several pages and the first one contains nothing new, the rest is left to the next
        /// synchronization.
        case check
    }

    let purpose: Purpose

    /// The path of the member with the time of an item's last change.
    var times: [String]?

    /// Whether the list is a feed, whose last page contains the cursor for later changes.
    var isFeed = false

    /// The cursor to return to if the page of a feed contains an item without a readable id.
    var place: Cursor?
}

/// A fetched page of a list.
struct FetchedPage: Sendable {
    var items: [DocumentResource.ListedDocument] = []

    /// The document of a singleton.
    var document: JSONDocument?
    var next: Cursor?

    /// Whether it is the last page.
    var isLast = false

    /// The date of the response, by the server's clock.
    var date: Date?

    /// The response; nil for a singleton.
    var response: Response<[DocumentResource.ListedDocument]>?

    /// The failure after the last page, if the number of items differs from the total that the server indicated.
    var failure: APIError?

    init(_ response: Response<[DocumentResource.ListedDocument]>, isLast: Bool) {
        items = response.value
        self.isLast = isLast
        self.response = response
        date = response.headerFields[.date].flatMap { HTTPDate.date(from: $0) }
    }

    init(_ page: Page<DocumentResource.ListedDocument>) {
        self.init(page.response, isLast: page.next == nil)
        // `page.items` omits items that were also on an earlier page, because the list has become shorter.
        items = page.items
        next = page.next
    }

    init(document: JSONDocument?) {
        self.document = document
        isLast = true
    }
}

/// An iterator over the pages of a list, with the checks that all walks in this package share.
///
/// If the server ignores the paging parameters or makes the walk loop, the walk ends with an error.
struct PageIterator {
    private var pages: Pages<DocumentResource.ListedDocument>.Iterator
    private let isFeed: Bool
    private var last: FetchedPage?
    private var isAtEnd = false

    init(_ endpoint: Endpoint<[DocumentResource.ListedDocument]>, from cursor: Cursor?, isFeed: Bool = false) {
        pages = endpoint.pages(from: cursor ?? .start).makeAsyncIterator()
        self.isFeed = isFeed
    }

    /// Returns the next page; nil after the last one.
    ///
    /// - Throws: the error of the page, or the reason why the walk cannot continue.
    mutating func next() async throws(APIError) -> FetchedPage? {
        if isAtEnd { return nil }
        guard let page = try await pages.next() else {
            isAtEnd = true
            // The last pages contained only items of earlier pages.
            guard var last else { return nil }
            (last.items, last.next, last.response, last.isLast) = ([], nil, nil, true)
            return last
        }
        var fetched = FetchedPage(page)
        if isFeed, page.items.isEmpty || page.next?.repeatsItself ?? false { fetched.isLast = true }
        if fetched.isLast {
            isAtEnd = true
            // This makes no request, but only compares the number of items with the totals.
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
