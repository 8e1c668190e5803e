import WaybillJSON

extension Paginated.Scheme {
    /// Returns a scheme that follows the links of the `Link` field: `Link: </items?page=2>; rel="next"` (RFC 8288).
    ///
    /// Link targets may be relative. The walk ends if there is no link with the relation. Links whose `anchor`
    /// parameter identifies another resource are ignored (RFC 8288, section 3.2). A malformed field causes
    /// ``APIError/PaginationFailure/Reason/unreadable(_:)``.
    ///
    /// - Parameters:
    ///   - rel: the relation of the next page, compared case-insensitively.
    ///   - previous: the relations of the previous page; the first link with any of them is used.
    ///   - size: the number of items on a page, sent with the first request only; the server's links are expected to
    ///     contain it.
    ///   - keepsQuery: whether to add query items of the list's request that a link lacks, such as a filter or the
    ///     size; for servers whose links contain only the page. Links to other origins are followed unchanged.
    ///   - total: where the response contains the total number of items.
    /// - Returns: the scheme.
    public static func link(
        rel: String = "next",
        previous: [String] = ["prev", "previous"],
        size: Size? = nil,
        keepsQuery: Bool = false,
        total: Source? = nil
    ) -> Paginated.Scheme {
        let first = Request(size: size)
        let kind = Kind.links(rel: rel, size: size, total: total)
        return Paginated.Scheme(
            kind,
            "link:\(rel)",
            first: first,
            reading: [total],
            size: size,
            keepsQuery: keepsQuery
        ) { page in
            let links = try page.headerFields[values: .link].flatMap { value in
                guard let links = WebLink.links(in: value) else {
                    throw PaginationProblem("the Link field is not a list of links (RFC 8288)")
                }
                // A link with a different context identifies the next page of another resource.
                return links.filter { $0.isAbout(page.url, ignoringOrigin: page.ignoresOriginOfLinks) }
            }
            let target = { (relations: [String]) in
                links.first { link in relations.contains { link.has(relation: $0) } }?.target
            }
            return PageInfo(
                next: target([rel]).map { first.following($0) },
                previous: target(previous).map { first.following($0) },
                total: try total?.readCount(from: page)
            )
        }
    }

    /// Returns a scheme that reads the URL of the next page from the body: `{"links": {"next": "/items?page=2"}}`.
    ///
    /// Three shapes are supported: the URL as a string, an object with the URL as `href`, `url` or `uri`, and a list of
    /// links. In a list, the link with the relation `rel` is used or, failing that, the only element if it has no
    /// `rel`. URLs may be relative.
    ///
    /// The walk ends if the link is missing, null, false, or an empty string, object or list, or if no link in a list
    /// has the relation. Anything else causes ``APIError/PaginationFailure/Reason/unreadable(_:)``.
    ///
    /// - Parameters:
    ///   - path: the path of the link, or of the list of links, in the body.
    ///   - rel: the relation of the next page in a list of links.
    ///   - previous: where the response contains the link to the previous page; nil to use the link with the relation
    ///     `prev` or `previous` in the list of links.
    ///   - size: the number of items on a page, sent with the first request only; the server's links are expected to
    ///     contain it.
    ///   - keepsQuery: whether to add query items of the list's request that a link lacks, such as a filter or the
    ///     size; for servers whose links contain only the page. Links to other origins are followed unchanged.
    ///   - total: where the response contains the total number of items.
    /// - Returns: the scheme.
    public static func next(
        at path: EnvelopeKey...,
        rel: String = "next",
        previous: Source? = nil,
        size: Size? = nil,
        keepsQuery: Bool = false,
        total: Source? = nil
    ) -> Paginated.Scheme {
        next(in: .body(path), rel: rel, previous: previous, size: size, keepsQuery: keepsQuery, total: total)
    }

    /// Returns a scheme that reads the URL of the next page from a header field:
    /// `Next-Page: https://shop.example/items?token=abc`.
    ///
    /// - Parameters:
    ///   - field: the name of the header field.
    ///   - previous: where the response contains the link to the previous page.
    ///   - size: the number of items on a page, sent with the first request only; the server's links are expected to
    ///     contain it.
    ///   - keepsQuery: whether to add query items of the list's request that a link lacks, such as a filter or the
    ///     size; for servers whose links contain only the page. Links to other origins are followed unchanged.
    ///   - total: where the response contains the total number of items.
    /// - Returns: the scheme.
    public static func next(
        field: String,
        previous: Source? = nil,
        size: Size? = nil,
        keepsQuery: Bool = false,
        total: Source? = nil
    ) -> Paginated.Scheme {
        next(in: .field(field), rel: "next", previous: previous, size: size, keepsQuery: keepsQuery, total: total)
    }

    private static func next(
        in place: Source,
        rel: String,
        previous: Source?,
        size: Size?,
        keepsQuery: Bool,
        total: Source?
    ) -> Self {
        let first = Request(size: size)
        let kind = Kind.next(place: place, rel: rel, previous: previous, size: size, total: total)
        return Paginated.Scheme(
            kind,
            "next:\(rel)",
            first: first,
            reading: [place, previous, total],
            size: size,
            keepsQuery: keepsQuery
        ) { page in
            let links = try place.readDeciding(from: page)
            let back = ["prev", "previous"]
            let target =
                if let previous {
                    try previous.read(from: page)?.linkTarget(relations: back)
                } else {
                    links?.linkTarget(inListByRelations: back)
                }
            return PageInfo(
                next: try links?.linkTarget(relations: [rel]).map { first.following($0) },
                previous: target.map { first.following($0) },
                total: try total?.readCount(from: page)
            )
        }
    }
}

extension Paginated.Scheme.Request {
    /// Returns the request for a link, with the body of this request; the link contains the query.
    fileprivate func following(_ link: String) -> Self { Self(url: link, body: body) }
}

extension JSONValue {
    /// Returns the URL of a link in a body, in any of the supported shapes; nil if there is no link.
    ///
    /// - Parameter relations: the relations to match in a list of links; any one is sufficient.
    /// - Returns: the URL; nil if there is no link.
    /// - Throws: ``PaginationProblem`` if the value is nonempty but contains no URL.
    func linkTarget(relations: [String]) throws -> String? {
        switch self {
        case .null, .bool(false): return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .array(let links): return try Self.target(in: links, relations: relations)
        case .object(let members): return members.isEmpty ? nil : try target(relations: relations)
        default: throw PaginationProblem("the link to the next page is \(kindInWords), not text or an object")
        }
    }

    /// Returns the URL of the first link with one of the relations in a list of links; nil without one.
    func linkTarget(inListByRelations relations: [String]) -> String? {
        guard let link = arrayValue?.first(where: { $0.hasRelation(relations) == true }) else { return nil }
        return try? link.linkTarget(relations: relations)
    }

    private static func target(in links: [JSONValue], relations: [String]) throws -> String? {
        if let link = links.first(where: { $0.hasRelation(relations) == true }) {
            return try link.linkTarget(relations: relations)
        }
        let others = links.filter { $0.hasRelation(relations) == nil }
        if others.isEmpty { return nil }
        guard links.count == 1, links[0].arrayValue == nil else {
            throw PaginationProblem("the list of links has elements without a rel, so none is the next page")
        }
        // An empty list indicates that there is no next page; an empty element does not.
        if links[0].objectValue?.isEmpty ?? [.null, .bool(false), .string("")].contains(links[0]) {
            throw PaginationProblem(
                "the only element of the list of links is \(links[0].emptyKindInWords) and not a link"
            )
        }
        return try links[0].linkTarget(relations: relations)
    }

    private func target(relations: [String]) throws -> String? {
        for key in ["href", "url", "uri"] {
            guard let target = self[key] else { continue }
            guard target.objectValue == nil, target.arrayValue == nil else { break }
            if self["templated"]?.boolValue == true, target.stringValue?.utf8.contains(UInt8(ascii: "{")) == true {
                throw PaginationProblem(
                    "the link to the next page is a template (RFC 6570) with variables to fill in; declare"
                        + " a scheme that sends them, such as .pageNumber(…) or .offset(…)"
                )
            }
            return try target.linkTarget(relations: relations)
        }
        if let relation = relations.first(where: { self[$0] != nil }) {
            throw PaginationProblem(
                "the link to the next page is one key further down: add \"\(relation)\" to the path"
            )
        }
        throw PaginationProblem("the link to the next page is an object without href, url or uri as text")
    }

    /// Whether a link has one of the relations; nil if it has no `rel`.
    private func hasRelation(_ relations: [String]) -> Bool? {
        let words = self.relations
        if words.isEmpty { return nil }
        return relations.contains { words.contains($0.lowercased()) }
    }

    private var emptyKindInWords: String {
        switch self {
        case .string: "an empty text"
        case .object: "an empty object"
        default: kindInWords
        }
    }

    /// The relations of a link, in lowercase.
    var relations: [String] {
        switch self["rel"] {
        case .string(let text): text.split(separator: " ").map { $0.lowercased() }
        case .array(let values): values.compactMap { $0.stringValue?.lowercased() }
        default: []
        }
    }
}
