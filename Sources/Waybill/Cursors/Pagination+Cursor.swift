extension Pagination {
    /// Each page gives a token for the next one in its body: `{"meta": {"next": "abc"}}` → `?after=abc`.
    ///
    /// The walk ends where the token is missing, null or empty, or where `hasMore` is false.
    ///
    /// - Parameters:
    ///   - path: where the token stands in the body.
    ///   - target: where it goes in the next request: a query item, a header field, or the JSON body.
    ///   - previous: where a token for the page before stands.
    ///   - previousTarget: where that one goes; by default where the other does.
    ///   - size: the query item for the number of items on a page.
    ///   - hasMore: where a flag says whether there is another page.
    ///   - total: where the number of items in all stands.
    public static func cursor(
        at path: EnvelopeKey...,
        as target: PageTokenTarget,
        previous: PageValue? = nil,
        previousAs previousTarget: PageTokenTarget? = nil,
        size: PageSize? = nil,
        hasMore: PageValue? = nil,
        total: PageValue? = nil
    ) -> Pagination {
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

    /// Each page gives a token for the next one in a header field: `X-Continuation: abc` → `?after=abc`.
    ///
    /// The walk ends where the field is missing or empty. The other parameters are those of
    /// ``cursor(at:as:previous:previousAs:size:hasMore:total:)``.
    public static func cursor(
        field: String,
        as target: PageTokenTarget,
        previous: PageValue? = nil,
        previousAs previousTarget: PageTokenTarget? = nil,
        size: PageSize? = nil,
        hasMore: PageValue? = nil,
        total: PageValue? = nil
    ) -> Pagination {
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
        in token: PageValue,
        as target: PageTokenTarget,
        previous: PageValue?,
        previousAs: PageTokenTarget?,
        size: PageSize?,
        hasMore: PageValue?,
        total: PageValue?
    ) -> Pagination {
        let first = PageRequest(query: size?.fields ?? [:])
        let reads = [token, previous, hasMore, total].flatMap { $0?.reads ?? [] }
        return Pagination("cursor:\(target.name)", first: first, reads: reads, size: size) { page in
            var turn = PageTurn(total: try total?.readCount(from: page))
            if let token = try token.readToken(from: page), try hasMore?.readFlag(from: page) ?? true {
                turn.next = target.request(with: token, beside: first)
            }
            if let token = try previous?.readToken(from: page) {
                turn.previous = (previousAs ?? target).request(with: token, beside: first)
            }
            return turn
        }
    }

    /// The next page follows the last item of this one: `?starting_after=item_42`, with a flag that says whether there
    /// is one.
    ///
    /// The walk ends where `hasMore` is false, and at an empty page.
    ///
    /// - Parameters:
    ///   - path: the value of the last item that the next request names.
    ///   - target: where it goes in the next request.
    ///   - hasMore: where the flag stands.
    ///   - size: the query item for the number of items on a page.
    ///   - total: where the number of items in all stands.
    public static func after(
        lastItem path: EnvelopeKey...,
        as target: PageTokenTarget,
        hasMore: PageValue? = nil,
        size: PageSize? = nil,
        total: PageValue? = nil
    ) -> Pagination {
        let first = PageRequest(query: size?.fields ?? [:])
        let reads = [hasMore, total].flatMap { $0?.reads ?? [] }
        return Pagination("after:\(target.name)", first: first, reads: reads, readsOfLastItem: [path], size: size) {
            page in
            var turn = PageTurn(total: try total?.readCount(from: page))
            guard try hasMore?.readFlag(from: page) ?? true, page.itemCount > 0 else { return turn }
            guard let key = try page.lastItem(path), key.objectValue == nil, key.arrayValue == nil else {
                throw PaginationProblem.missing("the last item has no value at \(path.pathDescription)")
            }
            turn.next = target.request(with: key, beside: first)
            return turn
        }
    }
}

extension PageValue {
    /// The value as a token: text that is not empty, or a number.
    ///
    /// Null, false and an empty text, object or list end a walk.
    ///
    /// - Throws: ``PaginationProblem`` for anything else that is there.
    func readToken(from page: PageAnswer) throws -> JSONValue? {
        guard let value = try read(from: page) else { return nil }
        switch value {
        case .bool(false), .string(""), .array([]): return nil
        case .object(let members) where members.isEmpty: return nil
        case .bool, .array, .object:
            throw PaginationProblem.missing(
                "the token for the next page is neither text nor a number, but \(value.kindInWords)"
            )
        default: return value
        }
    }

    /// The value as a flag: a Boolean, a number, of which 0 is false, or a word for one of both.
    ///
    /// - Throws: ``PaginationProblem`` for anything else that is there.
    func readFlag(from page: PageAnswer) throws -> Bool? {
        guard let value = try read(from: page) else { return nil }
        if let flag = value.boolValue { return flag }
        if let number = value.intValue { return number != 0 }
        switch value.stringValue?.lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0", "": return false
        default:
            throw PaginationProblem.missing(
                "the flag at \(name) is \(value.kindInWords) that is neither true nor false"
            )
        }
    }
}
