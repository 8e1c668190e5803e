extension Pagination {
    /// The next page starts behind the items that have been seen: `?offset=100&limit=50`.
    ///
    /// The walk ends where the server's total says so, or else at an empty page. A page with fewer items than `size`
    /// asks for ends it only on request, because servers cap sizes silently.
    ///
    /// - Parameters:
    ///   - name: the query item for the offset.
    ///   - start: the offset of the first item.
    ///   - size: the query item for the number of items on a page.
    ///   - total: where the number of items in all stands.
    ///   - endsAtShortPage: whether a page with fewer items than `size` asks for is the last.
    public static func offset(
        _ name: String = "offset",
        startingAt start: Int = 0,
        size: PageSize? = nil,
        total: PageValue? = nil,
        endsAtShortPage: Bool = false
    ) -> Pagination {
        let request: @Sendable (Int) -> PageRequest = { offset in
            var query: PageFields = [name: "\(offset)"]
            if let size { query[size.name] = "\(size.count)" }
            return PageRequest(query: query)
        }
        return Pagination("offset:\(name)", first: request(start), reads: total?.reads ?? [], size: size) { page in
            let offset = page.request.query[name].flatMap { Int($0) } ?? start
            var turn = PageTurn(total: try total?.readCount(from: page))
            if offset > start, offset < .max / 2,
                let step = page.size ?? size?.count ?? (page.itemCount > 0 ? page.itemCount : nil)
            {
                turn.previous = request(max(start, offset - step))
            }
            let (end, overflows) = offset.addingReportingOverflow(page.itemCount)
            let hasNext: Bool
            if page.itemCount == 0 || overflows {
                hasNext = false
            } else if let items = turn.total {
                hasNext = end.subtractingReportingOverflow(start).partialValue < items
            } else {
                hasNext = !endsAtShortPage || (page.size ?? size?.count).map { page.itemCount >= $0 } ?? true
            }
            if hasNext { turn.next = request(end) }
            return turn
        }
    }
}
