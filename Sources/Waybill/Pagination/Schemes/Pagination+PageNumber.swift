extension Paginated.Scheme {
    /// Returns a scheme of numbered pages: `?page=2&per_page=50`, or `{"page":2,"per_page":50}`.
    ///
    /// The walk ends at the server's totals, or else at an empty page. A page with fewer items than `size` asks for
    /// ends it only on request, because servers cap sizes silently.
    ///
    /// - Parameters:
    ///   - target: the number's place in the request: a query item, a header field, or the JSON body.
    ///   - start: the number of the first page.
    ///   - size: the number of items on a page, and its place in the request.
    ///   - total: the place of the number of items in all.
    ///   - pageCount: the place of the number of pages in all.
    ///   - endsAtShortPage: whether a page with fewer items than `size` asks for is the last.
    /// - Returns: the scheme.
    public static func pageNumber(
        _ target: Target = "page",
        startingAt start: Int = 1,
        size: Size? = nil,
        total: Source? = nil,
        pageCount: Source? = nil,
        endsAtShortPage: Bool = false
    ) -> Paginated.Scheme {
        let request: @Sendable (Int) -> Request = { Request(target, at: $0, size: size) }
        let reads = (total?.reads ?? []) + (pageCount?.reads ?? [])
        return Paginated.Scheme("pageNumber:\(target.name)", first: request(start), reads: reads, size: size) { page in
            let number = target.number(in: page.request) ?? start
            var info = PageInfo(total: try total?.readCount(from: page))
            if number > start { info.previous = request(number - 1) }
            let (index, isTooFar) = number.subtractingReportingOverflow(start)
            let size = page.size ?? size?.count
            let hasNext: Bool
            if isTooFar || index < 0 || index >= Int(Int32.max) {
                hasNext = false
            } else if let pages = try pageCount?.readCount(from: page) {
                hasNext = index + 1 < pages
            } else if page.itemCount == 0 {
                hasNext = false
            } else if let items = info.total,
                let before = page.itemsBefore
                    ?? size.map({ Int(clamping: Int64(index) * Int64(min($0, Int(Int32.max)))) })
            {
                hasNext = before.addingReportingOverflow(page.itemCount).partialValue < items
            } else {
                hasNext = !endsAtShortPage || size.map { page.itemCount >= $0 } ?? true
            }
            if hasNext, number < .max { info.next = request(number + 1) }
            return info
        }
        .described(.pageNumber(target: target, start: start, size: size, total: total, pageCount: pageCount))
    }
}
