import Waybill
import WaybillSystem

/// A walk over the pages of a list.
struct ListWalk: Sendable {
    enum Purpose: Sendable {
        /// Fetches all items.
        ///
        /// If the list is complete, rows missing from it are removed at the end.
        case whole
        /// Fetches changes.
        case changes
        /// Fetches changes made during a walk over the whole list.
        ///
        /// If the list has several pages and the first contains nothing new, the others are deferred to the next
        /// synchronization.
        case check
    }

    let purpose: Purpose

    /// The path of the member with the time of an item's last change; nil if not declared.
    var timePath: [String]?

    /// Whether the list is a feed, whose last page contains the cursor for later changes.
    var isFeed = false

    /// The cursor of the current page of a feed, to request again if an item on the page has no readable id.
    var retryCursor: Cursor?
}

/// A fetched page of a list.
struct FetchedPage: Sendable {
    var items: [DocumentResource.ListedDocument] = []

    /// The document of a singleton; nil for a list, or if the server has no value.
    var document: JSONDocument?
    var next: Cursor?

    /// Whether this is the last page.
    var isLast = false

    /// The date of the response, by the server's clock.
    var date: Date?

    /// The response; nil for a singleton.
    var response: Response<[DocumentResource.ListedDocument]>?

    /// The error after the last page if the number of items differs from the total indicated by the server.
    var failure: APIError?

    init(_ response: Response<[DocumentResource.ListedDocument]>, isLast: Bool) {
        items = response.value
        self.isLast = isLast
        self.response = response
        date = response.headerFields[.date].flatMap { HTTPDate.date(from: $0) }
    }

    init(_ page: Page<DocumentResource.ListedDocument>) {
        self.init(page.response, isLast: page.next == nil)
        // `page.items` omits items repeated from an earlier page, which occur if the list shrinks during the walk.
        items = page.items
        next = page.next
    }

    init(document: JSONDocument?) {
        self.document = document
        isLast = true
    }
}

/// An iterator over the pages of a list, with the same checks as all walks in this package.
///
/// If the server ignores the paging parameters or makes the walk loop, iteration ends with an error.
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
    /// - Throws: the error of the request, or an error that prevents the walk from continuing.
    mutating func next() async throws(APIError) -> FetchedPage? {
        if isAtEnd { return nil }
        guard let page = try await pages.next() else {
            isAtEnd = true
            // The last pages contained only items repeated from earlier pages.
            guard var last else { return nil }
            (last.items, last.next, last.response, last.isLast) = ([], nil, nil, true)
            return last
        }
        var fetched = FetchedPage(page)
        if isFeed, page.items.isEmpty || page.next?.repeatsItself ?? false { fetched.isLast = true }
        if fetched.isLast {
            isAtEnd = true
            // This compares the number of items with the totals, without a request.
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
