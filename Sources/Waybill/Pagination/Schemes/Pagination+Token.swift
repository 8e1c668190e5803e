extension Paginated.Scheme {
    /// Returns a scheme that reads a token for the next page from the body: `{"meta": {"next": "abc"}}` → `?after=abc`.
    ///
    /// A token is a string or a number. A token sent in the body may also be an object or an array, which the next
    /// request sends back unchanged: `LastEvaluatedKey` → `ExclusiveStartKey`.
    ///
    /// The walk ends if the token is missing, null, false or empty, or if `hasMore` is false. A page with a true
    /// `hasMore` but without a token causes ``APIError/PaginationFailure/Reason/unreadable(_:)``.
    ///
    /// - Parameters:
    ///   - path: the path of the token in the body.
    ///   - target: where the next request sends the token: in a query item, a header field, or the JSON body.
    ///   - previous: where the response contains a token for the previous page.
    ///   - previousTarget: where a request sends that token; nil to use `target`.
    ///   - size: the number of items on a page, and where the request sends it.
    ///   - hasMore: where the response contains a flag that indicates another page.
    ///   - total: where the response contains the total number of items.
    /// - Returns: the scheme.
    public static func cursor(
        at path: EnvelopeKey...,
        as target: Target,
        previous: Source? = nil,
        previousAs previousTarget: Target? = nil,
        size: Size? = nil,
        hasMore: Source? = nil,
        total: Source? = nil
    ) -> Paginated.Scheme {
        cursor(
            in: .body(path),
            as: target,
            previous: previous,
            previousAs: previousTarget,
            size: size,
            hasMore: hasMore,
            total: total
        )
    }

    /// Returns a scheme that reads a token for the next page from a header field: `X-Continuation: abc` → `?after=abc`.
    ///
    /// The walk ends if the field is missing or empty, or if `hasMore` is false. A page with a true `hasMore` but
    /// without a token causes ``APIError/PaginationFailure/Reason/unreadable(_:)``.
    ///
    /// - Parameters:
    ///   - field: the name of the header field with the token.
    ///   - target: where the next request sends the token: in a query item, a header field, or the JSON body.
    ///   - previous: where the response contains a token for the previous page.
    ///   - previousTarget: where a request sends that token; nil to use `target`.
    ///   - size: the number of items on a page, and where the request sends it.
    ///   - hasMore: where the response contains a flag that indicates another page.
    ///   - total: where the response contains the total number of items.
    /// - Returns: the scheme.
    public static func cursor(
        field: String,
        as target: Target,
        previous: Source? = nil,
        previousAs previousTarget: Target? = nil,
        size: Size? = nil,
        hasMore: Source? = nil,
        total: Source? = nil
    ) -> Paginated.Scheme {
        cursor(
            in: .field(field),
            as: target,
            previous: previous,
            previousAs: previousTarget,
            size: size,
            hasMore: hasMore,
            total: total
        )
    }

    private static func cursor(
        in token: Source,
        as target: Target,
        previous: Source?,
        previousAs: Target?,
        size: Size?,
        hasMore: Source?,
        total: Source?
    ) -> Paginated.Scheme {
        let first = target.firstRequest(size: size)
        let kind = Kind.cursor(
            token: token,
            target: target,
            previousTarget: previousAs,
            size: size,
            hasMore: hasMore,
            total: total
        )
        let (name, sources) = ("cursor:\(target.name)", [token, previous, hasMore, total])
        return Paginated.Scheme(kind, name, first: first, reading: sources, size: size) { page in
            var info = PageInfo(total: try total?.readCount(from: page))
            let next = try token.readToken(from: page, for: target)
            let hasNext = try hasMore?.readFlag(from: page)
            if let next, hasNext ?? true {
                info.next = target.request(with: next, beside: first)
            } else if next == nil, hasNext == true, let hasMore {
                throw PaginationProblem(
                    "\(hasMore.argument("hasMore")) indicates another page, but there is no token for it at "
                        + "\(token.name); correct the token's path, or omit hasMore"
                )
            }
            if let token = try previous?.readToken(from: page, for: previousAs ?? target) {
                info.previous = (previousAs ?? target).request(with: token, beside: first)
            }
            return info
        }
    }

    /// Returns a scheme that requests the items after the last one on the current page: `?starting_after=item_42`.
    ///
    /// The walk ends at an empty page, or if `hasMore` is false. An empty page with a true `hasMore` causes
    /// ``APIError/PaginationFailure/Reason/unreadable(_:)``.
    ///
    /// - Parameters:
    ///   - path: the path, relative to the last item, of the value to send in the next request. In the body, the value
    ///     may be an object or an array.
    ///   - target: where the next request sends the value.
    ///   - hasMore: where the response contains a flag that indicates another page.
    ///   - size: the number of items on a page, and where the request sends it.
    ///   - total: where the response contains the total number of items.
    /// - Returns: the scheme.
    public static func after(
        lastItem path: EnvelopeKey...,
        as target: Target,
        hasMore: Source? = nil,
        size: Size? = nil,
        total: Source? = nil
    ) -> Paginated.Scheme {
        let first = target.firstRequest(size: size)
        let kind = Kind.after(lastItem: path, target: target, size: size, hasMore: hasMore, total: total)
        let (name, sources) = ("after:\(target.name)", [hasMore, total])
        return Paginated.Scheme(kind, name, first: first, reading: sources, lastItem: [path], size: size) { page in
            var info = PageInfo(total: try total?.readCount(from: page))
            let hasNext = try hasMore?.readFlag(from: page)
            guard page.itemCount > 0 else {
                guard hasNext == true, let hasMore else { return info }
                throw PaginationProblem(
                    "\(hasMore.argument("hasMore")) indicates another page, but this one has no items, and "
                        + "the next one starts after the last item; correct the Envelope if there are items, or leave "
                        + "hasMore out"
                )
            }
            guard hasNext ?? true else { return info }
            guard let key = try page.lastItem(path), target.takes(key) else {
                throw PaginationProblem("the last item has no value at \(path.pathDescription)")
            }
            info.next = target.request(with: key, beside: first)
            return info
        }
    }
}
