extension Pagination {
    /// Returns a scheme whose next page starts after the items so far: `?offset=100&limit=50`.
    ///
    /// The walk ends at the server's total, or else at an empty page. A page with fewer items than `size` asks for ends
    /// it only on request, because servers cap sizes silently.
    ///
    /// - Parameters:
    ///   - name: the query item for the offset.
    ///   - start: the offset of the first item.
    ///   - size: the query item for the number of items on a page.
    ///   - total: the place of the number of items in all.
    ///   - endsAtShortPage: whether a page with fewer items than `size` asks for is the last.
    /// - Returns: the scheme.
    public static func offset(
        _ name: String = "offset",
        startingAt start: Int = 0,
        size: Size? = nil,
        total: Source? = nil,
        endsAtShortPage: Bool = false
    ) -> Pagination {
        let request: @Sendable (Int) -> Request = { Request(name, at: $0, size: size) }
        return Pagination("offset:\(name)", first: request(start), reads: total?.reads ?? [], size: size) { page in
            let offset = page.request.query[name].flatMap { Int($0) } ?? start
            var info = PageInfo(total: try total?.readCount(from: page))
            if offset > start, offset < .max / 2,
                let step = page.size ?? size?.count ?? (page.itemCount > 0 ? page.itemCount : nil)
            {
                info.previous = request(max(start, offset - step))
            }
            let (end, overflows) = offset.addingReportingOverflow(page.itemCount)
            let hasNext: Bool
            if page.itemCount == 0 || overflows {
                hasNext = false
            } else if let items = info.total {
                hasNext = end.subtractingReportingOverflow(start).partialValue < items
            } else {
                hasNext = !endsAtShortPage || (page.size ?? size?.count).map { page.itemCount >= $0 } ?? true
            }
            if hasNext { info.next = request(end) }
            return info
        }
        .described(.offset(name: name, start: start, size: size, total: total))
    }
}
