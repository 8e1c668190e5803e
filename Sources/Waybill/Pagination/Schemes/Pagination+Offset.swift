extension Paginated.Scheme {
    /// Returns a scheme whose next page starts after the items so far: `?offset=100&limit=50`, or
    /// `{"offset":100,"limit":50}`.
    ///
    /// The walk ends at the server's total, or else at an empty page. A page with fewer items than `size` asks for ends
    /// it only on request, because servers cap sizes silently.
    ///
    /// - Parameters:
    ///   - target: the offset's place in the request: a query item, a header field, or the JSON body.
    ///   - start: the offset of the first item.
    ///   - size: the number of items on a page, and its place in the request.
    ///   - total: the place of the number of items in all.
    ///   - endsAtShortPage: whether a page with fewer items than `size` asks for is the last.
    /// - Returns: the scheme.
    public static func offset(
        _ target: Target = "offset",
        startingAt start: Int = 0,
        size: Size? = nil,
        total: Source? = nil,
        endsAtShortPage: Bool = false
    ) -> Paginated.Scheme {
        let request: @Sendable (Int) -> Request = { Request(target, at: $0, size: size) }
        return Paginated.Scheme("offset:\(target.name)", first: request(start), reads: total?.reads ?? [], size: size) {
            page in
            let offset = target.number(in: page.request) ?? start
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
        .described(.offset(target: target, start: start, size: size, total: total))
    }
}
