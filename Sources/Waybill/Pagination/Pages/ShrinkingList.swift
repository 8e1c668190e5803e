/// A tracker for a list that shrinks during a walk by page number or offset, for example because the app deletes items
/// as it iterates.
///
/// When the total drops, later items move to earlier pages, so a walk that never steps back skips some of them.
struct ShrinkingList: Sendable {
    /// The maximum number of consecutive steps back without a new item, so that a walk ends even if the total
    /// fluctuates.
    private static let mostFruitlessSteps = 100

    private var total: Int?
    private var ids = ReturnedIDs()
    /// The smallest number of items on a nonempty page that has a next page.
    private var smallestPage: Int?
    private var fruitlessSteps = 0

    /// Whether the walk has stepped back.
    private(set) var hasGoneBack = false

    /// Returns the number of items removed from the list since the previous page; nil if the total has not dropped.
    mutating func count(at page: PageReading) -> Int? {
        guard page.requested.isNumbered, let total = page.total else { return nil }
        let before = self.total
        self.total = total
        if page.itemCount > 0, page.next != nil { smallestPage = min(smallestPage ?? .max, page.itemCount) }
        return before.flatMap { total < $0 ? $0 - total : nil }
    }

    /// Returns the cursor of an earlier page, before all items that may have moved; nil for the first page.
    ///
    /// - Throws: ``PaginationProblem`` if more items were removed than a walk remembers, or if the walk has stepped
    ///   back too often without finding a new item.
    mutating func cursor(back count: Int, from page: PageReading) throws(PaginationProblem) -> Cursor? {
        guard let cursor = page.requested.cursor(back: count, pageSize: smallestPage ?? 1) else { return nil }
        guard count <= ReturnedIDs.most else {
            throw PaginationProblem(
                "the list has lost \(count) items since the previous page, and a walk remembers only the latest "
                    + "\(ReturnedIDs.most); delete them in smaller batches, or start over"
            )
        }
        fruitlessSteps += 1
        guard fruitlessSteps <= Self.mostFruitlessSteps else {
            throw PaginationProblem(
                "the server's total keeps falling, and no page has new items; if it is an estimate, declare "
                    + "Paginated(…, totals: .estimated)"
            )
        }
        hasGoneBack = true
        return cursor
    }

    /// Records an item; returns false if it was already returned before the walk stepped back.
    mutating func take(_ hash: UInt64) -> Bool {
        let isNew = ids.insert(hash)
        if isNew { fruitlessSteps = 0 }
        return isNew || !hasGoneBack
    }
}

extension RequestedPage {
    /// Whether pages are addressed by number or offset, and therefore shift when items are removed.
    var isNumbered: Bool {
        switch scheme.kind {
        case .pageNumber, .offset: true
        default: false
        }
    }

    /// Returns the cursor of the page that contains the item a number of positions before this page; nil for the first
    /// page.
    fileprivate func cursor(back count: Int, pageSize: Int) -> Cursor? {
        guard let request = cursor?.request else { return nil }
        switch scheme.kind {
        case .offset(let target, let start, let size, _):
            guard let offset = target.number(in: request), offset > start else { return nil }
            let back = max(start, offset - count)
            return cursor(of: Paginated.Scheme.Request(target, at: back, size: size), itemsBefore: back - start, back)
        case .pageNumber(let target, let start, let size, _, _):
            guard let number = target.number(in: request), number > start else { return nil }
            let back = max(start, number - 1 - (count - 1) / pageSize)
            let (itemsBefore, overflows) = (back - start).multipliedReportingOverflow(by: pageSize)
            let request = Paginated.Scheme.Request(target, at: back, size: size)
            return cursor(of: request, itemsBefore: overflows ? nil : itemsBefore, back)
        default: return nil
        }
    }

    private func cursor(of request: Paginated.Scheme.Request, itemsBefore: Int?, _ position: Int) -> Cursor {
        Cursor(
            scheme: scheme.name,
            path: plan.cursorPath,
            pageNumber: max(1, number - 1),
            body: plan.cursorBody,
            filters: plan.cursorFilters(besides: request),
            beginning: self.cursor?.beginning,
            itemsBefore: itemsBefore,
            request: request,
            repeatsItself: false
        )
    }
}
