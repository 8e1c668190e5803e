extension Paginated.Scheme {
    /// Returns a scheme of `Link` fields that name the next page: `Link: </items?page=2>; rel="next"` (RFC 8288).
    ///
    /// Targets may be relative. The walk ends if there is no such link. A link whose `anchor` parameter names another
    /// resource than the page is not about the page (RFC 8288, section 3.2), and is not taken. A field that is not a
    /// list of links is ``APIError/PaginationFailure/Reason/unreadable(_:)``.
    ///
    /// - Parameters:
    ///   - rel: the relation of the next page; compared without regard to case.
    ///   - previous: the relations of the page before.
    ///   - size: the number of items on a page, sent with the first request; the links carry it on.
    ///   - total: the place of the number of items in all.
    /// - Returns: the scheme.
    public static func link(
        rel: String = "next",
        previous: [String] = ["prev", "previous"],
        size: Size? = nil,
        total: Source? = nil
    ) -> Paginated.Scheme {
        let first = Request(size: size)
        return Paginated.Scheme("link:\(rel)", first: first, reads: total?.reads ?? [], size: size) { page in
            let links = try page.headerFields[values: .link].flatMap { value in
                guard let links = WebLink.links(in: value) else {
                    throw PaginationProblem.missing("the Link field is not a list of links (RFC 8288)")
                }
                // A link about another resource leads to that one's next page.
                return links.filter { $0.isAbout(page.url.value) }
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
        .described(.links(rel: rel, size: size, total: total))
    }

    /// Returns a scheme with the URL of the next page in the body: `{"links": {"next": "/items?page=2"}}`.
    ///
    /// Three shapes are read: the URL as text, an object with the URL under `href`, `url` or `uri`, and a list: the
    /// object in it whose `rel` is `next` (or is the one given), or its only element. URLs may be relative.
    ///
    /// The walk ends if there is no link, null, or an empty text, object or list, or if a list of links has none of
    /// that relation. Anything else is ``APIError/PaginationFailure/Reason/unreadable(_:)``.
    ///
    /// - Parameters:
    ///   - path: the path of the link or of the list of links in the body.
    ///   - rel: the relation of the next page in a list of links.
    ///   - previous: the place of the link to the page before; in a list of links, the one with `rel` `prev` is taken.
    ///   - size: the number of items on a page, sent with the first request; the links carry it on.
    ///   - total: the place of the number of items in all.
    /// - Returns: the scheme.
    public static func next(
        at path: EnvelopeKey...,
        rel: String = "next",
        previous: Source? = nil,
        size: Size? = nil,
        total: Source? = nil
    ) -> Paginated.Scheme {
        next(in: .body(path), rel: rel, previous: previous, size: size, total: total)
    }

    /// Returns a scheme with the URL of the next page in a header field: `Next-Page:
    /// https://shop.example/items?token=abc`.
    ///
    /// The other parameters are those of ``next(at:rel:previous:size:total:)``.
    public static func next(
        field: String,
        previous: Source? = nil,
        size: Size? = nil,
        total: Source? = nil
    ) -> Paginated.Scheme {
        next(in: .field(field), rel: "next", previous: previous, size: size, total: total)
    }

    private static func next(
        in place: Source,
        rel: String,
        previous: Source?,
        size: Size?,
        total: Source?
    ) -> Paginated.Scheme {
        let first = Request(size: size)
        let reads = [place, previous, total].flatMap { $0?.reads ?? [] }
        return Paginated.Scheme("next:\(rel)", first: first, reads: reads, size: size) { page in
            let links = try place.read(from: page)
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
        .described(.next(place: place, rel: rel, previous: previous, size: size, total: total))
    }
}

extension Paginated.Scheme.Request {
    /// Returns the request at a link, which carries on the query; what the first request has in its body goes with it.
    fileprivate func following(_ link: String) -> Self { Self(url: link, body: body) }
}
