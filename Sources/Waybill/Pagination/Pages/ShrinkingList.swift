/// The going back of a walk by numbers or offsets whose list becomes shorter, as when the loop deletes its items.
///
/// The total falls then, and the items that follow move to earlier places: without going back the walk would leave some
/// of them out.
struct ShrinkingList: Sendable {
    /// The most steps back in a row that lead to no new item: a total that falls and rises again would lead to more.
    private static let mostFruitlessSteps = 100

    private var total: Int?
    private var ids = ReturnedIDs()
    /// The smallest number of items on a page that another one followed.
    private var smallestPage: Int?
    private var fruitlessSteps = 0

    /// Whether the walk has gone back.
    private(set) var hasGoneBack = false

    /// Returns the number by which the list has become shorter since the page before; nil if it has not.
    mutating func count(at page: PageReading) -> Int? {
        guard page.requested.isNumbered, let total = page.total else { return nil }
        let before = self.total
        self.total = total
        if page.itemCount > 0, page.next != nil { smallestPage = min(smallestPage ?? .max, page.itemCount) }
        return before.flatMap { total < $0 ? $0 - total : nil }
    }

    /// Returns the cursor of an earlier page from which on all items that may have moved are read; nil if the page is
    /// the first one.
    ///
    /// - Throws: ``PaginationProblem`` if so many items are not known any more, or the walk has gone back too often.
    mutating func cursor(back count: Int, from page: PageReading) throws(PaginationProblem) -> Cursor? {
        guard let cursor = page.requested.cursor(back: count, pageSize: smallestPage ?? 1) else { return nil }
        guard count <= ReturnedIDs.most else {
            throw PaginationProblem(
                "the list has lost \(count) items since the page before, and a walk remembers the latest "
                    + "\(ReturnedIDs.most); delete them in smaller parts, or begin again"
            )
        }
        fruitlessSteps += 1
        guard fruitlessSteps <= Self.mostFruitlessSteps else {
            throw PaginationProblem(
                "the total of the server falls again and again, and no page has new items; if it is an estimate, declare "
                    + "Paginated(…, totals: .estimated)"
            )
        }
        hasGoneBack = true
        return cursor
    }

    /// Records that an item is returned; returns false for one that was returned before the walk went back.
    mutating func take(_ hash: UInt64) -> Bool {
        let isNew = ids.insert(hash)
        if isNew { fruitlessSteps = 0 }
        return isNew || !hasGoneBack
    }
}

extension RequestedPage {
    /// Whether the pages are those of numbers or offsets, which move if items are removed.
    var isNumbered: Bool {
        switch paginated.scheme.kind {
        case .pageNumber, .offset: true
        default: false
        }
    }

    /// Returns the cursor of the page that is a number of items before this one; nil if this is the first one.
    fileprivate func cursor(back count: Int, pageSize: Int) -> Cursor? {
        guard let request = cursor?.request else { return nil }
        switch paginated.scheme.kind {
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
            scheme: paginated.scheme.name,
            path: plan.cursorPath,
            pageNumber: max(1, number - 1),
            body: plan.cursorBody,
            itemsBefore: itemsBefore,
            request: request,
            repeatsItself: false
        )
    }
}
