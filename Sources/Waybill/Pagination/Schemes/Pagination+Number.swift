extension Paginated.Scheme {
    /// Returns a scheme for numbered pages: `?page=2&per_page=50`, or `{"page":2,"per_page":50}`.
    ///
    /// The walk ends at the server's total or page count, or otherwise at an empty page. A page with fewer items than
    /// requested ends it only if `endsAtShortPage` is true, because some servers cap sizes silently.
    ///
    /// - Parameters:
    ///   - target: where the request sends the number: in a query item, a header field, or the JSON body.
    ///   - start: the number of the page at which a walk starts. If it is above 1, page numbers still begin at 1, and
    ///     the walk skips the earlier pages.
    ///   - size: the number of items on a page, and where the request sends it.
    ///   - total: where the response contains the total number of items.
    ///   - pageCount: where the response contains the total number of pages.
    ///   - endsAtShortPage: whether a page with fewer items than requested is the last one.
    ///   - startsOver: whether the server returns the first page again for requests past the end. A page with the ids
    ///     of the first page then counts as empty and ends the walk; items without ids are a declaration error.
    /// - Returns: the scheme.
    public static func pageNumber(
        _ target: Target = "page",
        startingAt start: Int = 1,
        size: Size? = nil,
        total: Source? = nil,
        pageCount: Source? = nil,
        endsAtShortPage: Bool = false,
        startsOver: Bool = false
    ) -> Paginated.Scheme {
        let request: @Sendable (Int) -> Request = { Request(target, at: $0, size: size) }
        let kind = Kind.pageNumber(target: target, start: start, size: size, total: total, pageCount: pageCount)
        let name = "pageNumber:\(target.name)"
        return Paginated.Scheme(
            kind,
            name,
            first: request(start),
            reading: [total, pageCount],
            size: size,
            startsOver: startsOver
        ) { page in
            let number = target.number(in: page.request) ?? start
            let lowest = min(start, 1)
            var info = PageInfo(total: try total?.readCount(from: page))
            if number > lowest { info.previous = request(number - 1) }
            let (index, isTooFar) = number.subtractingReportingOverflow(lowest)
            let size = page.requestedSize(size)
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
    }
}

extension Paginated.Scheme {
    /// Returns a scheme whose pages start at an item offset: `?offset=100&limit=50`, or `{"offset":100,"limit":50}`.
    ///
    /// The walk ends at the server's total, or otherwise at an empty page. A page with fewer items than requested ends
    /// it only if `endsAtShortPage` is true, because some servers cap sizes silently.
    ///
    /// - Parameters:
    ///   - target: where the request sends the offset: in a query item, a header field, or the JSON body.
    ///   - start: the offset at which a walk starts. If it is above 1, offsets still begin at 0, and the walk skips the
    ///     earlier items.
    ///   - size: the number of items on a page, and where the request sends it.
    ///   - total: where the response contains the total number of items.
    ///   - endsAtShortPage: whether a page with fewer items than requested is the last one.
    ///   - startsOver: whether the server returns the first page again for requests past the end. A page with the ids
    ///     of the first page then counts as empty and ends the walk; items without ids are a declaration error.
    /// - Returns: the scheme.
    public static func offset(
        _ target: Target = "offset",
        startingAt start: Int = 0,
        size: Size? = nil,
        total: Source? = nil,
        endsAtShortPage: Bool = false,
        startsOver: Bool = false
    ) -> Paginated.Scheme {
        let request: @Sendable (Int) -> Request = { Request(target, at: $0, size: size) }
        let kind = Kind.offset(target: target, start: start, size: size, total: total)
        let name = "offset:\(target.name)"
        return Paginated.Scheme(
            kind,
            name,
            first: request(start),
            reading: [total],
            size: size,
            startsOver: startsOver
        ) { page in
            let offset = target.number(in: page.request) ?? start
            let lowest = start > 1 ? 0 : start
            var info = PageInfo(total: try total?.readCount(from: page))
            if offset > lowest, offset < .max / 2,
                let step = page.requestedSize(size) ?? (page.itemCount > 0 ? page.itemCount : nil)
            {
                info.previous = request(max(lowest, offset - step))
            }
            let (end, overflows) = offset.addingReportingOverflow(page.itemCount)
            let hasNext: Bool
            if page.itemCount == 0 || overflows {
                hasNext = false
            } else if let items = info.total {
                hasNext = end.subtractingReportingOverflow(lowest).partialValue < items
            } else {
                hasNext = !endsAtShortPage || page.requestedSize(size).map { page.itemCount >= $0 } ?? true
            }
            if hasNext { info.next = request(end) }
            return info
        }
    }
}

extension Paginated.Scheme.Response {
    /// Returns the requested page size, explicit or declared; nil if the request contained none.
    fileprivate func requestedSize(_ declared: Paginated.Scheme.Size?) -> Int? {
        size ?? (asksForDeclaredSize ? declared?.count : nil)
    }
}
